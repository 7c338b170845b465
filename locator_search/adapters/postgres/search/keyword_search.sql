-- name: files_by_words
-- Every file in the scope that holds enough of the terms, or is named outright, as (file id, share, score).
-- A file is looked at when a chunk or its name holds one of the decisive terms, or all of them where few pass: to look
-- for terms in the texts of thousands of files takes a second. Its share counts name and chunk together, so of a file
-- with such a name every chunk is looked at. No term gives less than one that occurs once, which bounds the share from
-- above: the terms themselves are looked up only where a hit is possible. Two terms may share a dimension, so what
-- alone makes a hit of a file is looked up by its letters. Weights are those of the mean length of their day: for terms
-- that occur once (most do), `kept / now` puts them right. The OR keeps the planner from joining the files that pass,
-- for which it would copy every text with a term.
WITH passing AS MATERIALIZED (SELECT unnest(%(passing)s::text[]) AS file_id),
query_term AS MATERIALIZED (
    SELECT q.held, string_to_array(q.spellings, E'\x1f') AS spellings, q.mass, q.floor
    FROM unnest(%(held)s::sparsevec[], %(spellings)s::text[], %(masses)s::float8[], %(floors)s::float8[])
        AS q (held, spellings, mass, floor)
),
named AS MATERIALIZED (
    SELECT file_id, name_weights FROM drive_file_index
    WHERE NOT %(few_pass)s AND name_terms && %(decisive)s::text[]
      AND (%(passing)s::text[] IS NULL OR file_id IN (SELECT passing.file_id FROM passing))
    UNION ALL
    SELECT f.file_id, f.name_weights FROM passing
    CROSS JOIN LATERAL (SELECT * FROM drive_file_index WHERE file_id = passing.file_id OFFSET 0) AS f
    WHERE %(few_pass)s AND f.name_terms && %(decisive)s::text[]
),
text_to_score AS (
    SELECT c.file_id, c.terms, c.weights, (%(fixed)s + %(by_length)s * c.length / c.mean_length) AS kept,
           (%(fixed)s + %(by_length)s * c.length / %(mean_length)s) AS now
    FROM (
        SELECT c.* FROM file_chunk AS c
        WHERE NOT %(few_pass)s AND c.terms && %(decisive)s::text[]
          AND (%(passing)s::text[] IS NULL OR c.file_id IN (SELECT passing.file_id FROM passing))
        UNION ALL
        SELECT c.* FROM passing
        CROSS JOIN LATERAL (SELECT * FROM file_chunk WHERE file_id = passing.file_id OFFSET 0) AS c
        WHERE %(few_pass)s
        UNION ALL
        SELECT c.* FROM named JOIN file_chunk AS c USING (file_id)
    ) AS c
    UNION ALL
    SELECT file_id, '{}', name_weights, 1, 1 FROM named
),
scored AS MATERIALIZED (
    SELECT s.file_id, s.body * s.kept / s.now + %(name_weight)s * s.name_idf AS score,
           CASE WHEN s.body * s.kept / %(most)s + s.name_idf >= %(least_idf)s OR (s.weights <#> %(numbers)s) < 0 THEN (
               SELECT COALESCE(GREATEST(sum(t.mass), max(t.floor) FILTER (
                          WHERE t.floor > 0 AND (t.spellings && s.terms OR (
                              SELECT t.spellings && f.name_terms FROM drive_file_index AS f
                              WHERE f.file_id = s.file_id)))), 0)
               FROM query_term AS t WHERE (s.weights <#> t.held) < 0
           ) ELSE 0 END AS share
    FROM (
        SELECT *, -(weights <#> %(body)s) AS body, -(weights <#> %(names)s) AS name_idf FROM text_to_score OFFSET 0
    ) AS s
)
SELECT file_id, max(share), max(score) FROM (
    SELECT file_id, share, score FROM scored
    UNION ALL
    SELECT file_id, 1, 0 FROM unnest(%(named_outright)s::text[]) AS file_id
) AS every
GROUP BY file_id HAVING max(share) >= %(least_share)s

-- name: first_files_by_words
-- The files in the scope with the highest scores, as (file id, score), among those that hold a decisive term; with
-- `alone`, among those with one of these terms or both sides of a pair; where few pass, among all of them. One inner
-- product per text, because they cost most.
WITH passing AS MATERIALIZED (SELECT unnest(%(passing)s::text[]) AS file_id)
SELECT file_id, max(score) AS score FROM (
    SELECT c.file_id, -(c.weights <#> %(body)s) * (%(fixed)s + %(by_length)s * c.length / c.mean_length)
                      / (%(fixed)s + %(by_length)s * c.length / %(mean_length)s) AS score
    FROM (
        SELECT c.* FROM file_chunk AS c
        WHERE NOT %(few_pass)s AND %(alone)s::text[] IS NULL AND c.terms && %(decisive)s::text[]
          AND (%(passing)s::text[] IS NULL OR c.file_id IN (SELECT passing.file_id FROM passing))
        UNION ALL
        SELECT c.* FROM file_chunk AS c
        WHERE %(alone)s::text[] IS NOT NULL
          AND (c.terms && %(alone)s::text[]
               OR c.terms && %(common_0)s::text[] AND c.terms && %(beside_0)s::text[]
               OR c.terms && %(common_1)s::text[] AND c.terms && %(beside_1)s::text[])
        UNION ALL
        SELECT c.* FROM passing
        CROSS JOIN LATERAL (SELECT * FROM file_chunk WHERE file_id = passing.file_id OFFSET 0) AS c
        WHERE %(few_pass)s
    ) AS c
    UNION ALL
    SELECT file_id, -(name_weights <#> %(names)s) * %(name_weight)s FROM drive_file_index
    WHERE NOT %(few_pass)s AND name_terms && %(decisive)s::text[]
      AND (%(passing)s::text[] IS NULL OR file_id IN (SELECT passing.file_id FROM passing))
    UNION ALL
    SELECT f.file_id, -(f.name_weights <#> %(names)s) * %(name_weight)s FROM passing
    CROSS JOIN LATERAL (SELECT * FROM drive_file_index WHERE file_id = passing.file_id OFFSET 0) AS f
    WHERE %(few_pass)s AND f.name_terms && %(decisive)s::text[]
) AS every
GROUP BY file_id HAVING max(score) > 0
ORDER BY score DESC, file_id LIMIT %(depth)s

-- name: first_chunks_by_words
-- The chunks in the scope with the highest scores, as (chunk id, score), found as first_files_by_words finds files.
WITH passing AS MATERIALIZED (SELECT unnest(%(passing)s::text[]) AS file_id)
SELECT chunk_id, score FROM (
    SELECT c.chunk_id, -(c.weights <#> %(body)s) * (%(fixed)s + %(by_length)s * c.length / c.mean_length)
                       / (%(fixed)s + %(by_length)s * c.length / %(mean_length)s) AS score
    FROM (
        SELECT c.* FROM file_chunk AS c
        WHERE NOT %(few_pass)s AND %(alone)s::text[] IS NULL AND c.terms && %(decisive)s::text[]
          AND (%(passing)s::text[] IS NULL OR c.file_id IN (SELECT passing.file_id FROM passing))
        UNION ALL
        SELECT c.* FROM file_chunk AS c
        WHERE %(alone)s::text[] IS NOT NULL
          AND (c.terms && %(alone)s::text[]
               OR c.terms && %(common_0)s::text[] AND c.terms && %(beside_0)s::text[]
               OR c.terms && %(common_1)s::text[] AND c.terms && %(beside_1)s::text[])
        UNION ALL
        SELECT c.* FROM passing
        CROSS JOIN LATERAL (SELECT * FROM file_chunk WHERE file_id = passing.file_id OFFSET 0) AS c
        WHERE %(few_pass)s
    ) AS c
    WHERE %(passing_chunks)s::text[] IS NULL OR c.chunk_id IN (SELECT unnest(%(passing_chunks)s::text[]))
) AS every
WHERE score > 0 ORDER BY score DESC, chunk_id LIMIT %(depth)s

-- name: weights_in_files
-- What some files give for the terms, as (file id, ordinal, breadth, length, mean length, weight of every spelling): of
-- their chunks those that may have the highest score or the largest share. How far a score can be from the exact one:
-- from nothing, for terms that occur once, to `drift`, for terms that occur often; spellings of one term add up in it.
-- The breadth (retrieval/term_weights.py) is that of these scores; rounded, so that equal texts of different days have
-- the same.
WITH score AS MATERIALIZED (
    SELECT file_id, ordinal, chunks, body * kept AS held, body * kept / now AS score, now / kept AS drift
    FROM (
        SELECT c.file_id, c.ordinal, count(*) OVER (PARTITION BY c.file_id) AS chunks,
               -(c.weights <#> %(body)s) AS body,
               (%(fixed)s + %(by_length)s * c.length / c.mean_length) AS kept,
               (%(fixed)s + %(by_length)s * c.length / %(mean_length)s) AS now
        FROM file_chunk AS c WHERE c.file_id = ANY (%(file_ids)s) OFFSET 0
    ) AS c
    WHERE body > 0
),
best AS (
    SELECT file_id, ordinal,
           round(
               cbrt(sum(score ^ 3) OVER file / max(score) OVER file ^ 3 / (1 + ln(chunks) / ln(2)))::numeric, 3
           )::float8 AS breadth,
           held = max(held) OVER file
               OR score * greatest(1, drift) >= max(score * least(1, drift)) OVER file / %(most_spellings)s AS wanted
    FROM score WINDOW file AS (PARTITION BY file_id)
)
SELECT c.file_id, c.ordinal, best.breadth, c.length, c.mean_length,
       ARRAY(SELECT -(c.weights <#> term) FROM unnest(%(terms)s::sparsevec[]) WITH ORDINALITY AS u (term, place)
             ORDER BY place)
FROM best JOIN file_chunk AS c USING (file_id, ordinal) WHERE best.wanted

-- name: weights_in_chunks
-- What some chunks give for the terms, if anything, as (chunk id, NULL, 1, length, mean length, weight of every
-- spelling).
SELECT c.chunk_id, NULL, 1.0::float8, c.length, c.mean_length,
       ARRAY(SELECT -(c.weights <#> term) FROM unnest(%(terms)s::sparsevec[]) WITH ORDINALITY AS u (term, place)
             ORDER BY place)
FROM file_chunk AS c WHERE c.chunk_id = ANY (%(chunk_ids)s) AND (c.weights <#> %(body)s) < 0

-- name: terms_in_names
-- Which terms the names of some files hold, as (file id, whether it holds each); names without any are left out.
SELECT f.file_id, ARRAY(SELECT (f.name_weights <#> term) < 0
                        FROM unnest(%(held)s::sparsevec[]) WITH ORDINALITY AS u (term, place) ORDER BY place)
FROM drive_file_index AS f WHERE f.file_id = ANY (%(file_ids)s) AND (f.name_weights <#> %(names)s) < 0
