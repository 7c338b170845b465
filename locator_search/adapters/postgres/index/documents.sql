-- name: wait_for_settlers
-- Who says what documents files are follow each other until they commit: each sees what the one before it wrote.
SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/documents', 0))

-- name: namesakes
-- Files under one of the titles in one of the places, and one file of each text, as file id, name, folder, text key and
-- document key; of many namesakes some.
SELECT f.file_id, f.file_name, f.folder_path, d.text_key, d.document_key FROM (
    SELECT one.* FROM unnest(%(whereabouts)s::text[]) AS asked (whereabouts)
    CROSS JOIN LATERAL (
        SELECT * FROM file_document AS d WHERE d.whereabouts = asked.whereabouts ORDER BY d.file_id LIMIT %(most)s
    ) AS one
    UNION
    SELECT one.* FROM unnest(%(texts)s::text[]) AS asked (text_key)
    CROSS JOIN LATERAL (SELECT * FROM file_document AS d WHERE d.text_key = asked.text_key LIMIT 1) AS one
) AS d JOIN drive_file_index AS f USING (file_id)
ORDER BY f.file_id

-- name: become_one
-- A document turns out to be another one.
UPDATE file_document SET document_key = %(document)s WHERE document_key = %(other)s

-- name: branched
-- The whereabouts in which some documents have several texts, as (document key, whereabouts).
SELECT document_key, array_agg(whereabouts) FROM (
    SELECT document_key, whereabouts FROM file_document WHERE document_key = ANY(%(documents)s)
    GROUP BY 1, 2 HAVING count(DISTINCT text_key) > 1
) AS branched GROUP BY 1

-- name: keep
-- What document each of some files is.
INSERT INTO file_document (file_id, text_key, whereabouts, document_key)
SELECT * FROM unnest(%(files)s::text[], %(texts)s::text[], %(whereabouts)s::text[], %(documents)s::text[])
ON CONFLICT (file_id) DO UPDATE SET
    text_key = EXCLUDED.text_key, whereabouts = EXCLUDED.whereabouts, document_key = EXCLUDED.document_key

-- name: unsettled
-- Files that were indexed by a program without documents, some at a time, after a file id: file id, name, folder, hash
-- of the bytes, and what is kept of their text where all of it was read.
SELECT f.file_id, f.file_name, f.folder_path, f.content_hash, kept.document
FROM drive_file_index AS f
LEFT JOIN extracted_text AS kept ON kept.content_hash = f.content_hash AND kept.state = 'ok'
     AND kept.parser_version = f.parser_version || ' ' || f.mime_type
WHERE NOT EXISTS (SELECT FROM file_document AS d WHERE d.file_id = f.file_id)
ORDER BY f.file_id LIMIT %(most)s

-- name: documents
-- The documents of those of the files that are not the only file of one: some file of these follows another one.
SELECT d.file_id, d.document_key FROM file_document AS d
WHERE d.file_id = ANY(%(files)s) AND d.document_key IN (
    SELECT document_key FROM file_document WHERE NOT starts_with(document_key, file_id || ' '))

-- name: keys
-- The text and the document of each of the files.
SELECT file_id, text_key, document_key FROM file_document WHERE file_id = ANY(%(files)s)

-- name: weights
-- Of the first chunks of files: file id, weights of the terms of the chunk and of the file's name as pgvector sends
-- them, length, and the mean length they were weighed with. Numbers are read five times as fast as JSON.
SELECT file_id, sparsevec_send(c.weights), sparsevec_send(f.name_weights), c.length, c.mean_length
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)
WHERE file_id = ANY(%(files)s) AND c.ordinal < %(chunks)s
