-- name: read
-- The model and dimensions the index was made with, the calibration measured on it, the background taken from it, and
-- how many chunks there were then.
SELECT embedding_model, dimensions, calibration, background, background_chunks FROM index_profile

-- name: claim
-- The index belongs to this model, unless it belongs to one already.
INSERT INTO index_profile (embedding_model, dimensions) VALUES (%(model)s, %(dimensions)s) ON CONFLICT (id) DO NOTHING

-- name: drawn_embeddings
-- The embeddings of so many files, of one chunk each (of a file without chunks its own), drawn by a hash of the
-- content: as good as by chance, the same each time, and one of those with the same content.
SELECT COALESCE(chunk.embedding, file.embedding)
FROM (
    SELECT DISTINCT ON (md5(content_hash)) file_id, embedding FROM drive_file_index
    WHERE embedding IS NOT NULL ORDER BY md5(content_hash), file_id LIMIT %(files)s
) AS file
LEFT JOIN LATERAL (
    SELECT c.embedding FROM file_chunk AS c WHERE c.file_id = file.file_id AND c.embedding IS NOT NULL
    ORDER BY md5(c.chunk_id) LIMIT 1
) AS chunk ON true

-- name: keep_background
-- The background taken from a sample, and how many chunks there were; NULL for a sample that was not full.
UPDATE index_profile SET background = %(background)s, background_chunks = %(chunks)s
