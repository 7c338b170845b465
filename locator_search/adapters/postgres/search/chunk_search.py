"""Chunks by one arm alone: the nearest to a vector, or those that hold the terms of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.search.filters import ANY_FILE
from locator_search.adapters.postgres.search.keyword_search import NOTHING_MATCHED, weighed_question
from locator_search.adapters.postgres.search.vector_search import Scope, VectorQuestion
from locator_search.adapters.postgres.server.database import Connection
from locator_search.adapters.postgres.server.rows import clean, clean_json
from locator_search.model import ChunkHit, JsonValue
from locator_search.text.terms import analyse, bare

if TYPE_CHECKING:
    from locator_search.model import Vector

WITH_METADATA = "f.metadata @> %(metadata)s"

SHOWN = """
SELECT c.chunk_id, c.file_id, c.ordinal, c.text, f.metadata, c.page, c.heading_path,
       ARRAY(SELECT q.term FROM unnest(%(spelled)s::text[], %(each)s::sparsevec[]) AS q (term, held)
             WHERE (c.weights <#> q.held) < 0) AS matched
FROM unnest(%(file_ids)s::text[], %(ordinals)s::integer[]) AS page (file_id, ordinal)
JOIN file_chunk AS c USING (file_id, ordinal) JOIN drive_file_index AS f USING (file_id)
"""

Scored = tuple[str, int, float]
"""File id, ordinal, score."""


def nearest_chunks(
    connection: Connection, embedding: Vector, k: int, metadata: Mapping[str, JsonValue]
) -> list[ChunkHit]:
    """The nearest chunks of files with that metadata."""
    if not embedding.any():
        return []
    condition, values = _condition(metadata)
    near = VectorQuestion(embedding).nearest(connection, Scope(condition, values, chunks_alone=True), k)
    return _hits(connection, near.best[:k], NOTHING_MATCHED)


def matching_chunks(connection: Connection, text: str, k: int, metadata: Mapping[str, JsonValue]) -> list[ChunkHit]:
    """The chunks with the highest BM25 scores, of files with that metadata."""
    asked = weighed_question(connection, analyse(clean(text)).terms, {})
    if not asked.terms:
        return []
    condition, values = _condition(metadata)
    found = asked.matching(connection, condition, values, k)
    return _hits(connection, found, asked.matched_values(of_names=False))


def _condition(metadata: Mapping[str, JsonValue]) -> tuple[str, dict[str, object]]:
    if not metadata:
        return ANY_FILE, {}
    return WITH_METADATA, {"metadata": Jsonb({clean(name): clean_json(value) for name, value in metadata.items()})}


def _hits(connection: Connection, found: Sequence[Scored], matched: Mapping[str, object]) -> list[ChunkHit]:
    values = {"file_ids": [one[0] for one in found], "ordinals": [one[1] for one in found], **matched}
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = {(row["file_id"], row["ordinal"]): row for row in cursor.execute(SHOWN, values, prepare=False)}
    return [_hit(rows[file_id, ordinal], score) for file_id, ordinal, score in found]


def _hit(row: Mapping[str, Any], score: float) -> ChunkHit:
    return ChunkHit(
        chunk_id=row["chunk_id"],
        file_id=row["file_id"],
        ordinal=row["ordinal"],
        text=row["text"],
        metadata=row["metadata"],
        score=score,
        matched_terms=tuple(dict.fromkeys(bare(term) for term in row["matched"])),
        page=row["page"],
        heading_path=tuple(row["heading_path"]),
    )
