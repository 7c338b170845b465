-- What a saved search found each time its owner looked and it was not as before: what a later result is compared with.

CREATE TABLE search_look (
    owner     text NOT NULL,
    search_id text NOT NULL,
    looked_at timestamptz NOT NULL,
    hit_count integer NOT NULL,
    found     jsonb NOT NULL,  -- the first documents, best first, with the versions of what was made of their files
    made_with jsonb NOT NULL,  -- of the search itself: model, calibration, dictionary, rules, conditions
    files     integer NOT NULL,  -- in the index, as far as the owner may read them
    newest    timestamptz,  -- when a file was indexed last
    PRIMARY KEY (owner, search_id, looked_at),
    FOREIGN KEY (owner, search_id) REFERENCES own_search ON DELETE CASCADE
);

-- NULL: listed before this was kept.
ALTER TABLE file_state ADD COLUMN first_seen_at timestamptz;
ALTER TABLE file_state ALTER COLUMN first_seen_at SET DEFAULT now();
