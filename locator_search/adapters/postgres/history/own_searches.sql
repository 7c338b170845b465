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
    SELECT key, count(*) AS searches, array_agg(DISTINCT l.file_ids[1]) AS file_ids
    FROM kept
    JOIN search_log AS l ON lower(normalize(l.question, NFKC)) = key
        AND l.created_at > now() - make_interval(days => %(days)s)
    WHERE l.file_ids[1] IN (
        SELECT file_id FROM file_reader WHERE %(reader)s::text[] IS NULL OR principals && %(reader)s)
    GROUP BY key
)
SELECT question, searches, people >= %(fewest)s AND searches >= %(fewest)s AS shared, file_ids
FROM kept JOIN led USING (key)
WHERE own OR searches >= %(fewest)s ORDER BY searches DESC, question

-- name: parts_holding
-- The part of all chunks that hold a term, as (term, part), for each that one holds.
SELECT term, document_frequency::float / chunks FROM term_in_index CROSS JOIN index_total
WHERE term = ANY (%(terms)s::text[]) AND document_frequency > 0 AND chunks > 0

-- name: keep_look
-- A look at a saved search, unless the last one found the same in the same way.
INSERT INTO search_look (owner, search_id, looked_at, hit_count, found, made_with, files, newest)
SELECT owner, search_id, %(looked_at)s::timestamptz, %(hit_count)s::integer, %(found)s::jsonb, %(made_with)s::jsonb,
       %(files)s::integer, %(newest)s::timestamptz
FROM own_search
WHERE owner = %(owner)s AND search_id = %(search)s AND saved_at IS NOT NULL
  AND NOT EXISTS (
      SELECT FROM (SELECT * FROM search_look WHERE owner = %(owner)s AND search_id = %(search)s
                   ORDER BY looked_at DESC LIMIT 1) AS last
      WHERE last.hit_count = %(hit_count)s AND last.found = %(found)s::jsonb AND last.made_with = %(made_with)s::jsonb)
ON CONFLICT DO NOTHING

-- name: forget_looks
-- Forgets the looks at a search but for the newest so many.
DELETE FROM search_look WHERE owner = %(owner)s AND search_id = %(search)s AND looked_at IN (
    SELECT looked_at FROM search_look WHERE owner = %(owner)s AND search_id = %(search)s
    ORDER BY looked_at DESC OFFSET %(most)s
)

-- name: looks
-- The looks at a search as the fields of Look, newest first.
SELECT looked_at, hit_count, found, made_with, files, newest FROM search_look
WHERE owner = %(owner)s AND search_id = %(search)s ORDER BY looked_at DESC

-- name: files_now
-- What is known of files, as the file id and the fields of FileNow; `versions` is empty where a file is not searched,
-- and nothing but that it exists is told of one that the reader may not read.
SELECT file_id, readable, CASE WHEN readable THEN state ELSE '' END AS state, first_seen_at, modified_at, indexed_at,
       CASE WHEN readable AND indexed_at IS NOT NULL THEN jsonb_build_object(
           'name', name, 'folder', folder, 'content', left(content, 12), 'parser', parser, 'chunker', chunker,
           'embedding', embedding_model, 'summary', chat_model) ELSE '{}' END AS versions
FROM (
    SELECT s.file_id, s.state, s.first_seen_at, s.modified_at, f.indexed_at, f.file_name AS name,
           f.folder_path AS folder, f.content_hash AS content, f.parser_version AS parser,
           f.chunker_version AS chunker, f.embedding_model, f.chat_model,
           %(reader)s::text[] IS NULL
               OR s.access_key IN (SELECT access_key FROM access_now WHERE principals && %(reader)s) AS readable
    FROM file_state AS s LEFT JOIN drive_file_index AS f USING (file_id)
    WHERE s.file_id = ANY (%(files)s)
) AS known

-- name: index_now
-- The model of the index, a mark of its calibration, how many files the reader may find, and when one of them was
-- indexed last.
SELECT COALESCE((SELECT embedding_model FROM index_profile), ''),
       COALESCE((SELECT left(md5(calibration::text), 12) FROM index_profile), ''), count(*), max(f.indexed_at)
FROM drive_file_index AS f
WHERE %(reader)s::text[] IS NULL OR f.file_id IN (SELECT file_id FROM file_reader WHERE principals && %(reader)s)
