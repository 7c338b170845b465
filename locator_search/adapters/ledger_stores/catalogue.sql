-- name: vector_keys
-- The keys of the vectors of all chunks, or of those of some documents, or of documents with some metadata.
SELECT c.chunk_id || '@' || left(f.content_hash, %(version_length)s)
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)
WHERE (%(documents)s::text[] IS NULL OR f.file_id = ANY (%(documents)s))
  AND (%(metadata)s::jsonpath IS NULL OR f.metadata @@ %(metadata)s::jsonpath)

-- name: chunk_ids
-- The keys that are in the catalogue, as (key, chunk id). By chunk id first, which has an index; a key of a former
-- version names a chunk id that may be taken anew.
SELECT key, chunk_id FROM (
    SELECT c.chunk_id || '@' || left(f.content_hash, %(version_length)s) AS key, c.chunk_id
    FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id) WHERE c.chunk_id = ANY (%(chunk_ids)s)
) AS kept
WHERE key = ANY (%(keys)s)

-- name: vectors
-- The same as (key, embedding).
SELECT key, embedding FROM (
    SELECT c.chunk_id || '@' || left(f.content_hash, %(version_length)s) AS key, c.embedding
    FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id) WHERE c.chunk_id = ANY (%(chunk_ids)s)
) AS kept
WHERE key = ANY (%(keys)s)

-- name: chunks
-- Chunks by their ids, each with the metadata of its document and the spellings that it holds.
SELECT c.chunk_id, c.file_id, c.ordinal, c.text, f.metadata, c.page, c.heading_path,
       ARRAY(SELECT q.term FROM unnest(%(spelled)s::text[], %(each)s::sparsevec[]) AS q (term, held)
             WHERE (c.weights <#> q.held) < 0) AS matched
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id) WHERE c.chunk_id = ANY (%(chunk_ids)s)

-- name: documents
-- Documents by their ids, with their metadata and their chunks as [begin, end, text].
SELECT f.file_id, f.metadata, (
    SELECT jsonb_agg(jsonb_build_array(c.char_start, c.char_end, c.text) ORDER BY c.ordinal)
    FROM file_chunk AS c WHERE c.file_id = f.file_id
)
FROM drive_file_index AS f WHERE f.file_id = ANY (%(documents)s)

-- name: versions
-- The content hashes of documents, as (id, hash).
SELECT file_id, content_hash FROM drive_file_index WHERE file_id = ANY (%(documents)s)

-- name: document_ids
-- Every document.
SELECT file_id FROM drive_file_index ORDER BY file_id

-- name: counts
-- How many documents and chunks there are.
SELECT (SELECT count(*) FROM drive_file_index), (SELECT count(*) FROM file_chunk)
