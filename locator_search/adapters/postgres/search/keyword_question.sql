-- name: term_frequencies
-- How rare the terms are: a row for each, as (term, chunks that hold it, all chunks, their length in all, of document
-- numbers the files that bear it, counted to one more than `most_bearers`, and of a term in no chunk the names that
-- hold it, where a document number often stands alone). Names are not counted for the terms of `names_counted`.
-- Without terms, one row with the totals. To a reader, a term that no readable file holds is in none, and its chunks
-- are NULL: common ones are in the first chunks of `some_readable` files, and need not be looked up, which gathers
-- every chunk that holds them.
WITH seen AS MATERIALIZED (
    SELECT DISTINCT held.term FROM file_chunk AS c CROSS JOIN unnest(c.terms) AS held (term)
    WHERE c.file_id = ANY (%(some_readable)s::text[]) AND c.ordinal = 0 AND held.term = ANY (%(terms)s::text[])
)
SELECT asked.term, CASE WHEN asked.is_readable THEN asked.held END, t.chunks, t.total_length,
       CASE WHEN asked.term = ANY (%(numbers)s::text[]) THEN (SELECT count(*) FROM (
           SELECT c.file_id FROM file_chunk AS c WHERE c.terms @> ARRAY[asked.term] AND (%(reader)s::text[] IS NULL
               OR c.file_id IN (SELECT file_id FROM file_reader WHERE principals && %(reader)s))
           UNION
           SELECT f.file_id FROM drive_file_index AS f WHERE f.name_terms @> ARRAY[asked.term]
             AND (%(reader)s::text[] IS NULL
                  OR f.file_id IN (SELECT file_id FROM file_reader WHERE principals && %(reader)s))
           LIMIT %(most_bearers)s + 1
       ) AS bearer) END,
       CASE WHEN asked.is_readable AND asked.held = 0 AND NOT asked.term = ANY (%(names_counted)s::text[])
            THEN (SELECT count(*) FROM drive_file_index AS f WHERE f.name_terms @> ARRAY[asked.term]) END
FROM index_total AS t
LEFT JOIN (
    SELECT q.term, COALESCE(k.document_frequency, 0) AS held,
           %(reader)s::text[] IS NULL OR q.term IN (SELECT term FROM seen)
           OR EXISTS (SELECT FROM file_chunk AS c JOIN file_reader AS r USING (file_id)
                      WHERE c.terms @> ARRAY[q.term] AND r.principals && %(reader)s)
           OR EXISTS (SELECT FROM drive_file_index AS f JOIN file_reader AS r USING (file_id)
                      WHERE f.name_terms @> ARRAY[q.term] AND r.principals && %(reader)s) AS is_readable
    FROM unnest(%(terms)s::text[]) AS q (term)
    LEFT JOIN (SELECT * FROM term_in_index WHERE term = ANY (%(terms)s::text[])) AS k USING (term)
    OFFSET 0
) AS asked ON true
