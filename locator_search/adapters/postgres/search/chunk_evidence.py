"""Evidence chunk by chunk: several passages of one document, which an analysis needs and a list of files does not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from psycopg.rows import dict_row

from locator_search.adapters.postgres.index.profile import another_model, read_profile
from locator_search.adapters.postgres.search.evidence_rows import Similarities, similarities
from locator_search.adapters.postgres.search.filters import chunk_conditions, conditions
from locator_search.adapters.postgres.search.keyword_search import keyword_question
from locator_search.adapters.postgres.search.planner_settings import PLANNING
from locator_search.adapters.postgres.search.spelling_exclusions import files_spelled_otherwise
from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.document_rows import changes_from_json
from locator_search.adapters.postgres.server.file_rows import file_evidence
from locator_search.core.model_results import ModelResult
from locator_search.llm.question_models import embed_question
from locator_search.model import Evidence, Matching, RetrievalQuery, SearchFilters
from locator_search.ports import Embedder
from locator_search.retrieval.bm25 import LENGTH_NORMALISATION, SATURATION
from locator_search.retrieval.calibration import KEYWORD_CALIBRATION, Calibration, shipped_calibration
from locator_search.retrieval.fusion import ArmScores, fuse, keyword_weight
from locator_search.text.snippets import make_snippet

if TYPE_CHECKING:
    from locator_search.model import Vector

ARM_DEPTH = 200
"""Chunks of each arm that take part in the fusion; never fewer than asked for."""

# A term with alternatives is held as often as the most frequent of them, and counts once.
FOUND = """
WITH query_term AS MATERIALIZED (
    SELECT * FROM unnest(%(spelled)s::text[], %(numbers)s::integer[], %(idfs)s::float8[], %(masses)s::float8[])
        AS q (term, number, idf, mass)
),
allowed AS MATERIALIZED (
    SELECT c.chunk_id, 1 - (c.embedding <=> %(embedding)s) AS cosine, worded.score, worded.share
    FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id)
    LEFT JOIN LATERAL (
        SELECT sum(q.idf * q.tf * (%(k1)s + 1)
                   / (q.tf + %(k1)s * (1 - %(b)s + %(b)s * c.length / %(mean_length)s))) AS score, sum(q.mass) AS share
        FROM (
            SELECT idf, mass, max((c.frequencies ->> term)::float8) AS tf FROM query_term GROUP BY number, idf, mass
        ) AS q WHERE q.tf > 0
    ) AS worded ON c.terms && %(spelled)s::text[]
    WHERE {condition}
),
ranked AS (
    SELECT *, CASE WHEN cosine IS NOT NULL THEN rank() OVER (ORDER BY cosine DESC NULLS LAST) END AS near,
           CASE WHEN score IS NOT NULL THEN rank() OVER (ORDER BY score DESC NULLS LAST) END AS worded
    FROM allowed
)
SELECT * FROM ranked WHERE (near <= %(depth)s AND cosine IS NOT NULL) OR worded <= %(depth)s
"""

NOT_LEFT_OUT = "f.file_id <> ALL(%(left_out)s::text[])"

SHOWN = """
SELECT f.file_id, f.file_name, f.summary, f.link, f.mime_type, f.drive_modified_at, f.keywords, f.folder_path,
       f.location, f.revision, f.size, f.owner, f.source, f.metadata, c.chunk_id, c.text, c.heading_path, c.page,
       c.clause, c.changes
