"""The statements of retrieval. Written once, put together from the parts a mode needs; values are always bound.

A retrieval counts the terms of the question (TERM_FREQUENCIES), finds files (`counted_statement` where a threshold
makes hits of them; `near_codes_statement` and `worded_statement` where only the first matter), compares those that may
come first in both arms (COSINES, CHUNK_PARTS, NAME_PARTS) and reads what is shown of the files that the fusion put
first (`shown_statement`). `embedding_code` finds near vectors, the exact distance of those decides; `weights` find
chunks with high scores, the exact BM25 of those is computed in `keyword_arm`.
"""

from __future__ import annotations

from locator_search.adapters.postgres.facets import FACET_COUNTS, FACETED_COLUMNS
from locator_search.adapters.postgres.filters import ANY_FILE
from locator_search.model import RetrievalMode
from locator_search.retrieval.binary_codes import BITS
from locator_search.retrieval.bm25 import LENGTH_NORMALISATION, SATURATION

SEPARATOR = "\x1f"
"""Between the spellings of one term; no term holds it."""

# The planner takes a vector comparison for as cheap as that of two numbers; told that workers are cheap, it lets
# several of them share a large scan. Hash joins of workers need more shared memory than small containers have.
PLANNING = """
SET LOCAL jit = off;
SET LOCAL work_mem = '64MB';
SET LOCAL parallel_setup_cost = 100;
SET LOCAL parallel_tuple_cost = 0.001
"""

TERM_FREQUENCIES = """
SELECT q.term,
       COALESCE(NULLIF(k.document_frequency, 0),
                -- In no chunk: perhaps in names, where a document number often stands alone.
                (SELECT count(*) FROM drive_file_index AS f WHERE f.name_terms @> ARRAY[q.term])),
       t.chunks, t.total_length,
       CASE WHEN q.term = ANY (%(numbers)s::text[]) THEN (SELECT count(*) FROM (
           SELECT c.file_id FROM file_chunk AS c WHERE c.terms @> ARRAY[q.term]
           UNION
           SELECT f.file_id FROM drive_file_index AS f WHERE f.name_terms @> ARRAY[q.term]
           LIMIT %(most_bearers)s + 1
       ) AS bearer) END
FROM keyword_total AS t
LEFT JOIN unnest(%(terms)s::text[]) AS q (term) ON true
LEFT JOIN keyword_term AS k USING (term)
"""

# The vector behind a code `k`, looked up one by one: OFFSET 0 keeps the planner from reading whole tables for it.
EMBEDDING = """
CROSS JOIN LATERAL (
    SELECT c.embedding FROM file_chunk AS c WHERE c.file_id = k.file_id AND c.ordinal = k.ordinal
    UNION ALL
    SELECT own.embedding FROM drive_file_index AS own WHERE own.file_id = k.file_id AND k.ordinal = -1
    OFFSET 0
) AS kept"""

# How far a code is from the question in four bits per dimension (retrieval/binary_codes.py).
WEIGHTED = (
    "(8 * (k.code <~> %(plane_8)s) + 4 * (k.code <~> %(plane_4)s) + 2 * (k.code <~> %(plane_2)s)"
    " + (k.code <~> %(plane_1)s))"
)

# Every vector whose code does not exclude that it is near enough; its exact distance decides.
NEAR = """
near AS MATERIALIZED (
    SELECT k.file_id, min(kept.embedding <=> %(embedding)s) AS distance
    FROM {codes} {embedding}
    WHERE {condition} AND (k.code <~> %(code)s) <= %(farthest_code)s AND {weighted} <= %(farthest_weighted)s
    GROUP BY k.file_id HAVING min(kept.embedding <=> %(embedding)s) <= %(farthest)s
)"""

