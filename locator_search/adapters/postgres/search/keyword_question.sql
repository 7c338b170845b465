-- name: term_frequencies
-- How rare the terms are: a row for each, as (term, chunks that hold it, all chunks, their length in all, and of
-- document numbers the files that bear it, counted to one more than `most_bearers`). A term in no chunk may be in
-- names, where a document number often stands alone. Without terms, one row with the totals. To a reader, a term that
-- no readable file holds is in none: common ones are in the first chunks of `some_readable` files, and need not be
-- looked up, which gathers every chunk that holds them.
WITH seen AS MATERIALIZED (
    SELECT DISTINCT held.term FROM file_chunk AS c CROSS JOIN unnest(c.terms) AS held (term)
    WHERE c.file_id = ANY (%(some_readable)s::text[]) AND c.ordinal = 0 AND held.term = ANY (%(terms)s::text[])
)
SELECT q.term,
       CASE WHEN %(reader)s::text[] IS NULL OR q.term IN (SELECT term FROM seen)
              OR EXISTS (SELECT FROM file_chunk AS c JOIN file_reader AS r USING (file_id)
                         WHERE c.terms @> ARRAY[q.term] AND r.principals && %(reader)s)
              OR EXISTS (SELECT FROM drive_file_index AS f JOIN file_reader AS r USING (file_id)
                         WHERE f.name_terms @> ARRAY[q.term] AND r.principals && %(reader)s)
            THEN COALESCE(NULLIF(k.document_frequency, 0),
                          (SELECT count(*) FROM drive_file_index AS f WHERE f.name_terms @> ARRAY[q.term]))
            ELSE 0 END,
       t.chunks, t.total_length,
       CASE WHEN q.term = ANY (%(numbers)s::text[]) THEN (SELECT count(*) FROM (
           SELECT c.file_id FROM file_chunk AS c WHERE c.terms @> ARRAY[q.term] AND (%(reader)s::text[] IS NULL
               OR c.file_id IN (SELECT file_id FROM file_reader WHERE principals && %(reader)s))
           UNION
           SELECT f.file_id FROM drive_file_index AS f WHERE f.name_terms @> ARRAY[q.term]
             AND (%(reader)s::text[] IS NULL
                  OR f.file_id IN (SELECT file_id FROM file_reader WHERE principals && %(reader)s))
           LIMIT %(most_bearers)s + 1
       ) AS bearer) END
FROM index_total AS t
LEFT JOIN unnest(%(terms)s::text[]) AS q (term) ON true
LEFT JOIN (SELECT * FROM term_in_index WHERE term = ANY (%(terms)s::text[])) AS k USING (term)
