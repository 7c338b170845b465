"""The statements of retrieval. Written once, put together from the parts a mode needs; values are always bound.

Statement 1 counts how often the question's terms occur. Statement 2 runs both arms over all files that pass the
filters and returns the exact hit count, the facets and the best of each arm. Statement 3 reads what is shown of the
files that the fusion put first.
"""

from __future__ import annotations

from locator_search.adapters.postgres.facets import FACET_COUNTS, FACETED_COLUMNS
from locator_search.adapters.postgres.filters import ANY_FILE
from locator_search.model import RetrievalMode

SATURATION = 0.8
"""BM25's k1: how much a repeated term still counts. Measured (docs/decisions/0030): the usual 1.2 is for whole
documents, and chunks are short."""
LENGTH_NORMALISATION = 0.9
"""BM25's b: how much a long chunk pays for its length; measured like k1, the usual value is 0.75."""

SEPARATOR = "\x1f"
"""Between the alternatives of one term; no term holds it."""

# The planner takes a vector comparison for as cheap as that of two numbers; told that workers are cheap, it lets
# several of them share a large scan.
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

VECTOR_ARM = """
near AS MATERIALIZED (
    SELECT file_id, min(distance) AS distance FROM (
        SELECT f.file_id, f.embedding <=> %(embedding)s AS distance FROM drive_file_index AS f WHERE {condition}
        UNION ALL
        SELECT c.file_id, c.embedding <=> %(embedding)s FROM {chunks} WHERE {condition}
    ) AS every
    GROUP BY file_id
)"""

# A file is looked at when a chunk or its name holds one of the decisive terms; its share counts name and chunk
# together, so of a file with such a name every chunk is looked at.
KEYWORD_ARM = """
query_term AS MATERIALIZED (
    SELECT q.term, string_to_array(q.alternatives, '{separator}') AS alternatives, q.idf, q.mass, q.floor
    FROM unnest(%(terms)s::text[], %(alternatives)s::text[], %(idfs)s::float8[], %(masses)s::float8[],
                %(floors)s::float8[]) AS q (term, alternatives, idf, mass, floor)
),
named AS MATERIALIZED (
    SELECT f.file_id FROM drive_file_index AS f WHERE f.name_terms && %(decisive)s::text[] AND {condition}
),
candidate AS MATERIALIZED (
    SELECT c.chunk_id FROM {chunks} WHERE c.terms && %(decisive)s::text[] AND {condition}
    UNION
    SELECT c.chunk_id FROM named JOIN file_chunk AS c USING (file_id)
),
text_to_score AS (
    SELECT c.file_id, c.chunk_id, c.frequencies, c.length FROM candidate JOIN file_chunk AS c USING (chunk_id)
    UNION ALL
    SELECT file_id, NULL, '{{}}'::jsonb, 0 FROM named
),
scored AS MATERIALIZED (
    SELECT s.file_id, s.chunk_id, found.*
    FROM text_to_score AS s
    JOIN drive_file_index AS f USING (file_id)
    -- Each OFFSET 0 keeps what is costly from being done again for every use: fetching the frequencies from TOAST
    -- (the concatenation fetches them), and looking a term up in them.
    CROSS JOIN LATERAL (SELECT s.frequencies || '{{}}'::jsonb AS frequencies OFFSET 0) AS fetched
    CROSS JOIN LATERAL (
        SELECT COALESCE(sum(t.idf * t.tf * (%(k1)s + 1)
                   / (t.tf + %(k1)s * (1 - %(b)s + %(b)s * s.length / %(mean_length)s))), 0) AS bm25,
               COALESCE(sum(t.idf) FILTER (WHERE t.named), 0) AS name_idf,
               COALESCE(GREATEST(sum(t.mass) FILTER (WHERE t.tf > 0 OR t.named),
                                 max(t.floor) FILTER (WHERE t.tf > 0 OR t.named)), 0) AS share
        FROM (
            SELECT q.idf, q.mass, q.floor, {frequency} AS tf, q.term = ANY (f.name_terms){named_otherwise} AS named
            FROM query_term AS q OFFSET 0
        ) AS t
    ) AS found
),
worded AS MATERIALIZED (
    SELECT file_id, max(share) AS share, max(bm25 + %(name_weight)s * name_idf) AS score,
           max(bm25) AS bm25, max(name_idf) AS name_idf,
           (array_agg(chunk_id ORDER BY bm25 DESC, chunk_id) FILTER (WHERE chunk_id IS NOT NULL))[1] AS chunk_id
    FROM scored WHERE share > 0 GROUP BY file_id
)"""

