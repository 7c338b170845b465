-- name: terms_in_use
-- Those of the terms that texts hold, as (term, chunks).
SELECT term, document_frequency FROM keyword_term WHERE term = ANY (%(terms)s::text[]) AND document_frequency > 0
