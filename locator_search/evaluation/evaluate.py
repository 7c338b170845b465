"""Asks an index every question of a data set, one after the other, and measures what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TextIO

import numpy as np

from locator_search.evaluation.dataset import JudgedQuery
from locator_search.evaluation.measures import Quality, mean_quality, quality
from locator_search.model import Evidence, SearchFilters
from locator_search.ports import EvidenceProvider

DEPTH = 100
"""Documents asked for per question, and written to a run."""

RUN_NAME = "document-locator"


@dataclass(frozen=True, slots=True)
class Answer:
    """The results of one question, best first, and the seconds it took, the embedding of the question included."""

    query: JudgedQuery
    evidence: Sequence[Evidence]
    seconds: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Means over all questions. Times are in milliseconds."""

    queries: int
    quality: Quality
    p50_ms: float
    p95_ms: float


def ask_all(queries: Iterable[JudgedQuery], provider: EvidenceProvider) -> Iterator[Answer]:
    """The answers, one by one. Raises what the provider raises."""
    for query in queries:
        started = perf_counter()
        evidence = provider.search(query.text, SearchFilters(), DEPTH)
        yield Answer(query, evidence, perf_counter() - started)


def evaluate(answers: Iterable[Answer], run: TextIO | None = None) -> Evaluation:
    """Measure the answers as they come, at least one, and write them as a TREC run where one is asked for."""
    qualities: list[Quality] = []
    seconds: list[float] = []
    for answer in answers:
        qualities.append(quality([item.file_id for item in answer.evidence], answer.query.grades))
        seconds.append(answer.seconds)
        if run is not None:
            run.writelines(run_lines(answer))
    p50, p95 = np.percentile(seconds, [50, 95]) * 1000
    return Evaluation(len(qualities), mean_quality(qualities), float(p50), float(p95))


def run_lines(answer: Answer) -> Iterator[str]:
    """Lines of a TREC run: query, Q0, document, rank, score, name of the run.

    Readers of runs (trec_eval among them) sort by the score in single precision and break ties by document id, so a
    score that does not fall is written as the next smaller number.
    """
    last = np.float32(np.inf)
    for rank, item in enumerate(answer.evidence, start=1):
        last = min(np.float32(item.score), np.nextafter(last, np.float32(-np.inf)))
        yield f"{answer.query.id} Q0 {item.file_id} {rank} {last:.9g} {RUN_NAME}\n"
