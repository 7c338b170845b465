-- Tracked changes of a chunk, and what analyses of contributions came to.

ALTER TABLE file_chunk
    ADD COLUMN changes jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(changes) = 'array');  -- [[kind, text, offset, author, changed_at]]

CREATE TABLE contribution_analysis (
    analysis_id      text PRIMARY KEY CHECK (analysis_id <> ''),
    owner            text NOT NULL,  -- who asked for it; '' where nobody signs in
    kind             text NOT NULL CHECK (kind IN ('single', 'comparison', 'revisions')),
    contribution_ids text[] NOT NULL,
    language         text NOT NULL,
    provider         text NOT NULL,  -- what the evidence came from
    chat_model       text NOT NULL,
    result           jsonb NOT NULL,  -- claims with citations, evidence, changes, queries
    model_calls      integer NOT NULL DEFAULT 0,
    tokens           bigint NOT NULL DEFAULT 0,
    cost             double precision NOT NULL DEFAULT 0,  -- USD
    created_at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX contribution_analysis_owner ON contribution_analysis (owner, created_at DESC);