# Whether there is a graph of neighbours, how many files there are, and how far from the question the codes of a few
# pages are, the nearest first: out of that comes how many codes lie within a distance.
ONE_IN = 50
DRAWN = f"""
SELECT COALESCE((SELECT indisvalid FROM pg_catalog.pg_index WHERE indexrelid = to_regclass(%(graph)s)), false),
       (SELECT count(*) FROM drive_file_index),
       ARRAY(SELECT (k.code <~> %(code)s)::integer AS distance
             FROM embedding_code AS k TABLESAMPLE SYSTEM ({100 / ONE_IN}) REPEATABLE (0) ORDER BY distance)
"""  # noqa: S608 - our own parts

# The codes within a distance, the nearest in four bits first. A limit instead of a distance would have thousands of
# rows sorted in every worker, which costs more than to compare them.
WITHIN = """
SELECT k.file_id, k.ordinal, {weighted} AS apart FROM embedding_code AS k
WHERE {chunks} AND (k.code <~> %(code)s) <= %(edge)s
ORDER BY apart, k.file_id, k.ordinal LIMIT %(depth)s
"""

# The same under a filter, with the number of files that pass and the distance. The fewer pass, the farther out lie as
# many codes: the place in the draw grows with the share of files that do not.
WITHIN_FILTER = """
WITH passing AS MATERIALIZED (SELECT f.file_id FROM drive_file_index AS f WHERE {condition}),
edge AS MATERIALIZED (
    SELECT count(*) AS files,
           COALESCE(%(edge)s::integer,
                    (%(drawn)s::integer[])[1 + %(place)s::bigint * %(files)s / GREATEST(count(*), 1)],
                    {bits}) AS distance
    FROM passing
)
SELECT k.file_id, k.ordinal, {weighted} AS apart, (SELECT files FROM edge), (SELECT distance FROM edge)
FROM passing JOIN embedding_code AS k USING (file_id)
WHERE {chunks} AND (k.code <~> %(code)s) <= (SELECT distance FROM edge)
ORDER BY apart, k.file_id, k.ordinal LIMIT %(depth)s
"""

# The nearest along the graph of neighbours. Under a filter it would find too few, in silence.
ALONG_GRAPH = """
SELECT k.file_id, k.ordinal, {weighted} AS apart FROM (
    SELECT k.file_id, k.ordinal, k.code FROM embedding_code AS k
    WHERE {chunks} ORDER BY k.code <~> %(code)s LIMIT %(codes)s
) AS k
ORDER BY apart, k.file_id, k.ordinal LIMIT %(depth)s
"""

EXACT = f"""
SELECT k.file_id, k.ordinal, 1 - (kept.embedding <=> %(embedding)s)
FROM unnest(%(file_ids)s::text[], %(ordinals)s::integer[]) AS k (file_id, ordinal) {EMBEDDING}
"""  # noqa: S608 - our own parts

# What slows repetitions down in a text (retrieval/bm25.py), as it was when its weights were made and as it is now.
_DAMPING = f"{SATURATION} * (1 - {LENGTH_NORMALISATION} + {LENGTH_NORMALISATION} * c.length / {{mean_length}})"
KEPT_DAMPING = _DAMPING.format(mean_length="c.mean_length")
DAMPING = _DAMPING.format(mean_length="%(mean_length)s")

# Weights are right for the mean length of their day. For terms that occur once (most do) this puts them right.
SCORE = f"-(c.weights <#> %(body)s) * (1 + {KEPT_DAMPING}) / (1 + {DAMPING})"

# The chunks that may have a score. Under a filter that lets few through, these are all that pass; else what holds one
# of the terms, of which those that pass are kept: to look for terms in the texts of thousands of files takes a second.
CANDIDATES = "SELECT c.* FROM file_chunk AS c WHERE c.terms && %(decisive)s::text[]"
PASSING = """
passing AS MATERIALIZED (SELECT f.file_id FROM drive_file_index AS f WHERE {condition}),
few AS MATERIALIZED (
    SELECT count(*) * (SELECT chunks FROM keyword_total) <= %(few)s * (SELECT count(*) FROM drive_file_index) AS pass
    FROM passing
)"""
PASSING_CANDIDATES = f"""
SELECT c.* FROM ({CANDIDATES} OFFSET 0) AS c JOIN passing USING (file_id) WHERE NOT (SELECT pass FROM few)
UNION ALL
SELECT c.* FROM passing CROSS JOIN LATERAL (SELECT * FROM file_chunk WHERE file_id = passing.file_id OFFSET 0) AS c
WHERE (SELECT pass FROM few)
"""  # noqa: S608 - our own parts

