-- name: files_called
-- The files in the scope with one of these names, as (file id, name).
SELECT f.file_id, f.file_name FROM drive_file_index AS f
WHERE f.name_key = ANY (%(keys)s)
  AND (%(passing)s::text[] IS NULL OR f.file_id IN (SELECT unnest(%(passing)s::text[])))

-- name: texts_with_terms
-- The texts and the names in the scope that hold all of the terms, as (file id, text).
SELECT c.file_id, c.text FROM file_chunk AS c
WHERE c.terms @> %(terms)s::text[]
  AND (%(passing)s::text[] IS NULL OR c.file_id IN (SELECT unnest(%(passing)s::text[])))
UNION ALL
SELECT f.file_id, f.file_name FROM drive_file_index AS f
WHERE f.name_terms @> %(terms)s::text[]
  AND (%(passing)s::text[] IS NULL OR f.file_id IN (SELECT unnest(%(passing)s::text[])))
LIMIT %(most_texts)s

-- name: terms_in_use
-- Those of the terms that texts hold which the reader may read, as (term, chunks).
SELECT k.term, k.document_frequency FROM term_in_index AS k
WHERE k.term = ANY (%(terms)s::text[]) AND k.document_frequency > 0
  AND (%(reader)s::text[] IS NULL
       OR EXISTS (SELECT FROM file_chunk AS c JOIN file_reader AS r USING (file_id)
                  WHERE c.terms @> ARRAY[k.term] AND r.principals && %(reader)s))
