"""Raw scores onto the scale on which the design's 0.60, 0.70, 0.75 and 0.82 mean what they say. Pure.

A calibration is a rising, piecewise-linear map from a raw score to a similarity in [0, 1]. The anchors of an embedding
model are quantiles of its cosines: random pairs lie near 0, the best chunk for a question without an answer near 0.6,
and the right chunk of an answerable question at 0.70, 0.82, 0.95 (its lower, middle and upper quantiles). Raw cosines
of text-embedding-3-small for good pairs lie around 0.4 to 0.6, so without the map the search would find nothing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from locator_search.model import Vector

FEWEST_SAMPLED = 10
"""Fewer files say more about themselves than about the model."""

Anchor = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Anchors (raw, similarity), rising in both; below the first and above the last the map is flat."""

    anchors: tuple[Anchor, ...]

    def __post_init__(self) -> None:
        raws = [raw for raw, _ in self.anchors]
        similarities = [similarity for _, similarity in self.anchors]
        if len(raws) < 2 or raws != sorted(set(raws)) or similarities != sorted(set(similarities)):
            raise ValueError(f"anchors must rise in both values: {self.anchors}")
        if similarities[0] < 0 or similarities[-1] > 1:
            raise ValueError(f"similarities lie in [0, 1]: {self.anchors}")

    def similarity(self, raw: float) -> float:
        """The similarity in [0, 1] of a raw score."""
        return _interpolated(raw, self.anchors, bisect_right(self.anchors, (raw, 2.0)))

    @property
    def background(self) -> float:
        """The raw score of texts that have nothing in common."""
        return self.anchors[0][0]

    def raw_at(self, similarity: float) -> float:
        """The smallest raw score that reaches a similarity; infinite for one beyond the last anchor."""
        turned = [(target, raw) for raw, target in self.anchors]
        if similarity > turned[-1][0]:
            return float("inf")
        return _interpolated(similarity, turned, bisect_left(turned, (similarity, float("-inf"))))


def _interpolated(x: float, points: Sequence[Anchor], after: int) -> float:
    """The value at `x` on the line between the points before and at index `after`."""
    if after == 0:
        return points[0][1]
    if after == len(points):
        return points[-1][1]
    (left, low), (right, high) = points[after - 1], points[after]
    return low + (high - low) * (x - left) / (right - left)


OFFLINE_ANCHORS = (
    (0.0, 0.0), (0.01, 0.10), (0.26, 0.60), (0.31, 0.70), (0.36, 0.75), (0.43, 0.82), (0.61, 0.95), (1.0, 1.0),
)  # fmt: skip
OPENAI_SMALL_ANCHORS = (
    (0.0, 0.0), (0.10, 0.20), (0.25, 0.60), (0.33, 0.70), (0.38, 0.75), (0.45, 0.82), (0.60, 0.95), (1.0, 1.0),
)  # fmt: skip
E5_SMALL_ANCHORS = ((0.80, 0.0), (0.85, 0.20), (0.893, 0.60), (0.905, 0.70), (0.922, 0.82), (0.941, 0.95), (1.0, 1.0))
"""Between what was measured on 1,145 Japanese paragraphs with 400 questions of people, and on a small company's files:
texts that have nothing in common lie at 0.77 and 0.84 there."""

SHIPPED = {
    "offline-hashed-ngrams-2": Calibration(OFFLINE_ANCHORS),
    "multilingual-e5-small-q4": Calibration(E5_SMALL_ANCHORS),
    "text-embedding-3-small": Calibration(OPENAI_SMALL_ANCHORS),
}

KEYWORD_CALIBRATION = Calibration(
    ((0.0, 0.0), (0.25, 0.35), (0.50, 0.60), (0.57, 0.70), (0.64, 0.75), (0.74, 0.82), (0.88, 0.95), (1.0, 1.0))
)
"""Raw score: the share of the question's idf mass found in a file (see retrieval.query_terms). Of a small index."""

SMALL_INDEX, LARGE_INDEX = 850, 15_000
"""Chunks. Between them, the anchors of the keyword calibration move with the logarithm of their number."""

LARGE_KEYWORD_ANCHORS = (
    (0.0, 0.0), (0.25, 0.30), (0.59, 0.60), (0.65, 0.70), (0.70, 0.75), (0.75, 0.82), (0.90, 0.95), (1.0, 1.0),
)  # fmt: skip


def keyword_calibration(chunks: int) -> Calibration:
    """The keyword calibration of an index with so many chunks.

    The more chunks there are, the more of a question's words meet in one of them by chance. Measured on 300 questions
    without an answer (JSQuAD over 100 to 14,400 chunks): the share that one in ten of them reaches grows by 0.13 with
    every tenfold of chunks, from 0.31 to 0.60, while the share of the right chunk stays the same. Beyond LARGE_INDEX
    the anchors stay, because one in ten right chunks lies below 0.60.
    """
    share = (log(max(chunks, 1)) - log(SMALL_INDEX)) / (log(LARGE_INDEX) - log(SMALL_INDEX))
    large = min(1.0, max(0.0, share))
    pairs = zip(KEYWORD_CALIBRATION.anchors, LARGE_KEYWORD_ANCHORS, strict=True)
    return Calibration(
        tuple((near[0] + large * (far[0] - near[0]), near[1] + large * (far[1] - near[1])) for near, far in pairs)
    )


USUAL_ANCHORS = (
    (0.0, 0.0), (0.15, 0.20), (0.36, 0.60), (0.45, 0.70), (0.49, 0.75), (0.55, 0.82), (0.68, 0.95), (1.0, 1.0),
)  # fmt: skip
"""Of a model without a profile: the raw scores are shares of the way from its background to 1. Between those of
text-embedding-3-small and of multilingual-e5-small."""


def has_profile(embedding_model: str | None) -> bool:
    """Whether a calibration of the model is shipped with the product; so for None, an index without a model yet."""
    return embedding_model is None or embedding_model in SHIPPED


def calibration_of(embedding_model: str, background: float | None = None) -> Calibration:
    """The calibration of a model that was not measured: its profile, else the usual one above the background of the
    index (where that is not known, above 0)."""
    if embedding_model in SHIPPED:
        return SHIPPED[embedding_model]
    least = background or 0.0
    return Calibration(tuple((least + share * (1 - least), similarity) for share, similarity in USUAL_ANCHORS))


def background_of(sample: Vector) -> float | None:
    """The cosine of texts that have nothing in common: the middle one of all pairs among unit vectors (n, dimensions),
    one of each file, so that files about one thing do not count. None for fewer than FEWEST_SAMPLED."""
    if len(sample) < FEWEST_SAMPLED:
        return None
    return float(np.median((sample @ sample.T)[np.triu_indices(len(sample), 1)]))