# A file is looked at when a chunk or its name holds one of the decisive terms; its share counts name and chunk
# together, so of a file with such a name every chunk is looked at, where shares matter. No term gives less than one
# that occurs once, which bounds the share from above: the terms themselves are looked up only where a hit is possible.
WORDED = """
{passing}query_term AS MATERIALIZED (
    SELECT q.held, string_to_array(q.spellings, '{separator}') AS spellings, q.mass, q.floor
    FROM unnest(%(held)s::sparsevec[], %(spellings)s::text[], %(masses)s::float8[], %(floors)s::float8[])
        AS q (held, spellings, mass, floor)
),
named AS MATERIALIZED (
    SELECT f.file_id, f.name_weights FROM drive_file_index AS f
    WHERE f.name_terms && %(decisive)s::text[] AND {condition}
),
text_to_score AS (
    SELECT c.file_id, c.terms, c.weights, 1 + {kept_damping} AS kept, 1 + {damping} AS now
    FROM ({candidates}) AS c
    UNION ALL
    SELECT c.file_id, c.terms, c.weights, 1 + {kept_damping}, 1 + {damping}
    FROM named JOIN file_chunk AS c USING (file_id) WHERE %(shares)s
    UNION ALL
    SELECT file_id, '{{}}', name_weights, 1, 1 FROM named
),
scored AS MATERIALIZED (
    SELECT s.file_id, s.body * s.kept / s.now + %(name_weight)s * s.name_idf AS score,
           CASE WHEN %(shares)s AND (s.body * s.kept / {most} + s.name_idf >= %(least_idf)s
                                     OR (s.weights <#> %(numbers)s) < 0) THEN {share} ELSE 0 END AS share
    FROM (
        SELECT *, -(weights <#> %(body)s) AS body, -(weights <#> %(names)s) AS name_idf FROM text_to_score OFFSET 0
    ) AS s
),
worded AS MATERIALIZED (
    SELECT file_id, max(share) AS share, max(score) AS score FROM (
        SELECT file_id, share, score FROM scored
        UNION ALL
        SELECT file_id, 1, 0 FROM unnest(%(called_so)s::text[]) AS file_id
    ) AS every
    GROUP BY file_id HAVING CASE WHEN %(shares)s THEN max(share) >= %(least_share)s ELSE max(score) > 0 END
)"""

# Two terms may share a dimension, so what alone makes a hit of a file is looked up by its letters.
SHARE = """(
    SELECT COALESCE(GREATEST(sum(t.mass), max(t.floor) FILTER (
               WHERE t.floor > 0 AND (t.spellings && s.terms OR (
                   SELECT t.spellings && f.name_terms FROM drive_file_index AS f WHERE f.file_id = s.file_id)))), 0)
    FROM query_term AS t WHERE (s.weights <#> t.held) < 0
)"""

NO_NEAR = "near AS (SELECT NULL::text AS file_id, NULL::float8 AS distance WHERE false)"
NO_WORDED = "worded AS (SELECT NULL::text AS file_id, NULL::float8 AS share, NULL::float8 AS score WHERE false)"

COUNTED = """
hit AS MATERIALIZED (
    SELECT file_id, near.distance, worded.share, worded.score FROM near FULL JOIN worded USING (file_id)
),
faceted AS (SELECT {columns} FROM drive_file_index AS f JOIN hit USING (file_id))
SELECT (SELECT count(*) FROM hit), (SELECT 1 - min(distance) FROM hit), (SELECT max(share) FROM hit), {facets},
       (SELECT jsonb_object_agg(file_id, 1 - distance) FROM (
           SELECT * FROM hit WHERE distance IS NOT NULL ORDER BY distance, file_id LIMIT %(depth)s) AS first_near),
       (SELECT jsonb_object_agg(file_id, share) FROM (
           SELECT * FROM hit WHERE score IS NOT NULL ORDER BY score DESC, file_id LIMIT %(depth)s) AS first_worded)
"""

