-- Of each folder, whom Google Drive let in when it was listed, as a hash: no list of changes may name a folder that
-- others may read now.

ALTER TABLE folder_tree ADD COLUMN access text NOT NULL DEFAULT '';

-- What was listed before does not say it: with readers, Drive is listed anew, once.
UPDATE drive_sync_state SET change_token = NULL
WHERE EXISTS (SELECT FROM access_list WHERE access_key <> '');
