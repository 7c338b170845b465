-- name: shown
-- Files, each with the chunk named (or its first), and the terms that chunk holds; without a chunk, those of the name.
SELECT f.file_id, f.file_name, f.summary, f.link, f.mime_type, f.drive_modified_at, f.keywords, f.folder_path,
       f.location, f.revision, f.size, f.owner, f.source, f.metadata, f.document_period, f.indexed_at,
       c.chunk_id, c.ordinal, c.text, c.heading_path, c.page, c.page_is_estimated, c.clause, c.changes,
       ARRAY(SELECT q.term FROM unnest(%(spelled)s::text[], %(each)s::sparsevec[]) AS q (term, held)
             WHERE (COALESCE(c.weights, f.name_weights) <#> q.held) < 0) AS matched
FROM unnest(%(file_ids)s::text[], %(ordinals)s::integer[]) AS page (file_id, ordinal)
JOIN drive_file_index AS f USING (file_id)
LEFT JOIN file_chunk AS c ON c.file_id = page.file_id AND c.ordinal = COALESCE(page.ordinal, 0)

-- name: shown_with_best
-- The same with the chunk that counts most in the fusion: the best by words, which is the one named, or one of the two
-- nearest.
SELECT f.file_id, f.file_name, f.summary, f.link, f.mime_type, f.drive_modified_at, f.keywords, f.folder_path,
       f.location, f.revision, f.size, f.owner, f.source, f.metadata, f.document_period, f.indexed_at,
       c.chunk_id, c.ordinal, c.text, c.heading_path, c.page, c.page_is_estimated, c.clause, c.changes,
       ARRAY(SELECT q.term FROM unnest(%(spelled)s::text[], %(each)s::sparsevec[]) AS q (term, held)
             WHERE (COALESCE(c.weights, f.name_weights) <#> q.held) < 0) AS matched
FROM unnest(%(file_ids)s::text[], %(ordinals)s::integer[], %(keyword_parts)s::float8[])
     AS page (file_id, ordinal, keyword_part)
JOIN drive_file_index AS f USING (file_id)
LEFT JOIN LATERAL (
    SELECT one.* FROM (
        SELECT page.ordinal
        UNION (
            SELECT k.ordinal FROM embedding_code AS k WHERE k.file_id = page.file_id AND k.ordinal >= 0
            ORDER BY 16 * (k.code <~> %(plane_8)s) + 8 * (k.code <~> %(plane_4)s) + 4 * (k.code <~> %(plane_2)s)
                 + 2 * (k.code <~> %(plane_1)s) + 8 * (k.fine <~> %(plane_8)s) + 4 * (k.fine <~> %(plane_4)s)
                 + 2 * (k.fine <~> %(plane_2)s) + (k.fine <~> %(plane_1)s) LIMIT 2
        )
    ) AS candidate (ordinal)
    JOIN file_chunk AS one ON one.file_id = page.file_id AND one.ordinal = candidate.ordinal
    ORDER BY CASE WHEN one.ordinal = page.ordinal THEN page.keyword_part ELSE 0 END
             + %(cosine_weight)s * COALESCE(1 - (one.embedding <=> %(embedding)s), 0) DESC, one.ordinal
    LIMIT 1
) AS c ON true

-- name: paths
-- The paths of files, as (file id, path).
SELECT file_id, ltrim(folder_path || '/' || file_name, '/') FROM drive_file_index
WHERE file_id = ANY (%(file_ids)s::text[])
