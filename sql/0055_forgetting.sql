-- What is remembered of files that are gone is forgotten after a while (LOCATOR_FORGET_DAYS).

-- Since when no file in the index needs a text, an answer or an embedding; NULL while one does.
ALTER TABLE extracted_text ADD COLUMN unused_since timestamptz;
ALTER TABLE model_answer ADD COLUMN unused_since timestamptz;
ALTER TABLE text_embedding ADD COLUMN unused_since timestamptz;

-- When work that is done now and then was done last.
CREATE TABLE upkeep_run (
    name        text PRIMARY KEY,
    finished_at timestamptz NOT NULL
);
