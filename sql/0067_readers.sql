-- Who may read a file. Most files of a folder have the same readers, so every list of readers is kept once; a file
-- without one is read by nobody.

CREATE TABLE access_list (
    access_key text PRIMARY KEY,  -- the hash of its principals
    principals text[] NOT NULL  -- user:somebody@example.com, group:..., domain:example.com, anyone
);
INSERT INTO access_list (access_key, principals) VALUES ('', '{}');

ALTER TABLE file_state ADD COLUMN access_key text NOT NULL DEFAULT '' REFERENCES access_list;
CREATE INDEX file_state_access ON file_state (access_key);

CREATE VIEW file_reader AS
SELECT file_id, access_key, principals FROM file_state JOIN access_list USING (access_key);
