-- Files that are not in the index are found by their names: the terms of name and folder, the same as a vector, and the
-- period the name speaks of, as the index has them. NULL while a file is indexed, and until its name is analysed.
ALTER TABLE file_state
    ADD COLUMN name_terms      text[],
    ADD COLUMN name_weights    sparsevec,
    ADD COLUMN document_period daterange;

CREATE INDEX file_state_name_terms ON file_state USING gin (name_terms) WHERE state NOT IN ('indexed', 'out_of_scope');
CREATE INDEX file_state_unnamed ON file_state (file_id)
    WHERE name_terms IS NULL AND state NOT IN ('indexed', 'out_of_scope');
