-- name: count_chunks
-- Chunks and occurrences of terms that came or went. The row is locked from here on: writers queue here only.
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
