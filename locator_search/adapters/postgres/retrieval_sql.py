"""The statements of a retrieval that both arms have in common: counting hits, and reading what is shown of them.

`counted_statement` makes hits of what the arms find near or worded enough (`vector_sql`, `keyword_sql`);
`shown_statement` reads the files that the fusion put first, each with one of its chunks. Values are always bound.
"""

from __future__ import annotations

from locator_search.adapters.postgres.facets import FACET_COUNTS, FACETED_COLUMNS
from locator_search.adapters.postgres.keyword_sql import NO_WORDED, worded_part
from locator_search.adapters.postgres.vector_sql import NO_NEAR, WEIGHTED, near_part
from locator_search.model import RetrievalMode

# The planner takes a vector comparison for as cheap as that of two numbers; told that workers are cheap, it lets
# several of them share a large scan. Hash joins of workers need more shared memory than small containers have.
PLANNING = """
SET LOCAL jit = off;
SET LOCAL work_mem = '64MB';
SET LOCAL parallel_setup_cost = 100;
SET LOCAL parallel_tuple_cost = 0.001
"""

# The files of the facets are looked up one by one: the planner, who cannot know how few hits there are, would read them
# all.
COUNTED = """
hit AS MATERIALIZED (
    SELECT file_id, near.distance, worded.share, worded.score FROM near FULL JOIN worded USING (file_id)
),
faceted AS (
    SELECT {columns} FROM drive_file_index AS f WHERE f.file_id = ANY(ARRAY(SELECT file_id FROM hit))
)
SELECT (SELECT count(*) FROM hit), (SELECT 1 - min(distance) FROM hit), (SELECT max(share) FROM hit), {facets},
       (SELECT jsonb_object_agg(file_id, 1 - distance) FROM (
           SELECT * FROM hit WHERE distance IS NOT NULL ORDER BY distance, file_id LIMIT %(depth)s) AS first_near),
       (SELECT jsonb_object_agg(file_id, share) FROM (
           SELECT * FROM hit WHERE score IS NOT NULL ORDER BY score DESC, file_id LIMIT %(depth)s) AS first_worded)
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
        ORDER BY {weighted} LIMIT 2)"""


def counted_statement(mode: RetrievalMode, condition: str, *, with_facets: bool) -> str:
    """Counts hits and their facets, and returns the first of each arm: (count, highest cosine, largest share, facets,
    cosines by file, shares by file)."""
    near = near_part(condition) if mode != "keyword" else NO_NEAR
    worded = worded_part(condition) if mode != "vector" else NO_WORDED
    return f"WITH {near}, {worded}," + COUNTED.format(columns=FACETED_COLUMNS, facets=_facets(with_facets))


def shown_statement(*, with_vectors: bool) -> str:
    """What is shown of some files, each with one of its chunks."""
    if not with_vectors:
        return SHOWN.format(nearness="", candidates=BEST_OR_FIRST)
    return SHOWN.format(nearness=NEARNESS, candidates=BEST_OR_NEAR.format(weighted=WEIGHTED))


def _facets(with_facets: bool) -> str:
    return f"({FACET_COUNTS})" if with_facets else "NULL::jsonb"
