-- A listing asks of thousands of files at a time whether they stand, and an index alone answers. It is unique for the
-- planner, which else reads the whole table where nothing is known of the column yet.

ALTER TABLE file_state ADD COLUMN mark uuid GENERATED ALWAYS AS (  -- NULL while something is to be done with the file
    CASE WHEN state NOT IN ('pending', 'out_of_scope') AND done_revision = revision AND missing_since IS NULL
    THEN md5(pipeline_version || E'\n' || file_id || E'\n' || root_id || E'\n' || revision || E'\n' || mime_type
             || E'\n' || folder_path || E'\n' || file_name || E'\n' || location || E'\n' || access_key)::uuid END
) STORED;
CREATE UNIQUE INDEX file_state_mark ON file_state (mark) INCLUDE (next_try_at);
