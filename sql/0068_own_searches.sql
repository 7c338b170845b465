-- Searches people come back to: those they asked last, and those they saved.

CREATE TABLE own_search (
    owner     text NOT NULL,  -- as of contribution_analysis
    search_id text NOT NULL,  -- the hash of question and filters
    question  text NOT NULL CHECK (question <> ''),
    filters   text NOT NULL,  -- as the address of the page says them
    asked_at  timestamptz NOT NULL DEFAULT now(),
    saved_at  timestamptz,  -- NULL: a recent one
    seen      text[],  -- the files that were hits when the person looked last; NULL: there were too many to tell
    PRIMARY KEY (owner, search_id)
);
CREATE INDEX own_search_asked ON own_search (owner, asked_at);
