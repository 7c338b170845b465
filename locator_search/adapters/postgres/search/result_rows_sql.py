"""The statement that reads what is shown of the files that the fusion put first, each with one of its chunks."""

from __future__ import annotations

from locator_search.adapters.postgres.search.vector_sql import WEIGHTED

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
NEARNESS = "+ %(cosine_weight)s * COALESCE(1 - (one.embedding <=> %(embedding)s), 0)"
BEST_OR_FIRST = "SELECT COALESCE(page.ordinal, 0)"
BEST_OR_NEAR = """
    SELECT page.ordinal UNION (
        SELECT k.ordinal FROM embedding_code AS k WHERE k.file_id = page.file_id AND k.ordinal >= 0
        ORDER BY {weighted} LIMIT 2)"""


def shown_statement(*, with_vectors: bool) -> str:
    """What is shown of some files, each with one of its chunks."""
    if not with_vectors:
        return SHOWN.format(nearness="", candidates=BEST_OR_FIRST)
    return SHOWN.format(nearness=NEARNESS, candidates=BEST_OR_NEAR.format(weighted=WEIGHTED))
