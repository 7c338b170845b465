-- A permission that ends lets nobody in from that moment on, without anybody being told of it.

ALTER TABLE access_list
    ADD COLUMN ending text[],  -- whom its principals of the form "user:somebody@example.com until TIME" let in
    ADD COLUMN ends timestamptz[],  -- and until when, in the same order
    ADD CHECK (cardinality(ending) = cardinality(ends));
CREATE INDEX access_list_ending ON access_list (access_key) WHERE ending IS NOT NULL;

-- Whom a list lets in now: a row for those it lets in for good, and where it has others, one for those whose time has
-- not come. Two rows, because the server knows how many files the first of them opens and plans by it.
CREATE VIEW access_now AS
SELECT access_key, principals FROM access_list
UNION ALL
SELECT access_key, ARRAY(SELECT name FROM unnest(ending, ends) AS one (name, until) WHERE until > now())
FROM access_list WHERE ending IS NOT NULL;

CREATE OR REPLACE VIEW file_reader AS
SELECT file_id, access_key, principals FROM file_state JOIN access_now USING (access_key);

-- What was listed before does not say when it ends: Drive is listed anew, once.
UPDATE drive_sync_state SET change_token = NULL
WHERE EXISTS (SELECT FROM access_list WHERE access_key <> '');
