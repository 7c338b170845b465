-- name: file
-- An indexed file that the reader may read, as the fields of its evidence, and where its last chunk starts.
SELECT file_id, file_name, summary, keywords, link, mime_type, drive_modified_at, folder_path, location, revision,
       size, owner, source, metadata, document_period, indexed_at,
       (SELECT max(char_start) FROM file_chunk WHERE file_id = f.file_id) AS last_start
FROM drive_file_index AS f
WHERE file_id = %(file)s
  AND (%(reader)s::text[] IS NULL
       OR file_id IN (SELECT file_id FROM file_reader WHERE principals && %(reader)s))

-- name: chunks
-- The chunks of a file that start in a stretch of its text, in order, as the fields of Chunk.
SELECT ordinal, text, char_start AS start, char_end AS end, heading_path, clause, page FROM file_chunk
WHERE file_id = %(file)s AND char_start >= %(start)s AND char_start < %(end)s ORDER BY ordinal

-- name: readable
-- Those of the files that the reader may read.
SELECT file_id FROM file_reader
WHERE file_id = ANY(%(files)s) AND (%(reader)s::text[] IS NULL OR principals && %(reader)s)

-- name: embedding
-- The embedding of an indexed file that the reader may read.
SELECT embedding FROM drive_file_index
WHERE file_id = %(file)s
  AND (%(reader)s::text[] IS NULL
       OR file_id IN (SELECT file_id FROM file_reader WHERE principals && %(reader)s))

-- name: named
-- The ids of the indexed files of a name that the reader may read; of many some.
SELECT file_id FROM drive_file_index
WHERE file_name = %(name)s
  AND (%(reader)s::text[] IS NULL
       OR file_id IN (SELECT file_id FROM file_reader WHERE principals && %(reader)s))
ORDER BY file_id LIMIT %(most)s

-- name: names
-- File id, name and owner of listed files, whoever may read them, newest first.
SELECT file_id, file_name, owner FROM file_state WHERE state NOT IN ('no_access', 'out_of_scope')
ORDER BY modified_at DESC, file_id LIMIT %(most)s
