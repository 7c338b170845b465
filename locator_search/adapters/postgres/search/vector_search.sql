-- name: near_files
-- Every file in the scope with a vector that is near enough, as (file id, cosine). A code excludes that its vector is
-- near, in one bit per dimension and then in all its bits against the question in four (retrieval/binary_codes.py);
-- the exact distance decides. Whether a file passes is asked of the near ones alone, and once: every worker would keep
-- all that pass. OFFSET 0 keeps the planner from reading whole tables for the vectors.
WITH near AS MATERIALIZED (
    SELECT k.file_id, k.ordinal
    FROM embedding_code AS k
    WHERE (k.code <~> %(code)s) <= %(farthest_code)s
      AND 16 * (k.code <~> %(plane_8)s) + 8 * (k.code <~> %(plane_4)s) + 4 * (k.code <~> %(plane_2)s)
          + 2 * (k.code <~> %(plane_1)s) + 8 * (k.fine <~> %(plane_8)s) + 4 * (k.fine <~> %(plane_4)s)
          + 2 * (k.fine <~> %(plane_2)s) + (k.fine <~> %(plane_1)s) <= %(farthest_weighted)s
)
SELECT near.file_id, 1 - min(kept.embedding <=> %(embedding)s)
FROM near
CROSS JOIN LATERAL (
    SELECT c.embedding FROM file_chunk AS c WHERE c.file_id = near.file_id AND c.ordinal = near.ordinal
    UNION ALL
    SELECT own.embedding FROM drive_file_index AS own WHERE own.file_id = near.file_id AND near.ordinal = -1
    OFFSET 0
) AS kept
WHERE (%(passing)s::text[] IS NULL OR near.file_id IN (SELECT unnest(%(passing)s::text[])))
  AND (%(reader)s::text[] IS NULL
       OR EXISTS (
           SELECT FROM file_state AS own WHERE own.file_id = near.file_id AND own.access_key = ANY (
               ARRAY(SELECT access_key FROM access_now WHERE principals && %(reader)s::text[])) OFFSET 0))
GROUP BY near.file_id HAVING min(kept.embedding <=> %(embedding)s) <= %(farthest)s

-- name: drawn_codes
-- Whether there is a graph of neighbours, how many files there are, and how far from the question the codes of one page
-- in a hundred are, the nearest first: out of that comes how many codes lie within a distance.
SELECT COALESCE((SELECT indisvalid FROM pg_catalog.pg_index WHERE indexrelid = to_regclass(%(graph)s)), false),
       (SELECT count(*) FROM drive_file_index),
       ARRAY(SELECT (k.code <~> %(code)s)::integer AS distance
             FROM embedding_code AS k TABLESAMPLE SYSTEM (1) REPEATABLE (0) ORDER BY distance)

-- name: codes_within
-- The codes of all files within a distance, the nearest by all their bits first, as (file id, ordinal, distance). A
-- limit instead of a distance would have every worker sort thousands of rows, which costs more than to compare them.
SELECT k.file_id, k.ordinal,
       16 * (k.code <~> %(plane_8)s) + 8 * (k.code <~> %(plane_4)s) + 4 * (k.code <~> %(plane_2)s)
       + 2 * (k.code <~> %(plane_1)s) + 8 * (k.fine <~> %(plane_8)s) + 4 * (k.fine <~> %(plane_4)s)
       + 2 * (k.fine <~> %(plane_2)s) + (k.fine <~> %(plane_1)s) AS apart
FROM embedding_code AS k
WHERE k.ordinal >= %(least_ordinal)s AND (k.code <~> %(code)s) <= %(edge)s
ORDER BY apart, k.file_id, k.ordinal LIMIT %(depth)s

