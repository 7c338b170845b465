-- name: is_read_whole
-- Whether a reader may read every file: whether no list of readers that a file has leaves the reader out.
SELECT NOT EXISTS (
    SELECT FROM access_list AS every
    WHERE every.access_key NOT IN (SELECT access_key FROM access_now WHERE principals && %(reader)s)
      AND EXISTS (SELECT FROM file_state WHERE file_state.access_key = every.access_key)
)

-- name: passing
-- The ids of the files that pass, how many files there are in all, the same ids as PostgreSQL writes them, and so those
-- of the chunks that pass (NULL where files are searched, or no chunk is left out). A NULL value limits nothing. Where
-- clearly not all pass, all are as many as PostgreSQL last counted: to count them takes longer than to find few.
WITH passing AS MATERIALIZED (
    SELECT f.file_id FROM drive_file_index AS f
    WHERE (%(modified_after)s::timestamptz IS NULL OR f.drive_modified_at >= %(modified_after)s)
      AND (%(modified_before)s::timestamptz IS NULL OR f.drive_modified_at < %(modified_before)s)
      AND (%(period_start)s::date IS NULL
           OR f.document_period && daterange(%(period_start)s::date, %(period_end)s::date)
              AND upper(f.document_period) - lower(f.document_period) <= %(longest_period)s
           OR %(by_change)s AND f.document_period IS NULL
              AND f.drive_modified_at >= %(period_start)s::date::timestamp AT TIME ZONE %(time_zone)s::text
              AND f.drive_modified_at < %(period_end)s::date::timestamp AT TIME ZONE %(time_zone)s::text)
      AND (%(mime_types)s::text[] IS NULL OR f.mime_type = ANY (%(mime_types)s))
      -- With the slash on both sides, or 営業 would contain 営業企画.
      AND (%(folders)s::text[] IS NULL OR EXISTS (
          SELECT FROM unnest(%(folders)s) AS folder WHERE starts_with(f.folder_path || '/', folder)))
      AND (%(owners)s::text[] IS NULL OR f.owner = ANY (%(owners)s))
      AND (%(editors)s::text[] IS NULL
           OR f.file_id IN (SELECT file_id FROM file_state WHERE last_editor = ANY (%(editors)s)))
      AND (%(drives)s::text[] IS NULL OR f.file_id IN (SELECT file_id FROM file_state WHERE drive = ANY (%(drives)s)))
      AND (%(keywords)s::text[] IS NULL OR f.keywords @> %(keywords)s)
      -- `index/facets.sql` counts the same parts of names.
      AND (%(names)s::text[] IS NULL OR regexp_split_to_array(
          regexp_replace(f.file_name, '\.[^.]*$', ''), '[][_\s　・【】「」（）()]+') @> %(names)s)
      AND (%(file_ids)s::text[] IS NULL OR f.file_id = ANY (%(file_ids)s))
      AND (%(meetings)s::text[] IS NULL OR f.metadata ->> 'meeting' = ANY (%(meetings)s))
      AND (%(contribution_numbers)s::text[] IS NULL
           OR f.metadata ->> 'contribution_number' = ANY (%(contribution_numbers)s))
      AND (%(metadata)s::jsonpath IS NULL OR f.metadata @@ %(metadata)s::jsonpath)
      AND (%(left_out)s::text[] IS NULL OR f.file_id <> ALL (%(left_out)s))
      AND (%(reader)s::text[] IS NULL
           OR f.file_id IN (SELECT file_id FROM file_reader WHERE principals && %(reader)s))
),
passing_chunk AS MATERIALIZED (
    SELECT c.file_id, c.chunk_id FROM passing JOIN file_chunk AS c USING (file_id)
    WHERE %(of_chunks)s
      -- The clause itself, or one below it: with the dot, or 5.2 would contain 5.21. Of Annex A, A.1 is below it.
      AND (%(clauses)s::text[] IS NULL OR c.clause = ANY (%(clauses)s) OR EXISTS (
          SELECT FROM unnest(%(clauses_above)s::text[]) AS above WHERE starts_with(c.clause, above)))
      AND (NOT %(changed)s OR c.changes <> '[]')
),
found AS MATERIALIZED (
    SELECT ARRAY(
        SELECT file_id FROM passing WHERE NOT %(of_chunks)s UNION ALL SELECT DISTINCT file_id FROM passing_chunk
    ) AS file_ids
)
SELECT file_ids,
       CASE WHEN cardinality(file_ids) < 0.9 * about.files THEN about.files
            ELSE (SELECT count(*) FROM drive_file_index) END,
       file_ids::text,
       CASE WHEN %(of_chunks)s AND %(for_chunks)s THEN ARRAY(SELECT chunk_id FROM passing_chunk)::text END
FROM found, (SELECT reltuples::bigint AS files FROM pg_class WHERE oid = 'drive_file_index'::regclass) AS about

-- name: readable
-- How many files a reader may read, of how many in all (about), their ids as PostgreSQL writes them, NULL for the
-- chunks, and the first ids.
SELECT cardinality(file_ids),
       CASE WHEN cardinality(file_ids) < 0.9 * about.files THEN about.files
            ELSE (SELECT count(*) FROM drive_file_index) END,
       file_ids::text, NULL::text, file_ids[:%(most)s]
FROM (SELECT reltuples::bigint AS files FROM pg_class WHERE oid = 'drive_file_index'::regclass) AS about, (
    SELECT ARRAY(
        SELECT file_id FROM file_state
        WHERE access_key = ANY (ARRAY(SELECT access_key FROM access_now WHERE principals && %(reader)s))
    ) AS file_ids OFFSET 0
) AS every

-- name: spelled_otherwise
-- The files that hold a word in some form, but not as it is written. Whoever holds it in any spelling holds one of its
-- terms: few texts are read.
SELECT file_id FROM (
    SELECT c.file_id, c.text AS written FROM file_chunk AS c WHERE c.terms && %(terms)s::text[]
    UNION ALL
    SELECT f.file_id, concat_ws(' ', f.file_name, f.folder_path, array_to_string(f.keywords, ' '))
    FROM drive_file_index AS f WHERE f.name_terms && %(terms)s::text[]
) AS held
GROUP BY file_id HAVING bool_or(written ~* %(in_any_form)s) AND NOT bool_or(written ~* %(as_written)s)
