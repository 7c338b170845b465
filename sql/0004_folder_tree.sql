-- Sources that tell what changed: the folders in scope, so that a change is placed without asking the source.

-- A folder in scope, or a shortcut that lies in one.
CREATE TABLE folder_tree (
    folder_id    text PRIMARY KEY CHECK (folder_id <> ''),
    name         text NOT NULL,
    parent_ids   text[] NOT NULL,
    drive_id     text NOT NULL,  -- empty outside shared drives; of a shortcut, that of its target
    resource_key text NOT NULL,
    target_id    text NOT NULL,  -- what a shortcut leads to, empty for a folder
    is_root      boolean NOT NULL  -- named by a person; paths begin here
);
CREATE INDEX folder_tree_parents ON folder_tree USING gin (parent_ids);
CREATE INDEX folder_tree_target ON folder_tree (target_id) WHERE target_id <> '';

ALTER TABLE file_state ADD COLUMN parent_ids text[] NOT NULL DEFAULT '{}';  -- folders of the source it lies in
CREATE INDEX file_state_parents ON file_state USING gin (parent_ids);

-- What waits for work is found without reading what does not. A failed file waits for the time of its next try.
ALTER TABLE file_state ADD COLUMN waits boolean GENERATED ALWAYS AS (
    state IN ('pending', 'out_of_scope') OR done_revision IS DISTINCT FROM revision OR next_try_at IS NOT NULL
) STORED;
CREATE INDEX file_state_waiting ON file_state (file_id) WHERE waits;
CREATE INDEX file_state_pipeline ON file_state (pipeline_version);

-- A position in the changes is kept from the first full listing on, before any crawl has come to its end.
ALTER TABLE drive_sync_state
    ALTER COLUMN mode DROP NOT NULL,
    ALTER COLUMN started_at DROP NOT NULL,
    ALTER COLUMN finished_at DROP NOT NULL,
    ALTER COLUMN listed DROP NOT NULL;
