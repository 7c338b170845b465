"""Measures of a ranking against judgements, as trec_eval computes them. Pure.

A document is relevant when its grade is at least 1; one without a judgement counts as not relevant. All values lie in
[0, 1], and what is reported is the mean over the questions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from locator_search.evaluation.dataset import Grades


@dataclass(frozen=True, slots=True)
class Quality:
    """The measures of one ranking, or their means over many."""

    recall_at_1: float
    recall_at_10: float
    recall_at_50: float
    mrr_at_10: float
    ndcg_at_10: float

    def as_dict(self) -> dict[str, float]:
        """The measures under their usual names, in a fixed order."""
        return {
            "recall@1": self.recall_at_1,
            "recall@10": self.recall_at_10,
            "recall@50": self.recall_at_50,
            "mrr@10": self.mrr_at_10,
            "ndcg@10": self.ndcg_at_10,
        }


def quality(ranking: Sequence[str], grades: Grades) -> Quality:
    """The measures of the documents found for one question, best first. At least one grade is 1 or more."""
    return Quality(
        recall_at_1=recall(ranking, grades, 1),
        recall_at_10=recall(ranking, grades, 10),
        recall_at_50=recall(ranking, grades, 50),
        mrr_at_10=reciprocal_rank(ranking, grades, 10),
        ndcg_at_10=ndcg(ranking, grades, 10),
    )


def mean_quality(qualities: Iterable[Quality]) -> Quality:
    """The means over at least one question."""
    rows = [list(one.as_dict().values()) for one in qualities]
    return Quality(*(math.fsum(column) / len(rows) for column in zip(*rows, strict=True)))


def recall(ranking: Sequence[str], grades: Grades, depth: int) -> float:
    """The share of the relevant documents that is among the first `depth`."""
    relevant = {document for document, grade in grades.items() if grade > 0}
    return len(relevant.intersection(ranking[:depth])) / len(relevant)


def reciprocal_rank(ranking: Sequence[str], grades: Grades, depth: int) -> float:
    """1 / rank of the first relevant document, 0 when none is among the first `depth`."""
    ranks = (rank for rank, document in enumerate(ranking[:depth], start=1) if grades.get(document, 0) > 0)
    return next((1 / rank for rank in ranks), 0.0)


def ndcg(ranking: Sequence[str], grades: Grades, depth: int) -> float:
    """Normalised discounted cumulated gain: the gain is the grade itself, the discount log2(rank + 1).

    Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 2002, with the
    discount of trec_eval's `ndcg_cut`, which the figures published for BEIR use.
    """
    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    return _gain(_grades_of(ranking, grades)[:depth]) / _gain(ideal[:depth])


def _grades_of(ranking: Sequence[str], grades: Mapping[str, int]) -> list[int]:
    return [max(0, grades.get(document, 0)) for document in ranking]


def _gain(grades: Sequence[int]) -> float:
    return math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))
