"""Asks an index in one way after the other, each time after a bare statement, and says how right the answers were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.retrieval_corpus import CHUNKS_PER_FILE, Corpus, Question
from benchmarks.retrieval_reference import exact_scores
from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.adapters.postgres.index.profile import read_profile
from locator_search.adapters.postgres.search.index_search import IndexSearch
from locator_search.adapters.postgres.search.keyword_question import NameCounts, keyword_question, plain_question
from locator_search.adapters.postgres.search.keyword_search import KeywordSearch
from locator_search.adapters.postgres.search.scope import EVERYTHING
from locator_search.adapters.postgres.search.side_by_side import PLANNING, SideBySide
from locator_search.model import RetrievalMode, RetrievalQuery, SearchFilters
from locator_search.retrieval.calibration import calibration_of
from locator_search.retrieval.fusion import Scales, fuse, keyword_weight
from locator_search.retrieval.hybrid import SearchSetup, compared

LIMIT = 20
TOP = 10
WARM_UP = 3

# What milliseconds are compared with: the bare statement that ranks all chunks by words, without any index. It is asked
# before every question of every way, so that both see the same machine.
BARE_SCAN = "SELECT file_id, ordinal FROM file_chunk ORDER BY weights <#> %(body)s LIMIT 20"

Float = NDArray[np.float64]
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Measured:
    """Time and quality of one way of asking. Milliseconds; shares in [0, 1]."""

    name: str
    filter: str
    milliseconds: list[float]
    bare: list[float]
    quality: str = ""

    def row(self) -> str:
        """One line of the table."""
        (p50, p95), (bare50, bare95) = (
            (median(x), float(np.quantile(x, 0.95))) for x in (self.milliseconds, self.bare)
        )
        return (
            f"{self.name:<20}{self.filter:<6}{p50:>8.1f}{p95:>8.1f}{bare50:>12.1f}{bare95:>8.1f}"
            f"{p50 / bare50:>9.2f}{p95 / bare95:>7.2f}   {self.quality}"
        )


class Asker:
    """Asks every question in one way after the other, each after the bare statement.

    Both are asked `repeats` times in turn, and the fastest of either counts: what the question takes, not what the
    machine did meanwhile.
    """

    def __init__(self, database: Database, corpus: Corpus, questions: Sequence[Question], repeats: int) -> None:
        self._database, self._corpus, self._questions, self._repeats = database, corpus, questions, repeats
        self._index = PostgresIndexStore(database)
        self._side_by_side = SideBySide(database)

    def ranked(self, mode: RetrievalMode) -> Measured:
        """Words, vectors and the fusion, without reading what is shown: files with their scores."""

        def ask(question: Question) -> None:
            with self._database.snapshot() as connection:
                connection.execute(PLANNING)
                profile = read_profile(connection)
                model = profile.embedding_model if profile else ""
                setup = SearchSetup(model, calibration_of(model))
                query = _query(question, mode, 0.0, "all")
                embedding = None if mode == "keyword" else question.embedding
                search = IndexSearch(connection, query, embedding, setup, self._side_by_side, NameCounts())
                scales = Scales(setup.calibration, setup.calibration)
                found = compared(search, search.candidates(), query, scales)
                fuse(found, keyword_weight(model), background=setup.calibration.background)

        times, bare, _ = self._timed(ask)
        return Measured(f"{mode}, ranked", "all", times, bare)

    def retrieved(self, name: str, mode: RetrievalMode, threshold: float, share: str, cosines: Float) -> Measured:
        """A whole retrieval."""

        def ask(question: Question) -> list[int]:
            query = _query(question, mode, threshold, share)
            answer = self._index.retrieve(query, None if mode == "keyword" else question.embedding)
            return [int(evidence.file_id[5:]) for evidence in answer.evidence]

        times, bare, found = self._timed(ask)
        exact = mode == "vector" and threshold == 0
        return Measured(name, share, times, bare, _recall(found, cosines, self._corpus.passes[share]) if exact else "")

    def chunks(self) -> Measured:
        """Single chunks by words."""

        def ask(question: Question) -> list[str]:
            with self._database.snapshot() as connection:
                connection.execute(PLANNING)
                words = KeywordSearch(plain_question(connection, question.text), EVERYTHING, "chunk")
                return list(words.best_chunks(connection, TOP))

        times, bare, found = self._timed(ask)
        return Measured(
            "chunks by BM25", "all", times, bare, _overlap(found, exact_scores(self._corpus, self._questions))
        )

    def _timed(self, ask: Callable[[Question], Answer]) -> tuple[list[float], list[float], list[Answer]]:
        """Milliseconds of each question and of the bare statement, after some that do not count; and the answers."""
        for question in self._questions[:WARM_UP]:
            ask(question)
        times, bare, answers = [], [], []
        with self._database.connection() as connection:
            for question in self._questions:
                words = keyword_question(connection, RetrievalQuery(question.text)).vectors
                tries = []
                for _ in range(self._repeats):
                    started = perf_counter()
                    connection.execute(BARE_SCAN, words).fetchall()
                    scanned = perf_counter()
                    answer = ask(question)
                    tries.append((scanned - started, perf_counter() - scanned))
                bare.append(1000 * min(scan for scan, _ in tries))
                times.append(1000 * min(own for _, own in tries))
                answers.append(answer)
        return times, bare, answers


def _query(question: Question, mode: RetrievalMode, threshold: float, share: str) -> RetrievalQuery:
    filters = SearchFilters() if share == "all" else SearchFilters(keywords=(share,))
    return RetrievalQuery(
        question.text, filters=filters, threshold=threshold, limit=LIMIT, mode=mode, with_facets=threshold > 0
    )


def _recall(found: list[list[int]], cosines: Float, passes: NDArray[np.bool_]) -> str:
    """How many of the first 20 files are at least as near as the 20th exact one."""
    shares = []
    for row, files in zip(cosines, found, strict=True):
        allowed = row[passes]
        least = np.sort(allowed)[-min(LIMIT, len(allowed))]
        right = sum(1 for file in files[:LIMIT] if passes[file] and row[file] >= least - 1e-5)
        shares.append(right / min(LIMIT, len(allowed)))
    return f"recall@{LIMIT} {np.mean(shares):.4f}"


def _overlap(found: list[list[str]], scores: list[dict[int, float]]) -> str:
    """How many of the first 10 chunks score at least as high as the 10th exact one."""
    shares, tops = [], []
    for chunk_ids, exact in zip(found, scores, strict=True):
        best = sorted(exact.values(), reverse=True)[:TOP]
        numbers = [int(i[5:12]) * CHUNKS_PER_FILE + int(i[13:]) for i in chunk_ids]
        shares.append(sum(exact.get(n, 0) >= best[-1] * (1 - 1e-6) for n in numbers) / len(best))
        tops.append(exact.get(numbers[0], 0) >= best[0] * (1 - 1e-6))
    return f"overlap@{TOP} {np.mean(shares):.4f}, same first {np.mean(tops):.2f}"
