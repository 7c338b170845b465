-- name: keep
-- Keeps a step.
INSERT INTO page_step (key, step) VALUES (%(key)s, %(step)s) ON CONFLICT DO NOTHING

-- name: forget
-- Forgets the steps of more than a day ago: they hold what files said then.
DELETE FROM page_step WHERE kept_at < now() - interval '1 day'

-- name: step
-- The step of a key.
SELECT step FROM page_step WHERE key = %(key)s
