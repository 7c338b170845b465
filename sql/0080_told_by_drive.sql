-- Last editors and drives of files, read out of the index alone where all files are counted by them. Files of folders
-- have neither, and no row here.

CREATE INDEX file_state_told ON file_state (file_id) INCLUDE (last_editor, drive)
    WHERE last_editor IS NOT NULL OR drive IS NOT NULL;
