-- What models cost: everything ever asked of them, and the embeddings that are never paid twice.

CREATE TABLE model_usage (
    day           date NOT NULL DEFAULT current_date,
    task          text NOT NULL,  -- of the prompt, or `embed`
    model         text NOT NULL,
    calls         bigint NOT NULL,
    input_tokens  bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cost          double precision NOT NULL,  -- US dollars; 0 where no price is known
    PRIMARY KEY (day, task, model)
);

-- Of paid models only. It outlives the file: an edited file pays for the chunks that changed.
CREATE TABLE text_embedding (
    model      text NOT NULL,
    key        text NOT NULL,  -- SHA-256 of purpose and text
    embedding  vector NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (model, key)
);

-- A short answer costs less than a millionth of a dollar.
ALTER TABLE model_answer ALTER COLUMN cost TYPE double precision;

ALTER TABLE search_log
    ADD COLUMN model_calls integer NOT NULL DEFAULT 0,
    ADD COLUMN tokens      bigint NOT NULL DEFAULT 0,
    ADD COLUMN cost        double precision NOT NULL DEFAULT 0;  -- US dollars
