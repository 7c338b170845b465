-- What is kept when a model answers wrongly: a file is indexed all the same, and the model is asked again later.

-- How many numbers an embedding of a model has: known from its first answer on. Embeddings are filled up with zeros to
-- the 1536 of the index, so a wrong length could not be seen afterwards.
CREATE TABLE embedding_width (
    model      text PRIMARY KEY,
    width      integer NOT NULL CHECK (width BETWEEN 1 AND 1536),
    learned_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE text_embedding ADD COLUMN width integer;  -- NULL: remembered before lengths were kept
-- These models are asked for a length, so it is known what they should have answered.
INSERT INTO embedding_width (model, width)
SELECT DISTINCT model, 1536 FROM text_embedding WHERE model LIKE 'text-embedding-3%' OR model = 'text-embedding-ada-002';

-- Questions a model gave no usable answer to, by the key their answer would have in model_answer.
CREATE TABLE model_refusal (
    key         text PRIMARY KEY,
    task        text NOT NULL,
    model       text NOT NULL,
    reason      text NOT NULL,
    attempts    integer NOT NULL CHECK (attempts > 0),
    next_try_at timestamptz,  -- NULL: not by itself any more
    updated_at  timestamptz NOT NULL DEFAULT now()
);

-- A file whose embeddings could not be had is found by its words.
ALTER TABLE drive_file_index
    ALTER COLUMN embedding DROP NOT NULL,
    ADD COLUMN summary_key text;  -- of the answer in model_answer that the summary came from
ALTER TABLE file_chunk ALTER COLUMN embedding DROP NOT NULL;

-- Why an indexed file has a stand-in for what a model should have made: the model refused this file, or was out of reach.
ALTER TABLE file_state
    ADD COLUMN stand_in text NOT NULL DEFAULT '' CHECK (stand_in IN ('', 'refused', 'unavailable'));
CREATE INDEX file_state_stand_in ON file_state (stand_in) WHERE stand_in <> '';
CREATE INDEX drive_file_index_without_embedding ON drive_file_index (file_id) WHERE embedding IS NULL;
