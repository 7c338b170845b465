-- name: counts
-- One JSON object: for folder, name, period, type, keyword and owner the values with their numbers of files, of some
-- files or of all for NULL. The rows are kept, without the vectors, while they are counted six ways.
WITH faceted AS MATERIALIZED (
    SELECT file_id, file_name, folder_path, drive_modified_at, document_period, mime_type, keywords, owner
    FROM drive_file_index WHERE %(file_ids)s::text[] IS NULL OR file_id = ANY(%(file_ids)s)
)
SELECT jsonb_build_object(
    'folder', (SELECT jsonb_agg(jsonb_build_array(value, n)) FROM (
        SELECT folder_path AS value, count(*) AS n FROM faceted WHERE folder_path <> '' GROUP BY 1) folders),
    'name', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT value, count(DISTINCT file_id) AS n FROM faceted, unnest(
            regexp_split_to_array(regexp_replace(file_name, '\.[^.]*$', ''), '[][_\s　・【】「」（）()]+')) AS value
        WHERE value ~ '[^[:digit:][:punct:]]{2}' GROUP BY 1 HAVING count(DISTINCT file_id) > 1
        ORDER BY 2 DESC, 1 LIMIT %(most_values)s) names),
    'period', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value DESC) FROM (
        SELECT to_char(month, 'YYYY-MM') AS value, count(*) AS n FROM faceted CROSS JOIN LATERAL (
            SELECT date_trunc('month', drive_modified_at AT TIME ZONE %(facet_time_zone)s::text) AS month
            UNION
            SELECT generate_series(
                date_trunc('month', lower(document_period)::timestamp),
                LEAST(upper(document_period)::timestamp - interval '1 day',
                      lower(document_period)::timestamp + make_interval(years => %(longest_period)s)),
                '1 month')
        ) AS months GROUP BY 1) periods),
    'type', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT mime_type AS value, count(*) AS n FROM faceted GROUP BY 1) types),
    'keyword', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT value, count(DISTINCT file_id) AS n FROM faceted, unnest(keywords) AS value GROUP BY 1
        ORDER BY 2 DESC, 1 LIMIT %(most_values)s) keywords),
    'owner', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT owner AS value, count(*) AS n FROM faceted WHERE owner IS NOT NULL GROUP BY 1) owners)
)

-- name: spread
-- In how many chunks each of some terms is, of so many in all.
SELECT k.term, k.document_frequency, t.chunks FROM keyword_total AS t
CROSS JOIN keyword_term AS k WHERE k.term = ANY(%(terms)s::text[])
