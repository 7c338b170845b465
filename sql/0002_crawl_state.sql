-- What the crawl knows: every listed file with its one state, the last sync, and answers that are never paid twice.

-- Dagster keeps its own tables apart from ours.
CREATE SCHEMA IF NOT EXISTS dagster;

CREATE TABLE file_state (
    file_id          text PRIMARY KEY CHECK (file_id <> ''),
    state            text NOT NULL DEFAULT 'pending'
                     CHECK (state IN ('pending', 'indexed', 'skipped', 'failed', 'out_of_scope', 'no_access')),
    reason           text NOT NULL DEFAULT '',
    file_name        text NOT NULL,
    source           text NOT NULL,
    mime_type        text NOT NULL,
    modified_at      timestamptz NOT NULL,
    revision         text NOT NULL,
    link             text NOT NULL,
    folder_path      text NOT NULL,
    location         text NOT NULL,
    size             bigint,
    owner            text,
    done_revision    text,  -- the revision `state` speaks of
    pipeline_version text NOT NULL DEFAULT '',
    parser_version   text NOT NULL DEFAULT '',
    content_hash     text,
    attempts         integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),  -- failures in a row
    next_try_at      timestamptz,
    seen_at          timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX file_state_state ON file_state (state, updated_at DESC);
CREATE INDEX file_state_source ON file_state (source);

CREATE TABLE drive_sync_state (
    id                 text PRIMARY KEY DEFAULT 'global' CHECK (id = 'global'),
    drive_modified_at  timestamptz NOT NULL,  -- newest modification time covered; never moves backward
    mode               text NOT NULL,
    started_at         timestamptz NOT NULL,
    finished_at        timestamptz NOT NULL,
    listed             integer NOT NULL,
    last_full_at       timestamptz,  -- last complete reconciliation
    change_token       text,  -- where the source's changes feed goes on
    folder_fingerprint text  -- the target folders the token belongs to
);

-- What was read out of a content. An attempt is counted before the work begins, so a file that kills its reader is
-- known; the other columns are NULL until the reader has answered.
CREATE TABLE extracted_text (
    content_hash   text NOT NULL,
    parser_version text NOT NULL,
    attempts       integer NOT NULL DEFAULT 0,
    state          text,
    reason         text,
    document       jsonb,
    seconds        double precision,
    created_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (content_hash, parser_version)
);

CREATE TABLE model_answer (
    key            text PRIMARY KEY,
    task           text NOT NULL,
    prompt_version text NOT NULL,
    model          text NOT NULL,
    answer         text NOT NULL,  -- JSON as the model gave it
    tokens         integer NOT NULL DEFAULT 0,
    cost           numeric(12, 6) NOT NULL DEFAULT 0,  -- US dollars
    created_at     timestamptz NOT NULL DEFAULT now()
);
