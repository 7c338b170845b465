"""Codes of vectors: their distance tells the angle, whatever the vectors look like."""

from __future__ import annotations

from math import acos, pi, sqrt

import numpy as np
import pytest

from locator_search.retrieval.binary_codes import (
    BITS,
    ESTIMATE_DEVIATION,
    Code,
    Estimator,
    binary_codes,
    code_distance,
)


def pairs(cosine: float, count: int, dimensions: int = 1536, common: float = 0.0) -> tuple[list[Code], list[Code]]:
    """Codes of pairs of unit vectors at this cosine, in so many dimensions, sharing a large first coordinate."""
    draw = np.random.default_rng(7)
    one = draw.standard_normal((count, dimensions))
    one[:, 0] += common * sqrt(dimensions)
    one /= np.linalg.norm(one, axis=1, keepdims=True)
    across = draw.standard_normal((count, dimensions))
    across -= np.sum(across * one, axis=1, keepdims=True) * one
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    other = cosine * one + sqrt(1 - cosine**2) * across
    padded = [np.pad(rows, ((0, 0), (0, 1536 - dimensions))).astype(np.float32) for rows in (one, other)]
    return binary_codes(padded[0]), binary_codes(padded[1])


def distance(one: bytes, other: bytes) -> int:
    return (int.from_bytes(one) ^ int.from_bytes(other)).bit_count()


@pytest.mark.parametrize("cosine", [0.1, 0.33, 0.7, 0.95])
@pytest.mark.parametrize(
    ("dimensions", "common"), [(1536, 0.0), (384, 0.0), (64, 0.0), (1536, 1.0)], ids=["full", "384", "64", "common"]
)
def test_the_distance_of_codes_tells_the_angle_of_every_kind_of_vector(
    cosine: float, dimensions: int, common: float
) -> None:
    distances = [
        distance(one.signs, other.signs) for one, other in zip(*pairs(cosine, 400, dimensions, common), strict=True)
    ]
    differs = acos(cosine) / pi
    assert np.mean(distances) == pytest.approx(BITS * differs, abs=6)
    assert np.std(distances) <= 1.2 * sqrt(BITS * differs * (1 - differs))
    assert max(distances) <= code_distance(cosine, 5)


def test_a_higher_cosine_has_a_nearer_limit_and_more_deviations_a_farther_one() -> None:
    limits = [code_distance(cosine, 5) for cosine in (-1.0, 0.0, 0.3, 0.6, 1.0)]
    assert limits == sorted(limits, reverse=True)
    assert (limits[0], limits[-1]) == (BITS, 1)
    assert code_distance(0.3, 2) < code_distance(0.3, 5)
    assert code_distance(1.0000001, 5) == 1, "rounding makes cosines a little larger than 1"


def test_the_same_vector_has_the_same_code_alone_and_among_others() -> None:
    vectors = np.random.default_rng(3).standard_normal((50, 1536)).astype(np.float32)
    together = binary_codes(vectors)
    for row, code in zip(vectors, together, strict=True):
        (alone,) = binary_codes(row[None])
        assert distance(alone.signs, code.signs) <= 2
        assert distance(alone.fine, code.fine) <= 4


@pytest.mark.parametrize("cosine", [0.0, 0.1, 0.33, 0.7, 0.95])
@pytest.mark.parametrize(
    ("dimensions", "common"), [(1536, 0.0), (384, 0.0), (64, 0.0), (1536, 1.0)], ids=["full", "384", "64", "common"]
)
def test_the_estimated_cosine_is_off_by_what_it_says(cosine: float, dimensions: int, common: float) -> None:
    draw = np.random.default_rng(11)
    off = []
    for _ in range(60):
        question = draw.standard_normal(dimensions)
        question[0] += common * sqrt(dimensions)
        question /= np.linalg.norm(question)
        across = draw.standard_normal((8, dimensions))
        across -= (across @ question)[:, None] * question
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        documents = cosine * question + sqrt(1 - cosine**2) * across
        pad = ((0, 0), (0, 1536 - dimensions))
        estimator = Estimator(np.pad(question[None], pad)[0].astype(np.float32))
        for code in binary_codes(np.pad(documents, pad).astype(np.float32)):
            weighted = sum(
                of_bits * of_plane * distance(bits, plane)
                for bits, of_bits in ((code.signs, 2), (code.fine, 1))
                for plane, of_plane in zip(estimator.planes, (8, 4, 2, 1), strict=True)
            )
            off.append(estimator.cosine(weighted) - cosine)
        assert estimator.cosine(estimator.distance(cosine)) == pytest.approx(cosine)
    assert abs(float(np.mean(off))) < 0.003
    assert float(np.std(off)) <= 1.15 * ESTIMATE_DEVIATION
    assert max(map(abs, off)) <= 5 * ESTIMATE_DEVIATION


def test_a_question_without_direction_has_an_estimate_all_the_same() -> None:
    estimator = Estimator(np.zeros(1536, dtype=np.float32))
    assert np.isfinite(estimator.distance(0.5))
