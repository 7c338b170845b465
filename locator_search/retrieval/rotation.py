"""A fixed rotation of 1536 dimensions: random signs, a Hadamard matrix, a permutation.

Hashed vectors are sparse; binary codes and nearest-neighbour graphs want information in every coordinate. A rotation
keeps all cosines and spreads each term over all coordinates. 1536 = 12 x 128, and Hadamard matrices of both orders
exist (Paley 1933; Sylvester 1867), so their Kronecker product mixes all coordinates with two small products.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

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
