"""Two rankings into one. Pure.

Scores divided by their maximum and weighted are at least as good as reciprocal ranks on every set measured; the
weight belongs to the embedding model, because a weak model must not pull down a good keyword ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from locator_search.model import Fusion

RANK_CONSTANT = 60
"""k of reciprocal rank fusion: Cormack, Clarke, Buettcher, SIGIR 2009."""


@dataclass(frozen=True, slots=True)
class WordScores:
    """Scores by words: the score it is ordered by, the two parts of it, the share of the question's
    idf mass it holds, and of a file the chunk with the highest BM25 (None where only the name holds a term)."""

    score: float
    bm25: float
    name_idf: float = 0.0
    share: float = 0.0
    ordinal: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One file or chunk, by its key, with what vectors and words say of it; None where they say nothing.

    Ranks count from 1. `share` is that of the idf mass, 1 for a file the question names. `preferred` is 1 for a file
    that holds what the question quotes, 2 for one whose name is the question; such files come before all others.
    """

    key: str
    cosine: float | None = None
    words: WordScores | None = None
    vector_rank: int | None = None
    keyword_rank: int | None = None
    share: float | None = None
    preferred: int = 0

    @property
    def keyword_score(self) -> float | None:
        """The score of the keyword ranking."""
        return self.words.score if self.words else None


KEYWORD_WEIGHTS: Mapping[str, float] = MappingProxyType({"offline-hashed-ngrams-2": 0.8})
"""The share of the words in the fused score, by embedding model, where it was measured (docs/decisions/0023).

The offline stand-in knows the same words and less of them: at 0.8, question sets lose 0.005 at most to BM25 alone, at
0.6 a hundredth and more.
"""
USUAL_KEYWORD_WEIGHT = 0.6
"""Beside a model that was trained: measured with a small English one on SciFact, best between 0.6 and 0.7."""


def keyword_weight(embedding_model: str) -> float:
    """The share of the words in the fused score beside an embedding model, in [0, 1]."""
    return KEYWORD_WEIGHTS.get(embedding_model, USUAL_KEYWORD_WEIGHT)


def fuse(
    found: Sequence[Found], weight: float, fusion: Fusion = "scores", background: float = 0.0
) -> list[tuple[Found, float]]:
    """The hits with their fused scores, best first. A score is in [0, 1], plus `preferred`.

    `weight` in [0, 1] is that of the words. `background` is the cosine of texts that have nothing in common: what lies
    above it counts, because cosines that all lie between 0.77 and 0.91 say nothing when they are divided by the
    largest. Scores are divided by the largest of their kind; ranks count as (k + 1) / (k + rank), so that the first of
    both rankings has the score 1. What is equal stays in the order given.
    """
    top_cosine = max((one.cosine for one in found if one.cosine is not None), default=0.0) - background
    top_keyword = max((one.keyword_score for one in found if one.keyword_score is not None), default=0.0)

    def relevance(one: Found) -> float:
        if fusion == "ranks":
            return weight * _by_rank(one.keyword_rank) + (1 - weight) * _by_rank(one.vector_rank)
        above = one.cosine - background if one.cosine is not None else None
        return weight * _share(one.keyword_score, top_keyword) + (1 - weight) * _share(above, top_cosine)

    return sorted(((one, one.preferred + relevance(one)) for one in found), key=lambda scored: -scored[1])


def _by_rank(rank: int | None) -> float:
    return (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank) if rank is not None else 0.0


def _share(score: float | None, top: float) -> float:
    return max(0.0, score) / top if score is not None and top > 0 else 0.0
