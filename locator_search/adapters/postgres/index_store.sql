-- name: chunk_embeddings
-- Text and embedding of the chunks of a content under any file, once each text, and the length of the embeddings of
-- their model where it is known.
SELECT DISTINCT ON (text) text, file_chunk.embedding, width
FROM file_chunk JOIN drive_file_index USING (file_id)
LEFT JOIN embedding_width ON model = embedding_model
WHERE content_hash = %(content_hash)s AND embedding_model = %(model)s AND file_chunk.embedding IS NOT NULL
