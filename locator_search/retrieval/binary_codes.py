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
