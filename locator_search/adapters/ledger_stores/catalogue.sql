-- name: keys
-- The keys of the vectors of all chunks: chunk id, `@`, the first characters of the hash of the document.
SELECT c.chunk_id || '@' || left(f.content_hash, %(length)s)
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)

-- name: keys_of_documents
-- The keys of the vectors of the chunks of some documents.
SELECT c.chunk_id || '@' || left(f.content_hash, %(length)s)
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)
WHERE f.file_id = ANY(%(documents)s)

-- name: keys_of_metadata
-- The keys of the vectors of the chunks of documents that have some metadata.
SELECT c.chunk_id || '@' || left(f.content_hash, %(length)s)
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)
WHERE f.metadata @> %(metadata)s

-- name: chunks
-- Chunks by the keys of their vectors: key, and the fields of ChunkHit without the score. By chunk id first, which has
-- an index; a key of a former version names a chunk id that may be taken anew.
SELECT c.chunk_id || '@' || left(f.content_hash, %(length)s), c.chunk_id, c.file_id, c.ordinal, c.text, f.metadata,
       c.page, c.heading_path
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)
WHERE c.chunk_id = ANY(%(chunk_ids)s) AND c.chunk_id || '@' || left(f.content_hash, %(length)s) = ANY(%(keys)s)

-- name: vectors
-- Embeddings by the keys of their vectors: key and embedding.
SELECT c.chunk_id || '@' || left(f.content_hash, %(length)s), c.embedding
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)
WHERE c.chunk_id = ANY(%(chunk_ids)s) AND c.chunk_id || '@' || left(f.content_hash, %(length)s) = ANY(%(keys)s)

-- name: documents
-- Documents with their metadata and chunks: start, end and text, in order.
SELECT f.file_id, f.metadata, (
    SELECT jsonb_agg(jsonb_build_array(c.char_start, c.char_end, c.text) ORDER BY c.ordinal)
    FROM file_chunk AS c WHERE c.file_id = f.file_id
)
FROM drive_file_index AS f WHERE f.file_id = ANY(%(documents)s)

-- name: versions
-- The content hashes of some documents.
SELECT file_id, content_hash FROM drive_file_index WHERE file_id = ANY(%(documents)s)

-- name: document_ids
-- The ids of all documents.
SELECT file_id FROM drive_file_index ORDER BY file_id

-- name: count
-- How many documents and chunks there are.
SELECT (SELECT count(*) FROM drive_file_index), (SELECT count(*) FROM file_chunk)
