"""Chunks by one arm alone: the nearest to a vector, or those that hold the terms of a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres import retrieval_sql as sql
from locator_search.adapters.postgres.database import Connection
from locator_search.adapters.postgres.rows import clean, clean_json
from locator_search.model import ChunkHit, JsonValue
from locator_search.retrieval.query_terms import weigh
from locator_search.text.terms import analyse, bare

if TYPE_CHECKING:
    from locator_search.model import Vector

NEAREST = """
SELECT c.chunk_id, c.file_id, c.ordinal, c.text, f.metadata, c.page, c.heading_path, 1 - near.distance AS score
FROM (
    SELECT c.chunk_id, c.embedding <=> %(embedding)s AS distance
    FROM file_chunk AS c {joined} WHERE {condition} ORDER BY distance LIMIT %(k)s
) AS near
JOIN file_chunk AS c USING (chunk_id) JOIN drive_file_index AS f USING (file_id)
WHERE near.distance <= 2 ORDER BY near.distance, c.chunk_id
"""

MATCHING = """
SELECT c.chunk_id, c.file_id, c.ordinal, c.text, f.metadata, c.page, c.heading_path, best.score,
       ARRAY(SELECT q FROM unnest(%(terms)s::text[]) AS q WHERE c.frequencies ? q) AS matched
FROM (
    SELECT c.chunk_id, found.score
    FROM file_chunk AS c {joined}
    -- OFFSET 0: the frequencies are fetched from TOAST once for a chunk, not once for each of its terms.
    CROSS JOIN LATERAL (SELECT c.frequencies || '{{}}'::jsonb AS frequencies OFFSET 0) AS fetched
    CROSS JOIN LATERAL (
        SELECT sum(q.idf * q.tf * (%(k1)s + 1)
                   / (q.tf + %(k1)s * (1 - %(b)s + %(b)s * c.length / %(mean_length)s))) AS score
        FROM (SELECT idf, (fetched.frequencies ->> term)::float8 AS tf
              FROM unnest(%(terms)s::text[], %(idfs)s::float8[]) AS q (term, idf)) AS q
    ) AS found
    WHERE c.terms && %(terms)s::text[] AND {condition}
    ORDER BY found.score DESC, c.chunk_id LIMIT %(k)s
) AS best
JOIN file_chunk AS c USING (chunk_id) JOIN drive_file_index AS f USING (file_id)
ORDER BY best.score DESC, c.chunk_id
"""


def nearest_chunks(
    connection: Connection, embedding: Vector, k: int, metadata: Mapping[str, JsonValue]
) -> list[ChunkHit]:
    """The nearest chunks of files with that metadata."""
    return _hits(connection, NEAREST, {"embedding": embedding, "k": k}, metadata)


def matching_chunks(connection: Connection, text: str, k: int, metadata: Mapping[str, JsonValue]) -> list[ChunkHit]:
    """The chunks with the highest BM25 scores, of files with that metadata."""
    terms = list(analyse(clean(text)).terms)
    rows = connection.execute(sql.TERM_FREQUENCIES, {"terms": terms, "numbers": [], "most_bearers": 0}).fetchall()
    frequencies = {row[0]: int(row[1]) for row in rows if row[0] is not None}
    chunks, total_length = rows[0][2:4]
    weighed = [term for term in weigh(terms, frequencies, {}, chunks) if term.found]
    values = {
        "terms": [term.term for term in weighed],
        "idfs": [term.idf for term in weighed],
        "k1": sql.SATURATION,
        "b": sql.LENGTH_NORMALISATION,
        "mean_length": max(1.0, total_length / max(1, chunks)),
        "k": k,
    }
    return _hits(connection, MATCHING, values, metadata)


def _hits(
    connection: Connection, statement: str, values: Mapping[str, object], metadata: Mapping[str, JsonValue]
) -> list[ChunkHit]:
    cleaned = Jsonb({clean(name): clean_json(value) for name, value in metadata.items()})
    written = statement.format(
        joined="JOIN drive_file_index AS f USING (file_id)" if metadata else "",
        condition="f.metadata @> %(metadata)s" if metadata else "true",
    )
    with connection.cursor(row_factory=dict_row) as cursor:
        # Not prepared: a generic plan would not see how rare the terms are.
        rows = cursor.execute(written, {**values, "metadata": cleaned}, prepare=False)
        return [_hit(row) for row in rows]


def _hit(row: Mapping[str, Any]) -> ChunkHit:
    return ChunkHit(
        chunk_id=row["chunk_id"],
        file_id=row["file_id"],
        ordinal=row["ordinal"],
        text=row["text"],
        metadata=row["metadata"],
        score=row["score"],
        matched_terms=tuple(dict.fromkeys(bare(term) for term in row.get("matched", ()))),
        page=row["page"],
        heading_path=tuple(row["heading_path"]),
    )