-- name: codes_in_scope
-- The same of the files that pass, and of their chunks that pass. Looked up by their index: as constants, the planner
-- would weigh each of the ids, and rather scan all codes for 500.
SELECT k.file_id, k.ordinal,
       16 * (k.code <~> %(plane_8)s) + 8 * (k.code <~> %(plane_4)s) + 4 * (k.code <~> %(plane_2)s)
       + 2 * (k.code <~> %(plane_1)s) + 8 * (k.fine <~> %(plane_8)s) + 4 * (k.fine <~> %(plane_4)s)
       + 2 * (k.fine <~> %(plane_2)s) + (k.fine <~> %(plane_1)s) AS apart
FROM embedding_code AS k
WHERE k.file_id = ANY ((SELECT %(passing)s::text[])::text[])
  AND (%(passing_chunks)s::text[] IS NULL
       OR k.file_id || '#' || k.ordinal IN (SELECT unnest(%(passing_chunks)s::text[])))
  AND k.ordinal >= %(least_ordinal)s AND (k.code <~> %(code)s) <= %(edge)s
ORDER BY apart, k.file_id, k.ordinal LIMIT %(depth)s

-- name: codes_along_graph
-- The nearest of all files along the graph of neighbours, which under a filter would find too few, in silence.
SELECT k.file_id, k.ordinal,
       16 * (k.code <~> %(plane_8)s) + 8 * (k.code <~> %(plane_4)s) + 4 * (k.code <~> %(plane_2)s)
       + 2 * (k.code <~> %(plane_1)s) + 8 * (k.fine <~> %(plane_8)s) + 4 * (k.fine <~> %(plane_4)s)
       + 2 * (k.fine <~> %(plane_2)s) + (k.fine <~> %(plane_1)s) AS apart
FROM (
    SELECT near.file_id, near.ordinal, near.code, near.fine FROM embedding_code AS near
    WHERE near.ordinal >= %(least_ordinal)s ORDER BY near.code <~> %(code)s LIMIT %(codes)s
) AS k
ORDER BY apart, k.file_id, k.ordinal LIMIT %(depth)s

-- name: exact_cosines
-- The cosines of some vectors, as (file id, ordinal, cosine).
SELECT k.file_id, k.ordinal, 1 - (kept.embedding <=> %(embedding)s)
FROM unnest(%(file_ids)s::text[], %(ordinals)s::integer[]) AS k (file_id, ordinal)
CROSS JOIN LATERAL (
    SELECT c.embedding FROM file_chunk AS c WHERE c.file_id = k.file_id AND c.ordinal = k.ordinal
    UNION ALL
    SELECT own.embedding FROM drive_file_index AS own WHERE own.file_id = k.file_id AND k.ordinal = -1
    OFFSET 0
) AS kept

-- name: file_cosines
-- The cosines of some files, as (file id, cosine): that of the nearest vector, one of those with the nearest codes.
SELECT page.file_id, max(1 - (kept.embedding <=> %(embedding)s))
FROM unnest(%(file_ids)s::text[]) AS page (file_id)
CROSS JOIN LATERAL (
    SELECT k.file_id, k.ordinal FROM embedding_code AS k WHERE k.file_id = page.file_id
    ORDER BY 16 * (k.code <~> %(plane_8)s) + 8 * (k.code <~> %(plane_4)s) + 4 * (k.code <~> %(plane_2)s)
             + 2 * (k.code <~> %(plane_1)s) + 8 * (k.fine <~> %(plane_8)s) + 4 * (k.fine <~> %(plane_4)s)
             + 2 * (k.fine <~> %(plane_2)s) + (k.fine <~> %(plane_1)s) LIMIT 3
) AS k
CROSS JOIN LATERAL (
    SELECT c.embedding FROM file_chunk AS c WHERE c.file_id = k.file_id AND c.ordinal = k.ordinal
    UNION ALL
    SELECT own.embedding FROM drive_file_index AS own WHERE own.file_id = k.file_id AND k.ordinal = -1
    OFFSET 0
) AS kept
GROUP BY page.file_id
