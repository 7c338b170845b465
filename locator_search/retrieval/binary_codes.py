"""Embeddings as codes of two bits per dimension, and how far apart codes lie for a cosine. Pure.

The first bits of a code are the signs of the rotated vector. Two vectors at an angle a differ in each with the
probability a / pi (Goemans and Williamson, "Improved approximation algorithms for maximum cut", 1995), so the distance
of their signs is nearly that of a binomial draw. The rotation makes it so for every embedding model: without it, a
vector of 384 dimensions that is filled up with zeros would have 384 signs, and a coordinate that is large in all
vectors would bias every distance. The second bits tell large coordinates from small ones.
"""

from __future__ import annotations

from math import acos, pi, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locator_search.retrieval.rotation import DIMENSIONS, rotate

if TYPE_CHECKING:
    from locator_search.model import Vector

BITS = DIMENSIONS
_STEP = 0.9957 / sqrt(BITS)
"""Between the four values of a coordinate, which lie evenly around zero: the step of the least mean squared error for a
normal coordinate (Max, "Quantizing for minimum distortion", 1960)."""
_KEPT = 0.8812
"""The inner product of a random direction and its four values; the rest is lost in rounding."""


class Code(NamedTuple):
    """The two bits per dimension of one embedding, 192 bytes each."""

    signs: bytes
    fine: bytes


def binary_codes(vectors: Vector) -> list[Code]:
    """The codes of vectors (n, 1536)."""
    rotated = _rotated(vectors)
    digits = np.clip(np.floor(rotated / _STEP) + 2, 0, 3).astype(np.uint8)
    signs, fine = (np.packbits(digits >> place & 1, axis=1) for place in (1, 0))
    return [Code(one.tobytes(), other.tobytes()) for one, other in zip(signs, fine, strict=True)]


def code_distance(cosine: float, deviations: float) -> int:
    """The Hamming distance, in bits, that codes of vectors with this cosine or a higher one exceed with the
    probability of a normal value so many standard deviations above its mean (2: 2.3%, 5: 3 in 10 million)."""
    differs = acos(min(1.0, max(-1.0, cosine))) / pi
    return min(BITS, int(BITS * differs + deviations * sqrt(BITS * differs * (1 - differs))) + 1)


_QUESTION_STEP = 3.2 / (7.5 * sqrt(BITS))
"""Between the sixteen values of a question's coordinate; beyond 3.2 standard deviations they are cut off. Their
error is a third of that of a document's four."""

ESTIMATE_DEVIATION = 0.01
"""Standard deviation of an estimated cosine: sqrt(1 / 0.8812 - 1) / sqrt(1536) for the missing digits of the document,
and a little for those of the question."""
_UNRELATED = 3 * 15 * BITS / 2
"""The weighted distance of codes that have nothing to do with each other: they differ in half of the bits."""


class Estimator:
    """Estimates the cosine of a question to a document from the document's code.

    The idea is that of RaBitQ (Gao and Long, SIGMOD 2024): the inner product of the question's values with those of the
    document, as a sum of Hamming distances of the bits of the one to the bits of the other, each with the weight of
    both places: `planes` of the question have the weights 8, 4, 2 and 1, signs 2 and fine bits 1.
    """

    def __init__(self, question: Vector) -> None:
        (rotated,) = _rotated(np.asarray(question)[None])
        values = np.clip(np.rint(rotated / _QUESTION_STEP + 7.5), 0, 15).astype(np.uint8)
        self.planes = [np.packbits(values >> place & 1).tobytes() for place in (3, 2, 1, 0)]
        kept = float(_QUESTION_STEP * (values - 7.5) @ rotated)  # what cutting off and rounding left of the length
        self._per_cosine = 2 * max(kept, 1e-6) * _KEPT / (_STEP * _QUESTION_STEP)

    def distance(self, cosine: float) -> float:
        """The weighted distance that stands for a cosine; the nearer, the smaller."""
        return _UNRELATED - cosine * self._per_cosine

    def cosine(self, distance: float) -> float:
        """`distance` turned round."""
        return (_UNRELATED - distance) / self._per_cosine


def _rotated(vectors: Vector) -> Vector:
    """Unit vectors, (n, 1536). Rotated twice: the hashed vectors of the offline stand-in come out of one such rotation,
    and sparse ones need two to look random."""
    rotated = rotate(rotate(np.asarray(vectors, dtype=np.float32)))
    rotated /= np.maximum(np.linalg.norm(rotated, axis=1, keepdims=True), np.float32(1e-12))
    return rotated
