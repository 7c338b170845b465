-- One row for each run that indexed or removed files: the history that the status page draws.
CREATE TABLE crawl_run (
    run_id      text PRIMARY KEY,  -- of Dagster
    sync_id     text NOT NULL,  -- the roots it worked for, as in drive_sync_state
    started_at  timestamptz NOT NULL,
    finished_at timestamptz NOT NULL,
    indexed     integer NOT NULL,
    skipped     integer NOT NULL,
    failed      integer NOT NULL,
    removed     integer NOT NULL,
    model_calls integer NOT NULL,
    tokens      bigint NOT NULL,
    cost_usd    double precision NOT NULL,
    states      jsonb NOT NULL  -- all files of these roots by state, after it
);
CREATE INDEX crawl_run_finished ON crawl_run (sync_id, finished_at);
CREATE INDEX drive_file_index_indexed ON drive_file_index (indexed_at);  -- the newest, and the speed of a crawl
