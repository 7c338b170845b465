-- The key of the Dagster partition of a file: its name and folder as people read them, made unique by a short hash of the
-- id. NULL: it has no partition yet. Where it is still the id, an earlier version made it, and it is renamed once.
ALTER TABLE file_state ADD COLUMN partition_key text;
UPDATE file_state SET partition_key = file_id WHERE state NOT IN ('pending', 'skipped');

CREATE UNIQUE INDEX file_state_partition_key ON file_state (partition_key);
CREATE INDEX file_state_partition_to_rename ON file_state (file_id) WHERE partition_key = file_id;
