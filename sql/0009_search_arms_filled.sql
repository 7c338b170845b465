-- Every row has what the arms look at from here on.

ALTER TABLE file_chunk
    ALTER COLUMN weights     SET NOT NULL,
    ALTER COLUMN mean_length SET NOT NULL;
ALTER TABLE drive_file_index
    ALTER COLUMN name_weights SET NOT NULL,
    ALTER COLUMN name_key     SET NOT NULL;

CREATE INDEX file_chunk_terms ON file_chunk USING gin (terms);
CREATE INDEX drive_file_index_name_key ON drive_file_index (name_key);
