-- The history of crawls goes on when a folder is added or taken away: a run is known by its roots one by one, too.

ALTER TABLE crawl_run ADD COLUMN root_ids text[] NOT NULL DEFAULT '{}';  -- empty: all there are, or from before this column
