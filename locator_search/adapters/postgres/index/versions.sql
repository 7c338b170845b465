-- name: keys
-- The text and the document of each of the files.
SELECT file_id, text_key, document_key FROM file_document WHERE file_id = ANY(%(files)s)

-- name: weights
-- Of the first chunks of files: file id, weights of the terms of the chunk and of the file's name as pgvector sends
-- them, length, and the mean length they were weighed with. Numbers are read five times as fast as JSON.
SELECT file_id, sparsevec_send(c.weights), sparsevec_send(f.name_weights), c.length, c.mean_length
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)
WHERE file_id = ANY(%(files)s) AND c.ordinal < %(chunks)s
