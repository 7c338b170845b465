-- 3GPP contributions: meetings, their contributions, the files in the archive and the documents read out of them. Chunks
-- and their index are drive_file_index and file_chunk of the same schema, one row per document (file_id = document_id).

CREATE TABLE contribution_meeting (
    meeting_id text PRIMARY KEY CHECK (meeting_id <> ''),  -- SA1#111
    group_name text NOT NULL,
    folder     text NOT NULL,  -- its path in the archive
    name       text NOT NULL DEFAULT '',
    synced_at  timestamptz
);

CREATE TABLE contribution (
    contribution_id  text PRIMARY KEY CHECK (contribution_id <> ''),  -- SA1#111/S1-254001
    meeting_id       text NOT NULL REFERENCES contribution_meeting ON DELETE CASCADE,
    number           text NOT NULL,  -- with the revision: S1-254001r01
    title            text NOT NULL DEFAULT '',
    source           text NOT NULL DEFAULT '',
    agenda_item      text NOT NULL DEFAULT '',
    kind             text NOT NULL DEFAULT '',
    status           text NOT NULL DEFAULT '',
    revision_of      text,
    revised_to       text,
    details          jsonb NOT NULL DEFAULT '{}',
    state            text NOT NULL DEFAULT 'listed'
                     CHECK (state IN ('listed', 'archived', 'normalised', 'indexed', 'skipped', 'failed')),
    reason           text NOT NULL DEFAULT '',
    pipeline_version text NOT NULL DEFAULT '',
    chunk_count      integer NOT NULL DEFAULT 0 CHECK (chunk_count >= 0),
    attempts         integer NOT NULL DEFAULT 0,
    updated_at       timestamptz NOT NULL DEFAULT now(),
    UNIQUE (meeting_id, number)
);
CREATE INDEX contribution_number ON contribution (number);

CREATE TABLE contribution_file (
    path            text PRIMARY KEY,  -- in the archive: the one thing that tells revisions and suffixes apart
    contribution_id text NOT NULL REFERENCES contribution ON DELETE CASCADE,
    size            bigint,
    modified_at     timestamptz,
    stored_as       text,
    sha256          text
);
CREATE INDEX contribution_file_contribution ON contribution_file (contribution_id);

CREATE TABLE contribution_document (
    document_id        text PRIMARY KEY CHECK (document_id <> ''),  -- SA1#111/S1-254001/S1-254001.zip!S1-254001.docx
    contribution_id    text NOT NULL REFERENCES contribution ON DELETE CASCADE,
    source_file        text NOT NULL,
    state              text NOT NULL,
    reason             text NOT NULL DEFAULT '',
    pages              text NOT NULL CHECK (pages IN ('exact', 'word_marks', 'rendition', 'none')),
    stored_as          text,
    converted          boolean NOT NULL,
    content_hash       text NOT NULL,
    normaliser_version text NOT NULL,
    document           jsonb NOT NULL  -- blocks with level, page and tracked changes
);
CREATE INDEX contribution_document_contribution ON contribution_document (contribution_id);
