-- name: counts
-- One JSON object: for folder (and every folder above), name, period, type, keyword, owner, last editor and drive the
-- values with their numbers of documents, of some files with the number of the document each of them is, or for NULL of
-- all files the reader may read. There a document is a hash of 64 bits, because to tell 100,000 keys of a hundred
-- letters apart takes most of the time: two of a million documents share one in one of 40 million indexes. The rows are
-- kept, without the vectors, while they are counted eight ways.
WITH faceted AS MATERIALIZED (
    SELECT file_name, folder_path, drive_modified_at, document_period, mime_type, keywords, owner, last_editor, drive,
           document
    FROM (
        SELECT * FROM unnest(%(file_ids)s::text[], %(documents)s::bigint[]) AS one (file_id, document)
        UNION ALL
        SELECT f.file_id, hashtextextended(COALESCE(d.document_key, f.file_id), 0) FROM drive_file_index AS f
        LEFT JOIN file_document AS d USING (file_id)
        WHERE %(file_ids)s::text[] IS NULL
          AND (%(reader)s::text[] IS NULL
               OR f.file_id IN (SELECT file_id FROM file_reader WHERE principals && %(reader)s))
    ) AS hit JOIN drive_file_index USING (file_id)
      LEFT JOIN (
          SELECT file_id, last_editor, drive FROM file_state WHERE last_editor IS NOT NULL OR drive IS NOT NULL
      ) AS told USING (file_id)
)
SELECT jsonb_build_object(
    'folder', (SELECT jsonb_agg(jsonb_build_array(value, n)) FROM (
        SELECT value, count(*) AS n FROM (
            SELECT DISTINCT array_to_string(parts[1:level], '/') AS value, document FROM (
                SELECT DISTINCT string_to_array(folder_path, '/') AS parts, document FROM faceted
                WHERE folder_path <> '') AS placed, generate_series(1, cardinality(parts)) AS level
        ) AS each GROUP BY 1) folders),
    'name', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT value, count(*) AS n FROM (
            SELECT DISTINCT value, document FROM faceted, unnest(
                string_to_array(translate(regexp_replace(file_name, '\.[^.]*$', ''), E'][_\t\n　・【】「」（）()',
                                          '               '), ' ')) AS value
            WHERE value ~ '[^[:digit:][:punct:]]{2}'
        ) AS each GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 DESC, 1 LIMIT %(most_values)s) names),
    'period', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value DESC) FROM (
        SELECT to_char(month, 'YYYY-MM') AS value, n FROM (SELECT month, count(*) AS n FROM (
            SELECT DISTINCT month, document FROM faceted CROSS JOIN LATERAL (
                SELECT date_trunc('month', drive_modified_at AT TIME ZONE %(facet_time_zone)s::text) AS month
                WHERE document_period IS NULL
                UNION ALL
                SELECT month FROM (
                    SELECT upper(document_period) - lower(document_period) AS days,
                           generate_series(date_trunc('month', lower(document_period)::timestamp),
                                           upper(document_period)::timestamp - interval '1 day', '1 month') AS month
                ) AS own
                WHERE days <= %(much_longer)s * ((month + interval '1 month')::date - month::date)
            ) AS months
        ) AS each GROUP BY 1) AS counted) periods),
    'type', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT mime_type AS value, count(DISTINCT document) AS n FROM faceted GROUP BY 1) types),
    'keyword', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT value, count(*) AS n FROM (
            SELECT DISTINCT value, document FROM faceted, unnest(keywords) AS value
        ) AS each GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %(most_values)s) keywords),
    'owner', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT owner AS value, count(DISTINCT document) AS n FROM faceted WHERE owner IS NOT NULL GROUP BY 1) owners),
    'editor', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT last_editor AS value, count(DISTINCT document) AS n FROM faceted
        WHERE last_editor IS NOT NULL GROUP BY 1) editors),
    'drive', (SELECT jsonb_agg(jsonb_build_array(value, n) ORDER BY n DESC, value) FROM (
        SELECT drive AS value, count(DISTINCT document) AS n FROM faceted WHERE drive IS NOT NULL GROUP BY 1) drives)
)

-- name: spread
-- In how many chunks each of some terms is, of so many in all.
SELECT k.term, k.document_frequency, t.chunks FROM index_total AS t
CROSS JOIN term_in_index AS k WHERE k.term = ANY(%(terms)s::text[])
