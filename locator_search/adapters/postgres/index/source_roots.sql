-- name: states
-- Every root that has been listed, or that files belong to, as the fields of SourceRoot and RootState.
WITH counted AS (
    SELECT root_id, min(source) AS source, count(*) AS files, count(missing_since) AS missing
    FROM file_state WHERE root_id <> '' GROUP BY root_id
)
SELECT root_id, COALESCE(source_root.name, '') AS name, COALESCE(source_root.source, counted.source) AS source,
       COALESCE(files, 0) AS files, COALESCE(missing, 0) AS missing, COALESCE(listed, 0) AS listed, listed_at,
       COALESCE(listed_by, '') AS listed_by, COALESCE(problem, '') AS problem, COALESCE(unlisted, '{}') AS unlisted,
       COALESCE(rules, '') AS rules
FROM source_root FULL JOIN counted USING (root_id) ORDER BY root_id

-- name: readable
-- The roots with a file that the reader may read, by id.
SELECT DISTINCT root_id FROM file_state JOIN file_reader USING (file_id)
WHERE root_id <> '' AND (%(reader)s::text[] IS NULL OR principals && %(reader)s) ORDER BY root_id

-- name: has_unlisted
-- Whether the last listing could not look into one of some roots, or a folder in one.
SELECT EXISTS (SELECT FROM source_root WHERE (problem <> '' OR unlisted <> '{}')
               AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)))

-- name: adopt
-- Files below a path (all of their source where it is empty) that have no root belong to this one.
UPDATE file_state SET root_id = %(root_id)s
WHERE root_id = '' AND source = %(source)s AND (%(place)s = '' OR starts_with(location, %(place)s))

-- name: record
-- How the listing of a root went. What a failed one does not tell (files, folders, when) stays as the last one told it.
INSERT INTO source_root (root_id, source, name, listed_at, listed, listed_by, problem, unlisted, rules)
VALUES (%(root_id)s, %(source)s, %(name)s, %(listed_at)s, %(files)s, %(listed_by)s, %(problem)s,
        %(unlisted)s, %(rules)s)
ON CONFLICT (root_id) DO UPDATE SET
    source = EXCLUDED.source,
    name = CASE WHEN EXCLUDED.problem = '' THEN EXCLUDED.name ELSE source_root.name END,
    listed_at = COALESCE(EXCLUDED.listed_at, source_root.listed_at),
    listed = CASE WHEN EXCLUDED.problem = '' THEN EXCLUDED.listed ELSE source_root.listed END,
    listed_by = EXCLUDED.listed_by,
    problem = EXCLUDED.problem,
    unlisted = CASE WHEN EXCLUDED.problem = '' THEN EXCLUDED.unlisted ELSE source_root.unlisted END,
    rules = CASE WHEN EXCLUDED.problem = '' THEN EXCLUDED.rules ELSE source_root.rules END

-- name: ids
-- The ids of at most so many files of a root.
SELECT file_id FROM file_state WHERE root_id = %(root_id)s ORDER BY file_id LIMIT %(limit)s

-- name: forget_folders
-- The folders of a root.
DELETE FROM folder_tree WHERE root_id = %(root_id)s

-- name: forget
-- A root that no file belongs to.
DELETE FROM source_root
WHERE root_id = %(root_id)s AND NOT EXISTS (SELECT FROM file_state WHERE root_id = %(root_id)s)
