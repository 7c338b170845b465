"""Embeddings, rotated, as codes of two bits per dimension, and how far apart codes lie for a cosine. Pure.

The first bits of a code are the signs of the rotated vector. Two vectors at an angle a differ in each with the
probability a / pi (Goemans and Williamson, "Improved approximation algorithms for maximum cut", 1995), so the distance
of their signs is nearly that of a binomial draw. The rotation makes it so for every embedding model: without it, a
vector of 384 dimensions that is filled up with zeros would have 384 signs, and a coordinate that is large in all
vectors would bias every distance. The second bits tell large coordinates from small ones.

The rotation is random signs, a Hadamard matrix and a permutation. It keeps all cosines and spreads each term of a
hashed, sparse vector over all coordinates. 1536 = 12 x 128, and Hadamard matrices of both orders exist (Paley 1933;
Sylvester 1867), so their Kronecker product mixes all coordinates with two small products.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from math import acos, pi, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from locator_search.model import Vector

DIMENSIONS = 1536
_OUTER, _INNER = 12, 128

Matrix = NDArray[np.float32]


def rotate(vectors: Matrix) -> Matrix:
    """Rows of shape (n, 1536), rotated; lengths and angles stay."""
    signs, permutation, outer, inner = _parts()
    blocks = (vectors * signs).reshape(-1, _OUTER, _INNER)
    mixed = np.matmul(np.matmul(outer, blocks), inner)
    return np.ascontiguousarray(mixed.reshape(-1, DIMENSIONS)[:, permutation])


@cache
def _parts() -> tuple[Matrix, NDArray[np.intp], Matrix, Matrix]:
    noise = np.frombuffer(
        b"".join(
            blake2b(b"locator rotation 1", digest_size=64, salt=i.to_bytes(8, "big")).digest() for i in range(192)
        ),
        dtype=">u8",
    )
    signs = np.where(noise & 1, 1, -1).astype(np.float32)
    permutation = np.argsort(noise, kind="stable")
    return (
        signs,
        permutation,
        _paley(_OUTER) / np.sqrt(np.float32(_OUTER)),
        _sylvester(_INNER) / np.sqrt(np.float32(_INNER)),
    )


def _sylvester(order: int) -> Matrix:
    matrix = np.ones((1, 1), dtype=np.float32)
    while matrix.shape[0] < order:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


def _paley(order: int) -> Matrix:
    """Order q + 1 for a prime q with q % 4 == 3: the identity plus a skew matrix of quadratic residues."""
    q = order - 1
    residues = {i * i % q for i in range(1, q)}
    matrix = np.eye(order, dtype=np.float32)
    matrix[0, 1:], matrix[1:, 0] = 1, -1
    for row in range(q):
        for column in range(q):
            if row != column:
                matrix[row + 1, column + 1] = 1 if (row - column) % q in residues else -1
    return matrix


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
