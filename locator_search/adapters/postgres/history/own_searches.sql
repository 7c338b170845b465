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

-- name: asked
-- Questions that whoever asks may be shown, as the fields of AskedQuestion, the most usual first. Kept are own ones and
-- those of so many people; of these, the ones whose searches led first to a file that the reader may read: once for own
-- ones, as often as there must be people for others. Spelled as its owner does, else as most do. Two hundred are looked
-- at, own ones first and then those of most people.
WITH kept AS (
    SELECT lower(normalize(question, NFKC)) AS key, bool_or(owner = %(owner)s) AS own,
           COALESCE(min(question) FILTER (WHERE owner = %(owner)s),
                    mode() WITHIN GROUP (ORDER BY question)) AS question,
           count(DISTINCT owner) FILTER (WHERE owner <> '') AS people
    FROM own_search
    WHERE saved_at IS NULL AND asked_at > now() - make_interval(days => %(days)s)
    GROUP BY key
    HAVING bool_or(owner = %(owner)s) OR count(DISTINCT owner) FILTER (WHERE owner <> '') >= %(fewest)s
    ORDER BY own DESC, people DESC, key LIMIT 200
), led AS (
    SELECT key, count(*) FILTER (WHERE place = 1) AS searches, array_agg(DISTINCT file_id) AS file_ids
    FROM kept
    JOIN search_log AS l ON lower(normalize(l.question, NFKC)) = key
        AND l.created_at > now() - make_interval(days => %(days)s)
    CROSS JOIN unnest(l.file_ids[1:5]) WITH ORDINALITY AS shown (file_id, place)
    JOIN file_reader USING (file_id)
    WHERE %(reader)s::text[] IS NULL OR principals && %(reader)s
    GROUP BY key
)
SELECT question, searches, people >= %(fewest)s AND searches >= %(fewest)s AS shared, file_ids
FROM kept JOIN led USING (key)
WHERE searches > 0 AND (own OR searches >= %(fewest)s) ORDER BY searches DESC, question
