-- name: terms_in_use
-- Those of the terms that texts hold which the reader may read, as (term, chunks).
SELECT k.term, k.document_frequency FROM keyword_term AS k
WHERE k.term = ANY (%(terms)s::text[]) AND k.document_frequency > 0
  AND (%(reader)s::text[] IS NULL
       OR EXISTS (SELECT FROM file_chunk AS c JOIN file_reader AS r USING (file_id)
                  WHERE c.terms @> ARRAY[k.term] AND r.principals && %(reader)s))
