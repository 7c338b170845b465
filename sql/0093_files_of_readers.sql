-- The files of some lists of readers are read out of the index alone: every search of a person begins with them.

DROP INDEX file_state_access;
CREATE INDEX file_state_access ON file_state (access_key, file_id);
