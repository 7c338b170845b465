-- name: named
-- The groups that stand in the list of readers of a file, those whose time is over left out.
SELECT DISTINCT principal FROM access_now, unnest(principals) AS principal
WHERE starts_with(principal, 'group:') AND strpos(principal, ' until ') = 0
  AND access_key IN (SELECT access_key FROM file_state)
ORDER BY principal

-- name: unknown
-- Those of them whose members were not told of late.
SELECT DISTINCT principal FROM access_now, unnest(principals) AS principal
WHERE starts_with(principal, 'group:') AND strpos(principal, ' until ') = 0
  AND access_key IN (SELECT access_key FROM file_state)
  AND principal NOT IN (SELECT name FROM access_group WHERE read_at > now() - interval '2 days')
ORDER BY principal

-- name: keep
-- The members of a group as of now.
INSERT INTO access_group (name, members, read_at) VALUES (%(name)s, %(members)s, now())
ON CONFLICT (name) DO UPDATE SET members = EXCLUDED.members, read_at = EXCLUDED.read_at

-- name: forget
-- Nobody can tell who is in a group.
DELETE FROM access_group WHERE name = %(name)s

-- name: unread_files
-- How many listed files nobody may read.
SELECT count(*) FROM file_state WHERE access_key = '' AND state <> 'out_of_scope'
