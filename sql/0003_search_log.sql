-- What was asked, how it ended, and what people thought of it.

CREATE TABLE search_log (
    search_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    question   text NOT NULL,
    surface    text NOT NULL,  -- page, command, library
    outcome    text NOT NULL,
    message    text NOT NULL,
    rounds     jsonb NOT NULL,  -- the decision path
    file_ids   text[] NOT NULL,  -- evidence shown, best first
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX search_log_created ON search_log (created_at);

CREATE TABLE search_feedback (
    search_id  bigint NOT NULL REFERENCES search_log ON DELETE CASCADE,
    file_id    text NOT NULL,
    useful     boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (search_id, file_id)
);
