"""The statements of the keyword arm. `weights` find texts with high scores, `keyword_arm` computes their exact BM25.

A question's terms are counted first (TERM_FREQUENCIES). WORDED finds every file that holds enough of them, with its
score and share; FIRST_WORDED leads to those with the highest scores alone; CHUNK_PARTS and NAME_PARTS say what
given files hold. Values are always bound.
"""

from __future__ import annotations

from locator_search.adapters.postgres.search.filters import ANY_FILE
from locator_search.retrieval.bm25 import LENGTH_NORMALISATION, SATURATION
from locator_search.retrieval.query_terms import LEADING_PAIRS

SEPARATOR = "\x1f"
"""Between the spellings of one term; no term holds it."""

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

# What slows repetitions down in a text (retrieval/bm25.py), as it was when its weights were made and as it is now.
_DAMPING = (
    f"{SATURATION}::float8"
    f" * ({1 - LENGTH_NORMALISATION}::float8 + {LENGTH_NORMALISATION}::float8 * c.length / {{mean_length}})"
)
KEPT_DAMPING = _DAMPING.format(mean_length="c.mean_length")
DAMPING = _DAMPING.format(mean_length="%(mean_length)s")

# Weights are right for the mean length of their day. For terms that occur once (most do) this puts them right.
SCORE = f"-(c.weights <#> %(body)s) * (1 + {KEPT_DAMPING}) / (1 + {DAMPING})"

# The chunks that may have a score. Under a filter that lets few through, these are all that pass; else what holds one
# of the terms, of which those that pass are kept: to look for terms in the texts of thousands of files takes a second.
CANDIDATES = "SELECT c.* FROM file_chunk AS c WHERE c.terms && %(decisive)s::text[]"
PAIRS = " OR ".join(
    f"c.terms && %(common_{place})s::text[] AND c.terms && %(beside_{place})s::text[]" for place in range(LEADING_PAIRS)
)
LEADING_CANDIDATES = f"SELECT c.* FROM file_chunk AS c WHERE c.terms && %(alone)s::text[] OR {PAIRS}"  # noqa: S608 - ours
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
# together, so of a file with such a name every chunk is looked at. No term gives less than one that occurs once, which
# bounds the share from above: the terms themselves are looked up only where a hit is possible.
WORDED = """
WITH {passing}query_term AS MATERIALIZED (
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
    FROM named JOIN file_chunk AS c USING (file_id)
    UNION ALL
    SELECT file_id, '{{}}', name_weights, 1, 1 FROM named
),
scored AS MATERIALIZED (
    SELECT s.file_id, s.body * s.kept / s.now + %(name_weight)s * s.name_idf AS score,
           CASE WHEN s.body * s.kept / {most} + s.name_idf >= %(least_idf)s OR (s.weights <#> %(numbers)s) < 0
                THEN {share} ELSE 0 END AS share
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
"""

# Two terms may share a dimension, so what alone makes a hit of a file is looked up by its letters.
SHARE = """(
    SELECT COALESCE(GREATEST(sum(t.mass), max(t.floor) FILTER (
               WHERE t.floor > 0 AND (t.spellings && s.terms OR (
                   SELECT t.spellings && f.name_terms FROM drive_file_index AS f WHERE f.file_id = s.file_id)))), 0)
    FROM query_term AS t WHERE (s.weights <#> t.held) < 0
)"""

# One inner product per text, because they cost most.
FIRST_WORDED = """
{passing}SELECT file_id, max(score) AS score FROM (
    SELECT c.file_id, {score} AS score FROM ({candidates}) AS c
    UNION ALL
    SELECT f.file_id, -(f.name_weights <#> %(names)s) * %(name_weight)s FROM drive_file_index AS f
    WHERE f.name_terms && %(decisive)s::text[] AND {condition}
) AS every
GROUP BY file_id HAVING max(score) > 0
ORDER BY score DESC, file_id LIMIT %(depth)s
"""

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
{passing}SELECT c.file_id, c.ordinal, c.length, c.mean_length,
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
FROM drive_file_index AS f WHERE f.file_id = ANY(%(file_ids)s) AND (f.name_weights <#> %(names)s) < 0
"""


def worded_statement(condition: str) -> str:
    """Every file that holds enough of the terms, as (file id, share, score)."""
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


def first_worded_statement(condition: str, *, leading: bool) -> str:
    """The files with the highest scores, as (file id, score); of all that hold a decisive term, or of the `leading`."""
    return FIRST_WORDED.format(
        passing="" if leading else _with_passing(condition),
        candidates=LEADING_CANDIDATES if leading else _candidates(condition),
        condition=condition,
        score=SCORE,
    )


def matching_statement(condition: str, *, leading: bool) -> str:
    """The chunks with the highest scores, as (file id, ordinal, length, mean length, weights of every spelling); of all
    that hold a decisive term, or of the `leading`."""
    return MATCHING.format(
        passing="" if leading else _with_passing(condition),
        candidates=LEADING_CANDIDATES if leading else _candidates(condition),
        score=SCORE,
    )


def _with_passing(condition: str) -> str:
    return "" if condition == ANY_FILE else f"WITH {PASSING.format(condition=condition)}\n"


def _candidates(condition: str) -> str:
    return CANDIDATES if condition == ANY_FILE else PASSING_CANDIDATES
