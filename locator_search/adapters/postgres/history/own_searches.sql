-- name: ask
-- A search was asked now.
INSERT INTO own_search (owner, search_id, question, filters)
VALUES (%(owner)s, %(search)s, %(question)s, %(filters)s)
ON CONFLICT (owner, search_id) DO UPDATE SET asked_at = now()

-- name: forget_oldest
-- Forgets the searches of an owner that are not saved, but for the newest so many.
DELETE FROM own_search WHERE owner = %(owner)s AND search_id IN (
    SELECT search_id FROM own_search WHERE owner = %(owner)s AND saved_at IS NULL
    ORDER BY asked_at DESC, search_id OFFSET %(most)s
)

-- name: save
-- Saves a search, unless so many others of its owner are saved.
INSERT INTO own_search (owner, search_id, question, filters, saved_at)
SELECT %(owner)s, %(search)s, %(question)s, %(filters)s, now()
WHERE (SELECT count(*) FROM own_search
       WHERE owner = %(owner)s AND saved_at IS NOT NULL AND search_id <> %(search)s) < %(most)s
ON CONFLICT (owner, search_id) DO UPDATE SET saved_at = COALESCE(own_search.saved_at, now())

-- name: see
-- The hits of a saved search at which its owner looks.
UPDATE own_search SET seen = %(seen)s
WHERE owner = %(owner)s AND search_id = %(search)s AND saved_at IS NOT NULL

-- name: searches
-- The searches of an owner as the fields of OwnSearch, those asked last first.
SELECT search_id, question, filters, asked_at, saved_at IS NOT NULL AS saved, seen FROM own_search
WHERE owner = %(owner)s ORDER BY asked_at DESC, search_id

-- name: forget
-- Forgets searches of an owner.
DELETE FROM own_search WHERE owner = %(owner)s AND search_id = ANY(%(searches)s)
