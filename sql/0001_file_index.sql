-- The searchable index: one row per file, its chunks, and the statistics keyword ranking needs.
-- Released migrations are never edited: a change is a new file.

CREATE EXTENSION IF NOT EXISTS vector;

-- What the index was made with. One row; vectors of another model or dimension are refused, never mixed.
CREATE TABLE index_profile (
    id              text PRIMARY KEY DEFAULT 'global' CHECK (id = 'global'),
    embedding_model text NOT NULL,
    dimensions      integer NOT NULL CHECK (dimensions > 0),
    calibration     jsonb,  -- anchors measured on this index; NULL: the shipped profile of the model
    updated_at      timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE drive_file_index (
    file_id           text PRIMARY KEY CHECK (file_id <> ''),
    file_name         text NOT NULL,
    summary           text NOT NULL,
    keywords          text[],
    -- A zero vector has the cosine distance NaN, which sorts above every number and would count as a hit.
    embedding         vector(1536) NOT NULL CHECK (vector_norm(embedding) > 0),
    drive_modified_at timestamptz NOT NULL,
    mime_type         text NOT NULL,
    source            text NOT NULL,
    link              text NOT NULL,
    folder_path       text NOT NULL,
    location          text NOT NULL,
    revision          text NOT NULL,
    size              bigint,
    owner             text,
    document_period   daterange,  -- the period the file speaks of, read from its name
    name_terms        text[] NOT NULL,  -- keyword terms of name, keywords and folder
    content_hash      text NOT NULL,
    parser_version    text NOT NULL,
    chunker_version   text NOT NULL,
    embedding_model   text NOT NULL,
    chat_model        text NOT NULL,
    indexed_at        timestamptz NOT NULL DEFAULT now()
) WITH (toast_tuple_target = 8160);
-- In line, not in TOAST: scans over all vectors are two to three times faster. Beside 6 kB of vector, the usual target
-- of 2 kB would send every other column to TOAST, ids included; with 8160 only the long ones go.
ALTER TABLE drive_file_index ALTER COLUMN embedding SET STORAGE PLAIN;

CREATE INDEX drive_file_index_modified ON drive_file_index (drive_modified_at);
CREATE INDEX drive_file_index_content ON drive_file_index (content_hash);  -- a copy takes over embeddings
CREATE INDEX drive_file_index_name_terms ON drive_file_index USING gin (name_terms);

-- The original design starts with `USING ivfflat (embedding vector_cosine_ops) WITH (lists = 100, probes = 10)`.
-- PostgreSQL refuses that line (probes is a session setting, `SET LOCAL ivfflat.probes = 10`), and an approximate
-- index returns too few rows under filters, while the search branches on exact counts. So vectors are scanned.

CREATE TABLE file_chunk (
    chunk_id        text PRIMARY KEY,
    file_id         text NOT NULL REFERENCES drive_file_index ON DELETE CASCADE,
    ordinal         integer NOT NULL CHECK (ordinal >= 0),
    text            text NOT NULL,
    heading_path    text[] NOT NULL,
    clause          text,
    page            integer CHECK (page > 0),
    char_start      integer NOT NULL CHECK (char_start >= 0),
    char_end        integer NOT NULL CHECK (char_end >= char_start),
    embedding       vector(1536) NOT NULL CHECK (vector_norm(embedding) > 0),
    -- The terms twice, each in the form its reader is fast with: the GIN index finds chunks by `terms`, BM25 looks up
    -- single frequencies (three times faster than walking a parallel array).
    terms           text[] NOT NULL,
    frequencies     jsonb NOT NULL CHECK (jsonb_typeof(frequencies) = 'object'),  -- term -> occurrences
    length          integer NOT NULL CHECK (length >= 0),  -- occurrences of all terms
    chunker_version text NOT NULL,
    UNIQUE (file_id, ordinal)
) WITH (toast_tuple_target = 8160);
ALTER TABLE file_chunk ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX file_chunk_terms ON file_chunk USING gin (terms);

-- BM25 statistics over chunks, kept exact in the transaction that changes the chunks.
CREATE TABLE keyword_term (
    term               text PRIMARY KEY,
    document_frequency integer NOT NULL CHECK (document_frequency >= 0)
) WITH (fillfactor = 70);

CREATE TABLE keyword_total (
    id           text PRIMARY KEY DEFAULT 'global' CHECK (id = 'global'),
    chunks       bigint NOT NULL DEFAULT 0 CHECK (chunks >= 0),
    total_length bigint NOT NULL DEFAULT 0 CHECK (total_length >= 0)
);
INSERT INTO keyword_total DEFAULT VALUES;
