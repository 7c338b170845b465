-- name: add
-- Asks for things; those asked for already stay as they are.
INSERT INTO contribution_request (kind, target) SELECT %(kind)s, unnest(%(targets)s::text[]) ON CONFLICT DO NOTHING

-- name: waiting
-- The things asked for, oldest first.
SELECT target FROM contribution_request WHERE kind = %(kind)s ORDER BY requested_at, target

-- name: settle
-- Things are asked for no longer.
DELETE FROM contribution_request WHERE kind = %(kind)s AND target = ANY(%(targets)s)
