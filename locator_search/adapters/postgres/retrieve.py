"""Runs a retrieval: asks both arms, compares what either found in both, fuses and reads what is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from psycopg.rows import dict_row

from locator_search.adapters.postgres.database import Connection
from locator_search.adapters.postgres.evidence_rows import Found, make_evidence, similarities
from locator_search.adapters.postgres.facets import facet_values, facets_of
from locator_search.adapters.postgres.filters import conditions
from locator_search.adapters.postgres.keyword_arm import NOTHING_MATCHED, Worded, keyword_question
from locator_search.adapters.postgres.keyword_sql import worded_statement
from locator_search.adapters.postgres.named_outright import files_called_so, files_with_phrases
from locator_search.adapters.postgres.retrieval_sql import counted_statement, shown_statement
from locator_search.adapters.postgres.side_by_side import SideBySide
from locator_search.adapters.postgres.spelled_otherwise import files_spelled_otherwise
from locator_search.adapters.postgres.vector_arm import Nearest, Scope, VectorQuestion
from locator_search.model import Evidence, Facet, Retrieval, RetrievalMode, RetrievalQuery
from locator_search.retrieval.calibration import Calibration, keyword_calibration
from locator_search.retrieval.fusion import ArmScores, Fusion, fuse, keyword_weight

if TYPE_CHECKING:
    from locator_search.model import Vector

ARM_DEPTH = 50
"""Files of each arm that are compared in both and take part in the fusion; twice the limit asked for at least."""

ANY_SHARE = 1e-9
"""Less than one term of a question weighs."""

SNIPPETS = 20
"""Files whose best place is looked for in the text: as many as a search ever shows. Finding it takes milliseconds."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How an index is searched: its embedding model with its calibration, the fusion, the zone of its days."""

    embedding_model: str
    calibration: Calibration
    fusion: Fusion
    time_zone: str


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the arms found: how many files, their facets, and the first of each arm with what is known of them."""

    count: int
    cosines: Mapping[str, float] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    top_cosine: float | None = None
    top_share: float | None = None
    facets: tuple[Facet, ...] = ()


def retrieve(
    connection: Connection,
    query: RetrievalQuery,
    embedding: Vector | None,
    manner: Manner,
    side_by_side: SideBySide,
) -> Retrieval:
    """One retrieval inside a read-only transaction. At a threshold of 0 whatever is found is a hit."""
    return _Retriever(connection, query, embedding, manner, side_by_side).retrieval()


class _Retriever:
    def __init__(
        self,
        connection: Connection,
        query: RetrievalQuery,
        embedding: Vector | None,
        manner: Manner,
        side_by_side: SideBySide,
    ) -> None:
        self._connection = connection
        self._side_by_side = side_by_side
        self._query = query
        self._manner = manner
        self._fusion = query.fusion or manner.fusion
        self._condition, self._filter_values = conditions(query.filters, manner.time_zone)
        left_out = files_spelled_otherwise(connection, query)
        if left_out:
            self._condition += " AND f.file_id <> ALL(%(left_out)s::text[])"
            self._filter_values["left_out"] = left_out
        weights = {"hybrid": keyword_weight(manner.embedding_model), "keyword": 1.0, "vector": 0.0}
        self._keyword_weight = weights[query.mode]
        self._words = keyword_question(connection, query) if query.mode != "vector" else None
        # A vector without direction has no cosine with anything.
        has_direction = query.mode != "keyword" and embedding is not None and bool(embedding.any())
        self._vector = VectorQuestion(embedding) if has_direction and embedding is not None else None
        self._known_words: dict[str, Worded | None] = {}
        self._by_keyword = keyword_calibration(self._words.chunks if self._words else 0)

    def retrieval(self) -> Retrieval:
        ranking_alone = self._query.threshold <= 0 and not self._query.with_facets
        candidates = self._ranking() if ranking_alone else self._hits()
        best = {found.arms.file_id: found for found in self._compared(candidates)}
        ranked = fuse([found.arms for found in best.values()], self._keyword_weight, self._fusion)
        ranked = ranked[: self._query.limit]
        rows = self._rows([best[file_id] for file_id, _ in ranked])
        top = similarities(candidates.top_cosine, candidates.top_share, self._manner.calibration, self._by_keyword)
        return Retrieval(
            evidence=tuple(
                self._evidence(rows[file_id], best[file_id], score, query=self._query if n < SNIPPETS else None)
                for n, (file_id, score) in enumerate(ranked)
            ),
            hit_count=candidates.count,
            top_similarity=max(top.values()) if top else None,
            facets=candidates.facets,
            variants=self._words.variants if self._words else (),
        )

    def _hits(self) -> Candidates:
        """The exact hits: files near enough, or with enough of the question's words."""
        mode: RetrievalMode | None = self._mode
        if mode is None:
            return Candidates(0)
        values = facet_values(self._manner.time_zone) | {"depth": self._depth, "called_so": self._called_so}
        if self._vector:
            values |= self._vector.hit_values(self._least_cosine)
        if self._words:
            values |= self._words.hit_values(max(self._least_share, ANY_SHARE))
        statement = counted_statement(mode, self._condition, with_facets=self._query.with_facets)
        count, top_cosine, top_share, facets, cosines, shares = self._run(statement, values)[0]
        return Candidates(count, cosines or {}, shares or {}, top_cosine, top_share, facets_of(facets or {}))

    def _ranking(self) -> Candidates:
        """The first files of each arm; how many there are behind them is not counted."""
        if self._mode != "hybrid":
            nearest, worded = self._nearest(self._connection), self._worded()
        else:
            waiting = self._side_by_side.start(self._connection, self._nearest)
            worded = self._worded()
            self._in_words([*worded, *self._called_so, *self._with_phrases])  # while the other arm is still busy
            nearest = waiting()
        cosines = {file_id: cosine for file_id, _, cosine in nearest.best[: self._depth]}
        count = nearest.files if self._vector else len(worded)
        return Candidates(count, cosines, dict.fromkeys(worded, 0.0), max(cosines.values(), default=None))

    def _nearest(self, connection: Connection) -> Nearest:
        if self._vector is None:
            return Nearest(0, [])
        return self._vector.nearest(connection, Scope(self._condition, self._filter_values), self._query.limit)

    def _worded(self) -> list[str]:
        if self._words is None or not self._words.terms:
            return []
        values = self._words.ranking_values() | {"depth": self._depth}
        return [row[0] for row in self._run(worded_statement(self._condition), values)]

    def _compared(self, candidates: Candidates) -> list[Found]:
        """The first of each arm, each with what both arms say of it."""
        sure = dict.fromkeys((*candidates.cosines, *candidates.shares, *self._called_so))
        ids = list(dict.fromkeys((*sure, *self._with_phrases)))
        cosines = dict(candidates.cosines)
        if self._vector:
            cosines |= self._vector.cosines(self._connection, [file_id for file_id in ids if file_id not in cosines])
        worded = self._in_words(ids)
        found = [
            self._found(file_id, cosines, worded, candidates.shares)
            for file_id in ids
            if file_id in sure or self._is_hit(cosines.get(file_id), worded.get(file_id))
        ]
        return _ranked(found)

    def _in_words(self, file_ids: Iterable[str]) -> Mapping[str, Worded | None]:
        """What the keyword arm says of files, those asked for before among them."""
        new = [file_id for file_id in file_ids if file_id not in self._known_words]
        if self._words and new:
            self._known_words |= dict.fromkeys(new) | self._words.worded(self._connection, new)
        return self._known_words

    def _found(
        self,
        file_id: str,
        cosines: Mapping[str, float],
        worded: Mapping[str, Worded | None],
        shares: Mapping[str, float],
    ) -> Found:
        words = worded.get(file_id)
        share = max(shares.get(file_id, 0.0), words.share if words else 0.0)
        preferred = 2 if file_id in self._called_so else 1 if file_id in self._with_phrases else 0
        return Found(
            arms=ArmScores(
                file_id,
                cosine=cosines.get(file_id),
                keyword_score=words.score if words else None,
                preferred=preferred,
            ),
            share=share if share > 0 else None,
            words=words,
        )

    def _is_hit(self, cosine: float | None, words: Worded | None) -> bool:
        near = cosine is not None and cosine >= self._least_cosine
        return near or (words is not None and words.share >= self._least_share)

    @cached_property
    def _called_so(self) -> list[str]:
        """Files whose name is the question."""
        if not self._words:
            return []
        return files_called_so(self._connection, self._query.query, self._condition, self._filter_values)

    @cached_property
    def _with_phrases(self) -> set[str]:
        """Files that hold what the question quotes."""
        if not self._words:
            return set()
        return files_with_phrases(self._connection, self._query.query, self._condition, self._filter_values)

    @property
    def _mode(self) -> RetrievalMode | None:
        """The arms there is something to ask of."""
        if self._vector:
            return "hybrid" if self._words and self._words.terms else "vector"
        return "keyword" if self._words and self._words.terms else None

    @property
    def _depth(self) -> int:
        return max(ARM_DEPTH, 2 * self._query.limit)

    @property
    def _least_cosine(self) -> float:
        return self._manner.calibration.raw_at(self._query.threshold) if self._query.threshold > 0 else -1.0

    @property
    def _least_share(self) -> float:
        return self._by_keyword.raw_at(self._query.threshold) if self._query.threshold > 0 else 0.0

    def _rows(self, files: Sequence[Found]) -> dict[str, dict[str, Any]]:
        """What is shown of some files, by file id."""
        scores = [found.words.bm25 if found.words else 0.0 for found in files]
        top = max(scores, default=0.0) or 1.0
        values = {
            "file_ids": [found.arms.file_id for found in files],
            "ordinals": [found.words.ordinal if found.words else None for found in files],
            "keyword_parts": [self._keyword_weight * score / top for score in scores],
            "cosine_weight": 1 - self._keyword_weight,
            **(self._words.matched_values() if self._words else NOTHING_MATCHED),
            **(self._vector.values if self._vector else {}),
        }
        statement = shown_statement(with_vectors=self._vector is not None)
        with self._connection.cursor(row_factory=dict_row) as cursor:
            return {row["file_id"]: row for row in cursor.execute(statement, values, prepare=False)}

    def _evidence(self, row: Mapping[str, Any], found: Found, score: float, query: RetrievalQuery | None) -> Evidence:
        reached = similarities(found.arms.cosine, found.share, self._manner.calibration, self._by_keyword)
        how = {"fusion": self._fusion, "keyword_weight": self._keyword_weight}
        return make_evidence(row, found, score, reached, query, how)

    def _run(self, statement: str, values: Mapping[str, Any]) -> list[Any]:
        # Not prepared: a generic plan would not see how rare the terms are.
        return self._connection.execute(statement, {**self._filter_values, **values}, prepare=False).fetchall()


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
