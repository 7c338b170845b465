-- Questions handed to the model service as batches, at half price, whose answers are collected later.

CREATE TABLE model_batch (
    number         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token          text NOT NULL UNIQUE DEFAULT gen_random_uuid()::text,  -- sent along, so that a lost batch is found
    batch_id       text,  -- as the service names it, NULL until it was accepted
    model          text NOT NULL,
    task           text NOT NULL,
    prompt_version text NOT NULL,
    requests       integer NOT NULL,
    estimated_cost double precision NOT NULL,  -- US dollars at most; 0 where no price is known
    ended          text NOT NULL DEFAULT '',  -- how, in one word; empty while it is waited for
    answered       integer NOT NULL DEFAULT 0,
    submitted_at   timestamptz NOT NULL,
    ended_at       timestamptz
);
CREATE INDEX model_batch_open ON model_batch (number) WHERE ended = '';

-- Which files wait for which answer. The rows go when the batch has ended.
CREATE TABLE model_batch_file (
    batch   bigint NOT NULL REFERENCES model_batch ON DELETE CASCADE,
    file_id text NOT NULL,
    key     text NOT NULL,  -- of the answer in model_answer
    PRIMARY KEY (batch, file_id)
);