FROM file_chunk AS c JOIN drive_file_index AS f USING (file_id) WHERE c.chunk_id = ANY(%s)
"""


class PostgresChunkEvidence:
    """A NotedEvidenceProvider over the chunks of one index: BM25 and cosine, fused; exact under every filter.

    Everything that passes the filters is compared, so it is meant for collections, and for questions about a few
    documents, not for millions of chunks without a filter. `matching` is asked at every search.
    """

    name = "pgvector"

    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        *,
        time_zone: str = "Asia/Tokyo",
        matching: Callable[[], Matching] = Matching,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._time_zone = time_zone
        self._matching = matching

    def search(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """At most `top_k` pieces of evidence, best first. A blank query finds nothing.

        Raises ModelError, StoreError, or DimensionMismatch for an index of another embedding model.
        """
        if not query.strip() or top_k < 1:
            return []
        return self._retrieved(query, filters, top_k, self._embedder.embed([query], "query")[0])

    def look(self, query: str, filters: SearchFilters, top_k: int = 10) -> ModelResult[list[Evidence]]:
        """As `search`, and who embedded the query: words alone do where the model cannot."""
        if not query.strip() or top_k < 1:
            return ModelResult([], self._embedder.model_name)
        embedded = embed_question(self._embedder, query)
        return ModelResult(self._retrieved(query, filters, top_k, embedded.value), embedded.model, embedded.failure)

    def _retrieved(self, query: str, filters: SearchFilters, top_k: int, embedding: Vector | None) -> list[Evidence]:
        asked = RetrievalQuery(query, filters=filters, limit=top_k, matching=self._matching())
        with self._database.snapshot() as connection:
            connection.execute(PLANNING)
            profile = read_profile(connection)
            if profile is None:
                return []
            if profile.embedding_model != self._embedder.model_name:
                raise another_model(profile.embedding_model, self._embedder.model_name)
            found = self._found(connection, asked, embedding)
            arms = [
                ArmScores(row["chunk_id"], row["cosine"], row["near"], row["score"], row["worded"]) for row in found
            ]
            ranked = fuse(arms, keyword_weight(profile.embedding_model))[:top_k]
            shown = self._shown(connection, [chunk_id for chunk_id, _ in ranked])
        calibration = profile.calibration or shipped_calibration(profile.embedding_model)
        scores = {row["chunk_id"]: row for row in found}
        return [_evidence(shown[key], scores[key], score, asked, calibration) for key, score in ranked]

    async def asearch(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """The same in a worker thread, so that an event loop is not blocked."""
        return await asyncio.to_thread(self.search, query, filters, top_k)

    def _found(
        self, connection: Connection, asked: RetrievalQuery, embedding: Vector | None
    ) -> Sequence[Mapping[str, Any]]:
        of_files, file_values = conditions(asked.filters, self._time_zone)
        of_chunks, chunk_values = chunk_conditions(asked.filters, "c")
        words = keyword_question(connection, asked)
        spelled = [
            (one, number, term.idf, term.mass)
            for number, term in enumerate(words.terms)
            for one in (term.term, *term.alternatives)
        ]
        values = {
            "spelled": [one for one, *_ in spelled],
            "numbers": [number for _, number, *_ in spelled],
            "idfs": [idf for *_, idf, _ in spelled],
            "masses": [mass for *_, mass in spelled],
            "left_out": files_spelled_otherwise(connection, asked),
            "embedding": embedding,
            "k1": SATURATION,
            "b": LENGTH_NORMALISATION,
            "mean_length": words.mean_length,
            "depth": max(ARM_DEPTH, asked.limit),
        }
        statement = FOUND.format(condition=f"{of_files} AND {of_chunks} AND {NOT_LEFT_OUT}")
        with connection.cursor(row_factory=dict_row) as cursor:
            # Not prepared: a generic plan would not see how rare the terms are.
            return cursor.execute(statement, {**file_values, **chunk_values, **values}, prepare=False).fetchall()

    def _shown(self, connection: Connection, chunk_ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        with connection.cursor(row_factory=dict_row) as cursor:
            return {row["chunk_id"]: row for row in cursor.execute(SHOWN, [list(chunk_ids)])}


def _evidence(
    row: Mapping[str, Any], found: Mapping[str, Any], score: float, asked: RetrievalQuery, calibration: Calibration
) -> Evidence:
    reached: Similarities = similarities(found["cosine"], found["share"], calibration, KEYWORD_CALIBRATION)
    source = max(reached, key=lambda arm: reached[arm])
    snippet = make_snippet(row["text"], asked.query, matching=asked.matching)
    metadata: Mapping[str, Any] = row["metadata"]
    return replace(
        file_evidence(row),
        similarity=reached[source],
        similarity_source=source,
        score=score,
        cosine=found["cosine"],
        text=row["text"],
        snippet=snippet.text,
        highlights=tuple(snippet.highlights),
        chunk_id=row["chunk_id"],
        heading_path=tuple(row["heading_path"]),
        page_number=row["page"],
        clause_number=row["clause"],
        explain={"score": score, "cosine": found["cosine"], "bm25": found["score"], "share": found["share"]},
        contribution_number=metadata.get("contribution_number"),
        meeting=metadata.get("meeting"),
        source_file=metadata.get("source_file", ""),
        page_is_estimated=metadata.get("pages", "exact") != "exact",
        changes=changes_from_json(row["changes"]),
    )
