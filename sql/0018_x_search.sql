-- X search: sessions, posts stored once, and the scores of each session. Names and columns are the design's in snake_case.

-- Whoever asks. One row with a blank owner stands for everybody where nobody signs in. Deleting a row forgets a person.
CREATE TABLE x_search_user (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    owner      text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE x_search_session (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id         uuid NOT NULL REFERENCES x_search_user ON DELETE CASCADE,
    message_id      text NOT NULL CHECK (message_id <> ''),
    query           text NOT NULL CHECK (query <> ''),  -- the person's question
    model_id        varchar(64) NOT NULL,
    status          varchar(32) NOT NULL CHECK (status IN ('running', 'paused', 'done', 'failed')),
    progress        integer NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),  -- percent; never goes back
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    phase           text NOT NULL DEFAULT 'query_generation' CHECK (phase IN
                        ('query_generation', 'searching', 'embedding', 'ranking', 'reranking', 'saving')),
    language        text NOT NULL,
    source          text NOT NULL,  -- where posts come from: x, or sample
    page_size       integer NOT NULL CHECK (page_size BETWEEN 10 AND 100),
    budget          double precision NOT NULL CHECK (budget >= 0),  -- US dollars for posts
    reserved        double precision NOT NULL DEFAULT 0,  -- US dollars of the page under way
    model_cost      double precision NOT NULL DEFAULT 0,  -- US dollars
    reason          text NOT NULL DEFAULT '',  -- why it is paused or failed
    warnings        text[] NOT NULL DEFAULT '{}',
    reranker        text NOT NULL DEFAULT '',  -- whose scores these are; never mixed within a session
    answer          jsonb,
    phase_seconds   jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(phase_seconds) = 'object'),
    lease_owner     text,
    lease_until     timestamptz,
    resume_after    timestamptz,  -- X serves nothing before
    expires_at      timestamptz NOT NULL,
    UNIQUE (user_id, message_id)
);
CREATE INDEX idx_x_search_session_message ON x_search_session (message_id);
CREATE INDEX idx_x_search_session_expiry ON x_search_session (expires_at);

-- Each post once, whichever sessions and messages use it.
CREATE TABLE x_search_result (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    x_post_id       text NOT NULL UNIQUE CHECK (x_post_id ~ '^[0-9]{1,20}$'),
    content         text NOT NULL,
    embedding       vector(1536) CHECK (vector_norm(embedding) > 0),
    metadata        jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    embedding_model text CHECK ((embedding IS NULL) = (embedding_model IS NULL))
);
CREATE INDEX idx_x_search_result_post ON x_search_result (x_post_id);

CREATE TABLE x_search_result_message (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    result_id       uuid NOT NULL REFERENCES x_search_result ON DELETE CASCADE,
    session_id      uuid NOT NULL REFERENCES x_search_session ON DELETE CASCADE,
    message_id      text NOT NULL,
    embedding_score real CHECK (embedding_score BETWEEN 0 AND 1),
    rerank_score    real CHECK (rerank_score BETWEEN 0 AND 1),
    final_score     real CHECK (final_score BETWEEN 0 AND 1),
    created_at      timestamptz NOT NULL DEFAULT now(),
    query_ordinals  integer[] NOT NULL,  -- the queries that found it
    near_copy_of    text,  -- the post it is folded under
    rank            integer CHECK (rank > 0),
    UNIQUE (session_id, result_id)
);
CREATE INDEX idx_x_search_result_message ON x_search_result_message (message_id);
CREATE INDEX idx_x_search_result_scores ON x_search_result_message (session_id, final_score DESC);
CREATE INDEX idx_x_search_result_result ON x_search_result_message (result_id);

CREATE FUNCTION update_timestamp_column() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at = CURRENT_TIMESTAMP;
    RETURN NEW;
END;
$$;

CREATE TRIGGER update_x_search_session_updated_at BEFORE UPDATE ON x_search_session
    FOR EACH ROW EXECUTE FUNCTION update_timestamp_column();

CREATE TRIGGER update_x_search_result_updated_at BEFORE UPDATE ON x_search_result
    FOR EACH ROW EXECUTE FUNCTION update_timestamp_column();
