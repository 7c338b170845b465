"""Two rankings into one. Pure.

Scores divided by their maximum and weighted are at least as good as reciprocal ranks on every set measured; the
weight belongs to the embedding model, because a weak model must not pull down a good keyword ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from locator_search.model import Fusion as Fusion

RANK_CONSTANT = 60
"""k of reciprocal rank fusion: Cormack, Clarke, Buettcher, SIGIR 2009."""


@dataclass(frozen=True, slots=True)
class ArmScores:
    """What the two arms say of one file. A rank counts from 1; None where the arm did not find the file.

    `preferred` is 1 for a file that holds what the question quotes, 2 for one whose name is the question; such files
    come before all others, whatever the arms say.
    """

    file_id: str
    cosine: float | None = None
    vector_rank: int | None = None
    keyword_score: float | None = None
    keyword_rank: int | None = None
    preferred: int = 0


KEYWORD_WEIGHTS: Mapping[str, float] = MappingProxyType({"offline-hashed-ngrams-2": 0.8})
"""The share of the keyword arm in the fused score, by embedding model, where it was measured (docs/decisions/0023).

The offline stand-in knows the same words and less of them: at 0.8, question sets lose 0.005 at most to BM25 alone, at
0.6 a hundredth and more.
"""
USUAL_KEYWORD_WEIGHT = 0.6
"""Beside a model that was trained: measured with a small English one on SciFact, best between 0.6 and 0.7."""


def keyword_weight(embedding_model: str) -> float:
    """The share of the keyword arm in the fused score beside an embedding model, in [0, 1]."""
    return KEYWORD_WEIGHTS.get(embedding_model, USUAL_KEYWORD_WEIGHT)


def fuse(files: Sequence[ArmScores], weight: float, fusion: Fusion = "scores") -> list[tuple[str, float]]:
    """File ids with their fused scores, best first; ties by file id. A score is in [0, 1], plus `preferred`.

    `weight` in [0, 1] is that of the keyword arm. Scores are divided by the largest of their arm; ranks count as
    (k + 1) / (k + rank), so that the first of both arms has the score 1.
    """
    top_cosine = max((file.cosine for file in files if file.cosine is not None), default=0.0)
    top_keyword = max((file.keyword_score for file in files if file.keyword_score is not None), default=0.0)

    def fused(file: ArmScores) -> float:
        return file.preferred + relevance(file)

    def relevance(file: ArmScores) -> float:
        if fusion == "ranks":
            return weight * _by_rank(file.keyword_rank) + (1 - weight) * _by_rank(file.vector_rank)
        return weight * _share(file.keyword_score, top_keyword) + (1 - weight) * _share(file.cosine, top_cosine)

    return sorted(((file.file_id, fused(file)) for file in files), key=lambda item: (-item[1], item[0]))


def _by_rank(rank: int | None) -> float:
    return (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank) if rank is not None else 0.0


def _share(score: float | None, top: float) -> float:
    return max(0.0, score) / top if score is not None and top > 0 else 0.0
