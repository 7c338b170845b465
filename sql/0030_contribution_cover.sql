-- What the cover page of a change request says, by field.

ALTER TABLE contribution_document
    ADD COLUMN cover jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(cover) = 'object');
