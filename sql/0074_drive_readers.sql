-- Who may read the files of Google Drive: of each folder, so that other readers of it are noticed, and of each group.

ALTER TABLE folder_tree ADD COLUMN readers text[] NOT NULL DEFAULT '{}';  -- as access_list.principals

-- The members of groups that lists of readers name, as the directory told them. A group that stands not here lets
-- nobody in, but those that LOCATOR_GROUPS names.
CREATE TABLE access_group (
    name    text PRIMARY KEY CHECK (name LIKE 'group:%'),
    members text[] NOT NULL,  -- user:somebody@example.com, group:...
    read_at timestamptz NOT NULL  -- after two days it is not known any more who is in it
);
CREATE INDEX access_group_members ON access_group USING gin (members);
