-- How long people and programs waited: from the question, or the last answer to a narrowing question, to the results.

ALTER TABLE search_log ADD COLUMN seconds double precision;  -- NULL: recorded before it was measured