HITS = {
    "hybrid": """
hit AS MATERIALIZED (
    SELECT file_id, near.distance, worded.share, worded.score, worded.bm25, worded.name_idf, worded.chunk_id
    FROM near LEFT JOIN worded USING (file_id)
    WHERE near.distance <= %(farthest)s OR worded.share >= %(least_share)s
)""",
    "vector": """
hit AS MATERIALIZED (
    SELECT file_id, distance, NULL::float8 AS share, NULL::float8 AS score, NULL::float8 AS bm25,
           NULL::float8 AS name_idf, NULL AS chunk_id
    FROM near WHERE distance <= %(farthest)s
)""",
    "keyword": """
hit AS MATERIALIZED (
    SELECT file_id, NULL::float8 AS distance, share, score, bm25, name_idf, chunk_id
    FROM worded WHERE share >= %(least_share)s
)""",
}

# A term counts once, as often as the most frequent of its alternatives. One place after the other is cheaper than a
# subquery, and a place without an alternative costs nothing.
FREQUENCY = "(fetched.frequencies ->> q.term)::float8"
FREQUENCY_OF_ALTERNATIVE = "(fetched.frequencies ->> q.alternatives[{place}])::float8"
NAMED_OTHERWISE = " OR COALESCE(q.alternatives && f.name_terms, false)"

# The best of each arm: fused further down, where only the first of either can be among the first of both.
FOUND = """,
ranked AS (
    SELECT *, CASE WHEN distance IS NOT NULL THEN rank() OVER (ORDER BY distance) END AS vector_rank,
           CASE WHEN score IS NOT NULL THEN rank() OVER (ORDER BY score DESC NULLS LAST) END AS keyword_rank
    FROM hit
),
faceted AS (SELECT {columns} FROM drive_file_index AS f JOIN hit USING (file_id))
SELECT (SELECT count(*) FROM hit), (SELECT min(distance) FROM hit), (SELECT max(share) FROM hit),
       {facets},
       (SELECT jsonb_agg(jsonb_build_array(file_id, 1 - distance, vector_rank, score, keyword_rank, share, bm25,
                                           name_idf, chunk_id))
        FROM ranked WHERE vector_rank <= %(depth)s OR keyword_rank <= %(depth)s)
"""

# Which chunk of a file is shown: the best of the keyword arm or the nearest, whichever counts more in the fusion.
SHOWN = """
SELECT f.file_id, f.file_name, f.summary, f.link, f.mime_type, f.drive_modified_at, f.keywords, f.folder_path,
       f.location, f.revision, f.size, f.owner, f.source,
       c.chunk_id, c.text, c.heading_path, c.page, c.clause,
       ARRAY(SELECT q FROM unnest(%(terms)s::text[]) AS q WHERE c.frequencies ? q OR q = ANY (f.name_terms)) AS matched
FROM unnest(%(file_ids)s::text[], %(chunk_ids)s::text[], %(keyword_parts)s::float8[])
     AS page (file_id, chunk_id, keyword_part)
JOIN drive_file_index AS f USING (file_id)
LEFT JOIN LATERAL (
    SELECT * FROM file_chunk AS one WHERE one.file_id = f.file_id
    ORDER BY CASE WHEN one.chunk_id = page.chunk_id THEN page.keyword_part ELSE 0 END {nearness} DESC, one.ordinal
    LIMIT 1
) AS c ON true
"""
NEARNESS = "+ %(cosine_weight)s * (1 - (one.embedding <=> %(embedding)s))"


def search_statement(mode: RetrievalMode, condition: str, *, with_facets: bool, most_alternatives: int = 0) -> str:
    """Statement 2 for one mode and filter, and terms with at most so many alternatives."""
    arms = [arm for arm, used in ((VECTOR_ARM, mode != "keyword"), (KEYWORD_ARM, mode != "vector")) if used]
    places = [FREQUENCY_OF_ALTERNATIVE.format(place=place + 1) for place in range(most_alternatives)]
    parts = ",".join([*arms, HITS[mode]]).format(
        condition=condition,
        chunks=_chunks(condition),
        separator=SEPARATOR,
        frequency=f"GREATEST({', '.join([FREQUENCY, *places])})",
        named_otherwise=NAMED_OTHERWISE if places else "",
    )
    return f"WITH {parts}" + FOUND.format(
        columns=FACETED_COLUMNS, facets=f"({FACET_COUNTS})" if with_facets else "NULL::jsonb"
    )


def shown_statement(*, with_vectors: bool) -> str:
    """Statement 3."""
    return SHOWN.format(nearness=NEARNESS if with_vectors else "")


def _chunks(condition: str) -> str:
    """All chunks, or those of the files under a filter. Without one the join would only cost."""
    return "file_chunk AS c" if condition == ANY_FILE else "file_chunk AS c JOIN drive_file_index AS f USING (file_id)"
