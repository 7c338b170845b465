"""From measured cosines to a calibration."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locator_search.retrieval.calibration_fit import fitted

COSINES = st.lists(st.floats(-1, 1), min_size=1, max_size=30)


def evenly(low: float, high: float) -> list[float]:
    return [low + (high - low) * step / 100 for step in range(101)]


def test_a_search_gives_up_between_questions_without_and_with_an_answer() -> None:
    calibration = fitted(evenly(-0.1, 0.1), evenly(0.1, 0.3), evenly(0.3, 0.9))
    assert calibration.similarity(0.29) < 0.60  # 19 of 20 without an answer
    assert calibration.similarity(0.60) == pytest.approx(0.70)  # half of those with one
    assert calibration.similarity(0.29 + 0.31 * 2 / 3) == pytest.approx(0.60, abs=1e-3)
    assert calibration.similarity(0.75) == pytest.approx(0.82)
    assert calibration.similarity(0.0) == 0.0


def test_a_model_whose_cosines_are_all_high_gets_a_scale_of_its_own() -> None:
    """e5 gives texts that have nothing in common 0.75 and more."""
    calibration = fitted(evenly(0.70, 0.78), evenly(0.78, 0.84), evenly(0.82, 0.93))
    assert calibration.similarity(0.74) < 0.2
    assert calibration.similarity(0.84) < 0.60
    assert calibration.similarity(0.91) > 0.82


@given(unrelated=COSINES, unanswerable=COSINES, answerable=COSINES)
def test_whatever_was_measured_more_cosine_is_never_less_similarity(
    unrelated: list[float], unanswerable: list[float], answerable: list[float]
) -> None:
    calibration = fitted(unrelated, unanswerable, answerable)
    similarities = [calibration.similarity(cosine) for cosine in evenly(-1, 1)]
    assert similarities == sorted(similarities)
    assert [calibration.similarity(calibration.raw_at(level)) for level in (0.6, 0.7, 0.82, 0.95)] == pytest.approx(
        [0.6, 0.7, 0.82, 0.95]
    )
