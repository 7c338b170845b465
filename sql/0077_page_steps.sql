-- Steps of searches on pages, so that a search goes on at another page, or after one was started anew.

CREATE TABLE page_step (
    key     text PRIMARY KEY,  -- the hash of the id in the address and of who reads: neither can be told from it
    step    text NOT NULL,  -- JSON: question, filters and the log of the search
    kept_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX page_step_kept ON page_step (kept_at);
