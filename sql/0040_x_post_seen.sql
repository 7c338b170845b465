-- When X last returned each post, and how many posts of a session were taken out because X no longer has them.

ALTER TABLE x_search_result ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now();
UPDATE x_search_result SET seen_at = created_at;

ALTER TABLE x_search_session ADD COLUMN removed integer NOT NULL DEFAULT 0 CHECK (removed >= 0);