FIRST_WORDED = "SELECT file_id, score FROM worded ORDER BY score DESC, file_id LIMIT %(depth)s"

# The cosine of a file is that of its nearest vector: one of those with the nearest codes.
COSINES = f"""
SELECT page.file_id, max(1 - (kept.embedding <=> %(embedding)s))
FROM unnest(%(file_ids)s::text[]) AS page (file_id)
CROSS JOIN LATERAL (
    SELECT k.file_id, k.ordinal FROM embedding_code AS k WHERE k.file_id = page.file_id
    ORDER BY (k.code <~> %(code)s) + 0 LIMIT 8
) AS k {EMBEDDING}
GROUP BY page.file_id
"""  # noqa: S608 - our own parts

# Chunks that may have the highest score or the largest share of their file. How far a score can be from SCORE: from
# nothing, for terms that occur once, to `drift`, for terms that occur often; spellings of one term add up in it.
CHUNK_PARTS = f"""
WITH score AS MATERIALIZED (
    SELECT file_id, ordinal, body * kept AS held, body * kept / now AS score, now / kept AS drift
    FROM (
        SELECT c.file_id, c.ordinal, -(c.weights <#> %(body)s) AS body, 1 + {KEPT_DAMPING} AS kept, 1 + {DAMPING} AS now
        FROM file_chunk AS c WHERE c.file_id = ANY(%(file_ids)s) OFFSET 0
    ) AS c
    WHERE body > 0
),
best AS (
    SELECT file_id, ordinal, held = max(held) OVER file
               OR score * greatest(1, drift) >= max(score * least(1, drift)) OVER file / %(most_spellings)s AS wanted
    FROM score WINDOW file AS (PARTITION BY file_id)
)
SELECT c.file_id, c.ordinal, c.length, c.mean_length,
       ARRAY(SELECT -(c.weights <#> term) FROM unnest(%(terms)s::sparsevec[]) WITH ORDINALITY AS u (term, place)
             ORDER BY place)
FROM best JOIN file_chunk AS c USING (file_id, ordinal) WHERE best.wanted
"""  # noqa: S608 - our own parts

# A few more than asked for, because the exact scores decide.
MATCHING = """
{with_passing}SELECT c.file_id, c.ordinal, c.length, c.mean_length,
       ARRAY(SELECT -(c.weights <#> term) FROM unnest(%(terms)s::sparsevec[]) WITH ORDINALITY AS u (term, place)
             ORDER BY place)
FROM (
    SELECT c.file_id, c.ordinal FROM ({candidates}) AS c
    ORDER BY {score} DESC LIMIT %(depth)s
) AS best JOIN file_chunk AS c USING (file_id, ordinal)
"""

NAME_PARTS = """
SELECT f.file_id, ARRAY(SELECT (f.name_weights <#> term) < 0
                        FROM unnest(%(held)s::sparsevec[]) WITH ORDINALITY AS u (term, place) ORDER BY place)
FROM drive_file_index AS f WHERE f.file_id = ANY(%(file_ids)s)
"""

