-- What makes a session of X search survive: its queries with their cursors, each page once, what was bought, what happened.

CREATE TABLE x_search_query (
    session_id uuid NOT NULL REFERENCES x_search_session ON DELETE CASCADE,
    ordinal    integer NOT NULL CHECK (ordinal > 0),
    text       text NOT NULL CHECK (length(text) BETWEEN 1 AND 512),
    status     text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'done', 'failed', 'skipped')),
    reason     text NOT NULL DEFAULT '',
    next_token text,  -- where its next page begins
    pages      integer NOT NULL DEFAULT 0,
    fetched    integer NOT NULL DEFAULT 0,  -- posts it returned
    fresh      integer NOT NULL DEFAULT 0,  -- of them, those no query of the session had returned before
    restarted  boolean NOT NULL DEFAULT false,  -- its cursor was refused once
    PRIMARY KEY (session_id, ordinal)
);

-- A row for every page that was committed; the key lets none be committed twice.
CREATE TABLE x_search_page (
    session_id uuid NOT NULL,
    ordinal    integer NOT NULL,
    page       integer NOT NULL CHECK (page > 0),
    posts      integer NOT NULL,
    fresh      integer NOT NULL,
    cost       double precision NOT NULL,  -- US dollars
    seconds    double precision NOT NULL,  -- that X took
    fetched_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (session_id, ordinal, page),
    FOREIGN KEY (session_id, ordinal) REFERENCES x_search_query ON DELETE CASCADE
);

-- What was bought. X bills a post once per UTC day, so there is one row per day and post (or user that came along).
-- The rows outlive their session: the spend meter forgets nothing.
CREATE TABLE x_purchase (
    day        date NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('post', 'user')),
    bought_id  text NOT NULL,
    price      double precision NOT NULL,  -- US dollars
    session_id uuid REFERENCES x_search_session ON DELETE SET NULL,
    PRIMARY KEY (day, kind, bought_id)
);
CREATE INDEX x_purchase_session ON x_purchase (session_id);

-- What several tabs follow.
CREATE TABLE x_search_event (
    sequence   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session_id uuid NOT NULL REFERENCES x_search_session ON DELETE CASCADE,
    kind       text NOT NULL CHECK (kind IN ('phase', 'progress', 'posts', 'paused', 'resumed', 'done', 'failed')),
    phase      text NOT NULL,
    progress   integer NOT NULL,
    post_ids   text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX x_search_event_session ON x_search_event (session_id, sequence);

CREATE FUNCTION notify_x_search_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('x_search', NEW.session_id::text);
    RETURN NULL;
END;
$$;

CREATE TRIGGER notify_x_search_event AFTER INSERT ON x_search_event
    FOR EACH ROW EXECUTE FUNCTION notify_x_search_event();
