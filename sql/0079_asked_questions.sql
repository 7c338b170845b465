-- Searches by their question, whatever its width and case: a hash, because a question may be longer than a key can be.

CREATE INDEX search_log_question ON search_log USING hash (lower(normalize(question, NFKC)));
