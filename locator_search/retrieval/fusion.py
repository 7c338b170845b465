"""Two rankings into one. Pure.

Scores divided by their maximum and weighted are at least as good as reciprocal ranks on every set measured; the
weight belongs to the embedding model, because a weak model must not pull down a good keyword ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Fusion = Literal["scores", "ranks"]

RANK_CONSTANT = 60
"""k of reciprocal rank fusion: Cormack, Clarke, Buettcher, SIGIR 2009."""


@dataclass(frozen=True, slots=True)
class ArmScores:
    """What the two arms say of one file. A rank counts from 1; None where the arm did not find the file."""

    file_id: str
    cosine: float | None = None
    vector_rank: int | None = None
    keyword_score: float | None = None
    keyword_rank: int | None = None


def keyword_weight(embedding_model: str) -> float:
    """The share of the keyword arm in the fused score beside an embedding model."""
    return 0.8 if embedding_model.startswith("offline-") else 0.6


def fuse(files: Sequence[ArmScores], weight: float, fusion: Fusion = "scores") -> list[tuple[str, float]]:
    """File ids with their fused scores in [0, 1], best first; ties by file id.

    `weight` in [0, 1] is that of the keyword arm. Scores are divided by the largest of their arm; ranks count as
    (k + 1) / (k + rank), so that the first of both arms has the score 1.
    """
    top_cosine = max((file.cosine for file in files if file.cosine is not None), default=0.0)
    top_keyword = max((file.keyword_score for file in files if file.keyword_score is not None), default=0.0)

    def fused(file: ArmScores) -> float:
        if fusion == "ranks":
            return weight * _by_rank(file.keyword_rank) + (1 - weight) * _by_rank(file.vector_rank)
        return weight * _share(file.keyword_score, top_keyword) + (1 - weight) * _share(file.cosine, top_cosine)

    return sorted(((file.file_id, fused(file)) for file in files), key=lambda item: (-item[1], item[0]))


def _by_rank(rank: int | None) -> float:
    return (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank) if rank is not None else 0.0


def _share(score: float | None, top: float) -> float:
    return max(0.0, score) / top if score is not None and top > 0 else 0.0
