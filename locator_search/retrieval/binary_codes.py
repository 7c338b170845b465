"""Embeddings as codes of one bit per dimension, and how far apart codes lie for a cosine. Pure.

A code holds the signs of the rotated vector. Two vectors at an angle a differ in each bit with the probability a / pi
(Goemans and Williamson, "Improved approximation algorithms for maximum cut", 1995), so the distance of their codes is
nearly that of a binomial draw. The rotation makes it so for every embedding model: without it, a vector of 384
dimensions that is filled up with zeros would have a code of 384 bits, and a coordinate that is large in all vectors
would bias every distance.
"""

from __future__ import annotations

from math import acos, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from locator_search.retrieval.rotation import DIMENSIONS, rotate

if TYPE_CHECKING:
    from locator_search.model import Vector

BITS = DIMENSIONS


def binary_codes(vectors: Vector) -> list[bytes]:
    """The codes of vectors (n, 1536), 192 bytes each."""
    # Twice: the hashed vectors of the offline stand-in come out of one such rotation, and sparse ones need two to look
    # random.
    signs = rotate(rotate(np.asarray(vectors, dtype=np.float32))) > 0
    return [row.tobytes() for row in np.packbits(signs, axis=1)]


def code_distance(cosine: float, deviations: float) -> int:
    """The Hamming distance, in bits, that codes of vectors with this cosine or a higher one exceed with the
    probability of a normal value so many standard deviations above its mean (2: 2.3%, 5: 3 in 10 million)."""
    differs = acos(min(1.0, max(-1.0, cosine))) / pi
    return min(BITS, int(BITS * differs + deviations * sqrt(BITS * differs * (1 - differs))) + 1)


PLANES = 4
"""Bits per dimension of a question, against the one of each document: half the error for four more comparisons."""
_STEP = 3.2 / (7.5 * sqrt(BITS))
"""Of the sixteen values of a coordinate; beyond 3.2 standard deviations they are cut off."""
_SHARE_OF_SIGNS = sqrt(2 / pi)
"""The cosine of a random direction and its signs."""

ESTIMATE_DEVIATION = 0.02
"""Standard deviation of an estimated cosine: sqrt(pi / 2 - 1) / sqrt(1536) for the missing digits of the document, and
a little for those of the question."""


class Estimator:
    """Estimates the cosine of a question to a document from the document's code.

    The idea is that of RaBitQ (Gao and Long, SIGMOD 2024): the inner product of the question with the signs of the
    document, as a weighted sum of Hamming distances to `planes`, weights 8, 4, 2 and 1.
    """

    def __init__(self, question: Vector) -> None:
        rotated = rotate(rotate(np.asarray(question, dtype=np.float32)[None]))[0]
        rotated = rotated / max(float(np.linalg.norm(rotated)), 1e-12)
        values = np.clip(np.rint(rotated / _STEP + 7.5), 0, 15).astype(np.uint8)
        self.planes = [np.packbits(values >> bit & 1).tobytes() for bit in (3, 2, 1, 0)]
        kept = float(_STEP * (values - 7.5) @ rotated)  # what cutting off and rounding left of the length
        self._per_cosine = max(kept, 1e-6) * sqrt(BITS) * _SHARE_OF_SIGNS / _STEP

    def distance(self, cosine: float) -> float:
        """The weighted distance that stands for a cosine; the nearer, the smaller."""
        return 7.5 * BITS - cosine * self._per_cosine

    def cosine(self, distance: float) -> float:
        """`distance` turned round."""
        return (7.5 * BITS - distance) / self._per_cosine
