-- Every file belongs to a source root: a Drive target folder, or a local folder under a name of its own. A listing
-- speaks for its own root alone.

CREATE TABLE source_root (
    root_id   text PRIMARY KEY CHECK (root_id <> ''),
    source    text NOT NULL,
    name      text NOT NULL,
    listed_at timestamptz,  -- when its last listing came to its end
    listed    integer NOT NULL DEFAULT 0,  -- files that listing showed
    listed_by text NOT NULL DEFAULT '',  -- machine and home that made it
    problem   text NOT NULL DEFAULT '',  -- why the last attempt to list it failed
    unlisted  text[] NOT NULL DEFAULT '{}'  -- folders that listing could not look into
);

ALTER TABLE file_state
    ADD COLUMN root_id       text NOT NULL DEFAULT '',
    ADD COLUMN missing_since timestamptz;  -- not listed since, and kept until that is confirmed or seen again
CREATE INDEX file_state_root ON file_state (root_id);

-- Files of an earlier version. A path shown begins with the name of the root and a location with its path, so the
-- root is what is left of the location without the names they have in common. From here on a location is the path
-- inside the root. Locations that are no valid Unicode (file:// and percent signs) find their root when they are listed.
WITH parts AS (
    SELECT file_id, string_to_array(location, '/') AS place,
           COALESCE(array_length(string_to_array(folder_path, '/'), 1), 0) AS above
    FROM file_state WHERE source = 'local_folder' AND starts_with(location, '/')
), placed AS (
    SELECT file_id, array_to_string(place[1:array_length(place, 1) - above], '/') AS root,
           array_to_string(place[array_length(place, 1) - above + 1:], '/') AS inside
    FROM parts WHERE array_length(place, 1) > above
)
UPDATE file_state SET root_id = 'local_folder:' || normalize(root, NFC), location = inside
FROM placed WHERE placed.file_id = file_state.file_id AND root <> '';

WITH RECURSIVE below AS (
    SELECT folder_id, folder_id AS root FROM folder_tree WHERE is_root
    UNION
    SELECT folder.folder_id, below.root
    FROM folder_tree AS folder JOIN below ON below.folder_id = ANY (folder.parent_ids)
    WHERE NOT folder.is_root AND folder.target_id = ''
)
UPDATE file_state SET root_id = 'google_drive:' || below.root
FROM below WHERE file_state.source = 'google_drive' AND below.folder_id = ANY (file_state.parent_ids);

INSERT INTO source_root (root_id, source, name)
SELECT DISTINCT file_state.root_id, file_state.source,
       COALESCE(folder_tree.name, regexp_replace(file_state.root_id, '^[^:]*:', ''))
FROM file_state LEFT JOIN folder_tree ON 'google_drive:' || folder_tree.folder_id = file_state.root_id
WHERE file_state.root_id <> '';

-- Folders are those of a root, so that two homes with other target folders do not forget each other's. They are listed
-- once more.
DELETE FROM folder_tree;
ALTER TABLE folder_tree ADD COLUMN root_id text NOT NULL;
ALTER TABLE folder_tree DROP CONSTRAINT folder_tree_pkey, ADD PRIMARY KEY (root_id, folder_id);
UPDATE drive_sync_state SET change_token = NULL;

-- One row for each set of roots that is crawled together; `global` says when anything was crawled last.
ALTER TABLE drive_sync_state DROP CONSTRAINT drive_sync_state_id_check;
