-- name: folders
-- The named folders and shortcuts of some roots, of all for NULL, as the fields of Folder.
SELECT folder_id, name, parent_ids, drive_id, resource_key, target_id, is_root, root_id, readers, access
FROM folder_tree
WHERE folder_id = ANY(%(ids)s) AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)) ORDER BY folder_id

-- name: below
-- Folders and shortcuts of some roots directly in the named folders, as the fields of Folder.
SELECT folder_id, name, parent_ids, drive_id, resource_key, target_id, is_root, root_id, readers, access
FROM folder_tree
WHERE parent_ids && %(ids)s::text[] AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)) ORDER BY folder_id

-- name: shortcuts_to
-- Shortcuts of some roots that lead to the named files and folders, as the fields of Folder.
SELECT folder_id, name, parent_ids, drive_id, resource_key, target_id, is_root, root_id, readers, access
FROM folder_tree
WHERE target_id <> '' AND target_id = ANY(%(ids)s) AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
ORDER BY folder_id

-- name: files_in
-- Listed files of some roots directly in the named folders, as the fields of FileRef.
SELECT file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location, size, owner,
       last_editor, drive, parent_ids, root_id,
       (SELECT principals FROM access_list WHERE access_list.access_key = file_state.access_key) AS readers
FROM file_state
WHERE parent_ids && %(ids)s::text[] AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)) ORDER BY file_id

-- name: keep_only
-- Deletes the folders of some roots except these pairs of root and folder.
DELETE FROM folder_tree
WHERE (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
  AND (root_id, folder_id) NOT IN (SELECT * FROM unnest(%(kept_roots)s::text[], %(kept_folders)s::text[]))

-- name: remove
-- Deletes folders of some roots.
DELETE FROM folder_tree
WHERE (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)) AND folder_id = ANY(%(removed)s)

-- name: move
-- A folder that moved into another root belongs to that one alone: deletes the rows of the roots it left.
DELETE FROM folder_tree USING unnest(%(kept_roots)s::text[], %(kept_folders)s::text[]) AS put (root_id, folder_id)
WHERE folder_tree.folder_id = put.folder_id AND folder_tree.root_id <> put.root_id
  AND (%(roots)s::text[] IS NULL OR folder_tree.root_id = ANY(%(roots)s))

-- name: put
-- One folder of one root.
INSERT INTO folder_tree (folder_id, name, parent_ids, drive_id, resource_key, target_id, is_root, root_id, readers,
                         access)
VALUES (%(folder_id)s, %(name)s, %(parent_ids)s, %(drive_id)s, %(resource_key)s, %(target_id)s, %(is_root)s,
        %(root_id)s, %(readers)s, %(access)s)
ON CONFLICT (root_id, folder_id) DO UPDATE SET
    name = EXCLUDED.name, parent_ids = EXCLUDED.parent_ids, drive_id = EXCLUDED.drive_id,
    resource_key = EXCLUDED.resource_key, target_id = EXCLUDED.target_id, is_root = EXCLUDED.is_root,
    readers = EXCLUDED.readers, access = EXCLUDED.access

-- name: position
-- The place in the changes of a source as the fields of FeedPosition; no row before the first full listing.
SELECT change_token, folder_fingerprint FROM drive_sync_state WHERE id = %(id)s AND change_token IS NOT NULL

-- name: last_full_at
-- When everything was last listed.
SELECT last_full_at FROM drive_sync_state WHERE id = %(id)s

-- name: save_position
-- The place in the changes. `drive_modified_at` says how far the index is complete: with a position alone, not at all
-- yet.
INSERT INTO drive_sync_state (id, drive_modified_at, change_token, folder_fingerprint, last_full_at)
VALUES (%(id)s, 'epoch', %(cursor)s, %(scope)s, %(full_at)s)
ON CONFLICT (id) DO UPDATE SET
    change_token = EXCLUDED.change_token, folder_fingerprint = EXCLUDED.folder_fingerprint,
    last_full_at = COALESCE(EXCLUDED.last_full_at, drive_sync_state.last_full_at)
