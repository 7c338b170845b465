"""The statements of the vector arm. `embedding_code` finds near vectors, their exact distance decides.

NEAR finds every file that is near enough; DRAWN, PASSING, `near_codes_statement` and EXACT
lead to the nearest alone; COSINES compares given files. Values are always bound.
"""

from __future__ import annotations

from locator_search.adapters.postgres.search.filters import ANY_FILE

# The vector behind a code `k`, looked up one by one: OFFSET 0 keeps the planner from reading whole tables for it.
EMBEDDING = """
CROSS JOIN LATERAL (
    SELECT c.embedding FROM file_chunk AS c WHERE c.file_id = k.file_id AND c.ordinal = k.ordinal
    UNION ALL
    SELECT own.embedding FROM drive_file_index AS own WHERE own.file_id = k.file_id AND k.ordinal = -1
    OFFSET 0
) AS kept"""

# How far a code, with both its bits per dimension, is from the question in four (retrieval/binary_codes.py).
WEIGHTED = "({})".format(
    " + ".join(
        f"{of_bits * of_plane} * (k.{bits} <~> %(plane_{of_plane})s)"
        for bits, of_bits in (("code", 2), ("fine", 1))
        for of_plane in (8, 4, 2, 1)
    )
)

# Every vector whose code does not exclude that it is near enough; its exact distance decides.
NEAR = """
SELECT k.file_id, 1 - min(kept.embedding <=> %(embedding)s)
FROM {codes} {embedding}
WHERE {condition} AND (k.code <~> %(code)s) <= %(farthest_code)s AND {weighted} <= %(farthest_weighted)s
GROUP BY k.file_id HAVING min(kept.embedding <=> %(embedding)s) <= %(farthest)s
"""

# Whether there is a graph of neighbours, how many files there are, and how far from the question the codes of a few
# pages are, the nearest first: out of that comes how many codes lie within a distance.
ONE_IN = 100
DRAWN = f"""
SELECT COALESCE((SELECT indisvalid FROM pg_catalog.pg_index WHERE indexrelid = to_regclass(%(graph)s)), false),
       (SELECT count(*) FROM drive_file_index),
       ARRAY(SELECT (k.code <~> %(code)s)::integer AS distance
             FROM embedding_code AS k TABLESAMPLE SYSTEM ({100 / ONE_IN}) REPEATABLE (0) ORDER BY distance)
"""  # noqa: S608 - our own parts

# The files that pass a filter.
PASSING = "SELECT ARRAY(SELECT f.file_id FROM drive_file_index AS f WHERE {condition})"

# The codes within a distance, the nearest by all their bits first. A limit instead of a distance would have thousands
# of rows sorted in every worker, which costs more than to compare them.
WITHIN = """
SELECT k.file_id, k.ordinal, {weighted} AS apart FROM embedding_code AS k
WHERE {files} AND {chunks} AND (k.code <~> %(code)s) <= %(edge)s
ORDER BY apart, k.file_id, k.ordinal LIMIT %(depth)s
"""

# Looked up by their index. As constants, the planner would weigh each of the ids, and rather scan all codes for 500.
OF_FILES = "k.file_id = ANY ((SELECT %(passing)s::text[])::text[])"

# The nearest along the graph of neighbours. Under a filter it would find too few, in silence.
ALONG_GRAPH = """
SELECT k.file_id, k.ordinal, {weighted} AS apart FROM (
    SELECT k.file_id, k.ordinal, k.code, k.fine FROM embedding_code AS k
    WHERE {chunks} ORDER BY k.code <~> %(code)s LIMIT %(codes)s
) AS k
ORDER BY apart, k.file_id, k.ordinal LIMIT %(depth)s
"""

EXACT = f"""
SELECT k.file_id, k.ordinal, 1 - (kept.embedding <=> %(embedding)s)
FROM unnest(%(file_ids)s::text[], %(ordinals)s::integer[]) AS k (file_id, ordinal) {EMBEDDING}
"""  # noqa: S608 - our own parts

# The cosine of a file is that of its nearest vector: one of those with the nearest codes.
COSINES = f"""
SELECT page.file_id, max(1 - (kept.embedding <=> %(embedding)s))
FROM unnest(%(file_ids)s::text[]) AS page (file_id)
CROSS JOIN LATERAL (
    SELECT k.file_id, k.ordinal FROM embedding_code AS k WHERE k.file_id = page.file_id
    ORDER BY {WEIGHTED} LIMIT 3
) AS k {EMBEDDING}
GROUP BY page.file_id
"""  # noqa: S608 - our own parts


def near_statement(condition: str) -> str:
    """Every file with a vector that is near enough, as (file id, cosine)."""
    return NEAR.format(codes=_codes(condition), weighted=WEIGHTED, embedding=EMBEDDING, condition=condition)


def passing_statement(condition: str) -> str:
    """The ids of the files that pass, as one array."""
    return PASSING.format(condition=condition)


def near_codes_statement(*, along_graph: bool = False, of_files: bool = False, chunks_alone: bool) -> str:
    """Codes near the question's, of all files or of those `passing`, as (file id, ordinal, weighted distance), best
    first."""
    return (ALONG_GRAPH if along_graph else WITHIN).format(
        files=OF_FILES if of_files else "true", chunks="k.ordinal >= 0" if chunks_alone else "true", weighted=WEIGHTED
    )


def _codes(condition: str) -> str:
    """The codes of the files that pass. Without a filter the join would only cost."""
    return "embedding_code AS k" + ("" if condition == ANY_FILE else " JOIN drive_file_index AS f USING (file_id)")
