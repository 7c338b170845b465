-- name: take_turn
-- A row where nobody else is at the counts; until this transaction ends, nobody else will be.
SELECT FROM keyword_total FOR UPDATE SKIP LOCKED

-- name: leave_chunks
-- Chunks and occurrences of terms that came or went, for the next one that has its turn.
INSERT INTO keyword_total_change VALUES (%(chunks)s, %(occurrences)s)

-- name: leave_terms
-- The same for terms of more or fewer chunks than before.
INSERT INTO keyword_change SELECT * FROM unnest(%(terms)s::text[], %(by)s::integer[])

-- name: chunks_left
-- What others left of chunks and occurrences of terms, in all; it is gone from there.
WITH gone AS (DELETE FROM keyword_total_change RETURNING chunks, total_length)
SELECT COALESCE(sum(chunks), 0)::bigint, COALESCE(sum(total_length), 0)::bigint FROM gone

-- name: terms_left
-- What others left of terms, in all; it is gone from there.
WITH gone AS (DELETE FROM keyword_change RETURNING term, change)
SELECT term, sum(change)::integer FROM gone GROUP BY term

-- name: count_chunks
-- Chunks and occurrences of terms that came or went.
UPDATE keyword_total SET chunks = chunks + %(chunks)s, total_length = total_length + %(occurrences)s

-- name: add_terms
-- Terms of more chunks than before.
INSERT INTO keyword_term SELECT * FROM unnest(%(more)s::text[], %(by)s::integer[])
ON CONFLICT (term) DO UPDATE
SET document_frequency = keyword_term.document_frequency + EXCLUDED.document_frequency

-- name: take_terms
-- Terms of fewer chunks than before.
UPDATE keyword_term SET document_frequency = document_frequency - fewer.change
FROM unnest(%(fewer)s::text[], %(by)s::integer[]) AS fewer (term, change) WHERE keyword_term.term = fewer.term

-- name: forget_terms
-- Those of the terms that no chunk holds any more.
DELETE FROM keyword_term WHERE term = ANY(%(fewer)s) AND document_frequency = 0
