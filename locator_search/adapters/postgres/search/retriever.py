"""Runs a retrieval: compares what either arm found in both, fuses, and reads what is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from psycopg.rows import dict_row

from locator_search.adapters.postgres.search.evidence_rows import Found, make_evidence, similarities
from locator_search.adapters.postgres.search.hybrid import Candidates, HybridSearch, SearchSetup
from locator_search.adapters.postgres.search.keyword_search import NOTHING_MATCHED
from locator_search.adapters.postgres.search.result_rows_sql import shown_statement
from locator_search.adapters.postgres.search.second_connection import SideBySide
from locator_search.adapters.postgres.server.database import Connection
from locator_search.model import Evidence, Retrieval, RetrievalQuery
from locator_search.retrieval.fusion import ArmScores, fuse, keyword_weight

if TYPE_CHECKING:
    from locator_search.model import Vector

SNIPPETS = 20
"""Files whose best place is looked for in the text: as many as a search ever shows. Finding it takes milliseconds."""


class Retriever:
    """One retrieval inside a read-only transaction. At a threshold of 0 whatever is found is a hit."""

    def __init__(
        self,
        connection: Connection,
        query: RetrievalQuery,
        embedding: Vector | None,
        setup: SearchSetup,
        side_by_side: SideBySide,
    ) -> None:
        self._connection = connection
        self._query = query
        self._setup = setup
        self._fusion = query.fusion or setup.fusion
        weights = {"hybrid": keyword_weight(setup.embedding_model), "keyword": 1.0, "vector": 0.0}
        self._keyword_weight = weights[query.mode]
        self._arms = HybridSearch(connection, query, embedding, setup, side_by_side)

    def retrieval(self) -> Retrieval:
        """The best of what both arms found, with all that is shown of them."""
        candidates = self.candidates()
        ranked = self.ranked(candidates)
        rows = self._rows([found for found, _ in ranked])
        calibration, by_keyword = self._setup.calibration, self._arms.by_keyword
        top = similarities(candidates.top_cosine, candidates.top_share, calibration, by_keyword)
        return Retrieval(
            evidence=tuple(
                self._evidence(rows[found.arms.file_id], found, score, query=self._query if n < SNIPPETS else None)
                for n, (found, score) in enumerate(ranked)
            ),
            hit_count=candidates.count,
            top_similarity=max(top.values()) if top else None,
            facets=candidates.facets,
            variants=self._arms.words.variants if self._arms.words else (),
        )

    def candidates(self) -> Candidates:
        """What both arms found."""
        return self._arms.candidates()

    def ranked(self, candidates: Candidates) -> list[tuple[Found, float]]:
        """The best of the candidates with their fused scores, as many as asked for."""
        best = {found.arms.file_id: found for found in self._compared(candidates)}
        scores = fuse([found.arms for found in best.values()], self._keyword_weight, self._fusion)
        return [(best[file_id], score) for file_id, score in scores[: self._query.limit]]

    def _compared(self, candidates: Candidates) -> list[Found]:
        """The candidates, each with what both arms say of it."""
        sure = dict.fromkeys((*candidates.cosines, *candidates.shares, *candidates.named_outright))
        ids = list(dict.fromkeys((*sure, *candidates.with_phrases)))
        cosines, worded = self._arms.scores_of(ids)
        found = []
        for file_id in ids:
            cosine, words = cosines.get(file_id), worded.get(file_id)
            if file_id in sure or self._arms.is_hit(cosine, words):
                share = max(candidates.shares.get(file_id, 0.0), words.share if words else 0.0)
                scores = ArmScores(
                    file_id,
                    cosine=cosine,
                    keyword_score=words.score if words else None,
                    preferred=2 if file_id in candidates.named_outright else int(file_id in candidates.with_phrases),
                )
                found.append(Found(scores, share if share > 0 else None, words))
        return _ranked(found)

    def _rows(self, files: Sequence[Found]) -> dict[str, dict[str, Any]]:
        """What is shown of some files, by file id."""
        words, vector = self._arms.words, self._arms.vector
        scores = [found.words.bm25 if found.words else 0.0 for found in files]
        top = max(scores, default=0.0) or 1.0
        values = {
            "file_ids": [found.arms.file_id for found in files],
            "ordinals": [found.words.ordinal if found.words else None for found in files],
            "keyword_parts": [self._keyword_weight * score / top for score in scores],
            "cosine_weight": 1 - self._keyword_weight,
            **(words.matched_values() if words else NOTHING_MATCHED),
            **(vector.values if vector else {}),
        }
        statement = shown_statement(with_vectors=vector is not None)
        with self._connection.cursor(row_factory=dict_row) as cursor:
            return {row["file_id"]: row for row in cursor.execute(statement, values, prepare=False)}

    def _evidence(self, row: Mapping[str, Any], found: Found, score: float, query: RetrievalQuery | None) -> Evidence:
        reached = similarities(found.arms.cosine, found.share, self._setup.calibration, self._arms.by_keyword)
        how = {"fusion": self._fusion, "keyword_weight": self._keyword_weight}
        return make_evidence(row, found, score, reached, query, how)


def _ranked(found: Sequence[Found]) -> list[Found]:
    """With the rank of each file in each arm; files with the same score share a rank."""
    by_cosine = _ranks(one.arms.cosine for one in found)
    by_score = _ranks(one.arms.keyword_score for one in found)
    return [one.ranked(by_cosine.get(one.arms.cosine), by_score.get(one.arms.keyword_score)) for one in found]


def _ranks(scores: Iterable[float | None]) -> dict[float | None, int]:
    ranks: dict[float | None, int] = {}
    known = sorted((score for score in scores if score is not None), reverse=True)
    for place, score in enumerate(known, start=1):
        ranks.setdefault(score, place)
    return ranks