# Which chunk of a file is shown: the best of the keyword arm or the nearest, whichever counts more in the fusion.
SHOWN = """
SELECT f.file_id, f.file_name, f.summary, f.link, f.mime_type, f.drive_modified_at, f.keywords, f.folder_path,
       f.location, f.revision, f.size, f.owner, f.source, f.metadata,
       c.chunk_id, c.text, c.heading_path, c.page, c.clause,
       ARRAY(SELECT q.term FROM unnest(%(spelled)s::text[], %(each)s::sparsevec[]) AS q (term, held)
             WHERE (COALESCE(c.weights, f.name_weights) <#> q.held) < 0) AS matched
FROM unnest(%(file_ids)s::text[], %(ordinals)s::integer[], %(keyword_parts)s::float8[])
     AS page (file_id, ordinal, keyword_part)
JOIN drive_file_index AS f USING (file_id)
LEFT JOIN LATERAL (
    SELECT one.* FROM ({candidates}) AS candidate (ordinal)
    JOIN file_chunk AS one ON one.file_id = page.file_id AND one.ordinal = candidate.ordinal
    ORDER BY CASE WHEN one.ordinal = page.ordinal THEN page.keyword_part ELSE 0 END {nearness} DESC, one.ordinal
    LIMIT 1
) AS c ON true
"""
NEARNESS = "+ %(cosine_weight)s * (1 - (one.embedding <=> %(embedding)s))"
BEST_OR_FIRST = "SELECT COALESCE(page.ordinal, 0)"
BEST_OR_NEAR = """
    SELECT page.ordinal UNION (
        SELECT k.ordinal FROM embedding_code AS k WHERE k.file_id = page.file_id AND k.ordinal >= 0
        ORDER BY (k.code <~> %(code)s) + 0 LIMIT 4)"""


def counted_statement(mode: RetrievalMode, condition: str, *, with_facets: bool) -> str:
    """Counts hits and their facets, and returns the first of each arm: (count, highest cosine, largest share, facets,
    cosines by file, shares by file)."""
    near = _near(condition) if mode != "keyword" else NO_NEAR
    worded = _worded(condition) if mode != "vector" else NO_WORDED
    return f"WITH {near}, {worded}," + COUNTED.format(columns=FACETED_COLUMNS, facets=_facets(with_facets))


def near_codes_statement(condition: str, *, along_graph: bool, chunks_alone: bool) -> str:
    """Codes near the question's, as (file id, ordinal, weighted distance), best first; under a filter with the number
    of files that pass and the distance within which all are."""
    filtered = WITHIN_FILTER if condition != ANY_FILE else WITHIN
    return (ALONG_GRAPH if along_graph else filtered).format(
        condition=condition, chunks="k.ordinal >= 0" if chunks_alone else "true", weighted=WEIGHTED, bits=BITS
    )


def worded_statement(condition: str) -> str:
    """The files with the highest scores, as (file id, score)."""
    return f"WITH {_worded(condition)} {FIRST_WORDED}"


def matching_statement(condition: str) -> str:
    """The chunks with the highest scores, as (file id, ordinal, length, mean length, weights of every spelling)."""
    passing = "" if condition == ANY_FILE else f"WITH {PASSING.format(condition=condition)}\n"
    return MATCHING.format(with_passing=passing, candidates=_candidates(condition), score=SCORE)


def shown_statement(*, with_vectors: bool) -> str:
    """What is shown of some files, each with one of its chunks."""
    if not with_vectors:
        return SHOWN.format(nearness="", candidates=BEST_OR_FIRST)
    return SHOWN.format(nearness=NEARNESS, candidates=BEST_OR_NEAR)


def _near(condition: str) -> str:
    return NEAR.format(codes=_codes(condition), weighted=WEIGHTED, embedding=EMBEDDING, condition=condition)


def _worded(condition: str) -> str:
    return WORDED.format(
        separator=SEPARATOR,
        condition=condition,
        passing="" if condition == ANY_FILE else f"{PASSING.format(condition=condition)},",
        candidates=_candidates(condition),
        kept_damping=KEPT_DAMPING,
        damping=DAMPING,
        most=SATURATION + 1,
        share=SHARE,
    )


def _codes(condition: str) -> str:
    return "embedding_code AS k" + _files(condition)


def _candidates(condition: str) -> str:
    return CANDIDATES if condition == ANY_FILE else PASSING_CANDIDATES


def _files(condition: str) -> str:
    """What a filter looks at. Without one the join would only cost."""
    return "" if condition == ANY_FILE else " JOIN drive_file_index AS f USING (file_id)"


def _facets(with_facets: bool) -> str:
    return f"({FACET_COUNTS})" if with_facets else "NULL::jsonb"
