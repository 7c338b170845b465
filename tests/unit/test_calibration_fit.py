"""From measured cosines to a calibration."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locator_search.retrieval.calibration_fit import NotToldApart, fitted

BELOW = st.lists(st.floats(-1, 0.5), min_size=1, max_size=30)
ABOVE = st.lists(st.floats(0.51, 1), min_size=1, max_size=30)


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


def test_a_scale_that_just_parts_right_from_wrong_is_taken() -> None:
    calibration = fitted([0.0] * 20, [0.3] * 20, [0.307] * 20)
    assert calibration.similarity(0.3) < 0.60
    assert calibration.similarity(0.307) == pytest.approx(0.70)


@pytest.mark.parametrize("right", [0.305, 0.30, 0.29, 0.1])
def test_a_scale_that_does_not_part_them_is_refused_and_says_why(right: float) -> None:
    """Half of the answers would be below what questions without one reach, or at the same place but for rounding."""
    with pytest.raises(NotToldApart, match=rf"cosine of {right:.3f} at most.* one in twenty reaches 0.300"):
        fitted([0.0] * 20, [0.3] * 20, [right] * 20)


def test_chance_is_what_comes_near_without_being_an_answer_whatever_it_was_asked_for() -> None:
    with pytest.raises(NotToldApart):
        fitted([0.5] * 20, [0.3] * 20, [0.45] * 20)


@given(unrelated=BELOW, unanswerable=BELOW, answerable=ABOVE)
def test_whatever_was_measured_more_cosine_is_never_less_similarity(
    unrelated: list[float], unanswerable: list[float], answerable: list[float]
) -> None:
    calibration = fitted(unrelated, unanswerable, answerable)
    similarities = [calibration.similarity(cosine) for cosine in evenly(-1, 1)]
    assert similarities == sorted(similarities)
    assert [calibration.similarity(calibration.raw_at(level)) for level in (0.6, 0.7, 0.82, 0.95)] == pytest.approx(
        [0.6, 0.7, 0.82, 0.95]
    )
