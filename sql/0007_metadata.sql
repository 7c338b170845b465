-- What a program that fills the index of its own keeps beside a file, to filter and to find it again.

ALTER TABLE drive_file_index
    ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object');
CREATE INDEX drive_file_index_metadata ON drive_file_index USING gin (metadata jsonb_path_ops);
