"""Trying again: how long, how often, for what."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from locator_search.core.errors import AccessDenied, LocatorError, ModelUnavailable, RateLimited
from locator_search.core.retry import parse_retry_after, wait_before_retry, with_retries
from tests.fakes.clock import HeldClock


def rate_limited(retry_after: float | None = None) -> RateLimited:
    error = RateLimited("Slow down.")
    error.retry_after = retry_after
    return error


class Failing:
    """Fails with each error in turn, then answers."""

    def __init__(self, *errors: LocatorError) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "answer"


def test_waits_double_from_one_second_to_sixteen() -> None:
    clock, action = HeldClock(), Failing(*[rate_limited() for _ in range(5)])
    assert with_retries(action, clock) == "answer"
    assert clock.slept == [1, 2, 4, 8, 16]


def test_the_sixth_failure_is_reported() -> None:
    clock, action = HeldClock(), Failing(*[ModelUnavailable("Busy.") for _ in range(6)])
    with pytest.raises(ModelUnavailable):
        with_retries(action, clock)
    assert action.calls == 6
    assert sum(clock.slept) == 31


def test_a_failure_that_will_not_pass_is_not_tried_again() -> None:
    clock, action = HeldClock(), Failing(AccessDenied("No."))
    with pytest.raises(AccessDenied):
        with_retries(action, clock)
    assert (action.calls, clock.slept) == (1, [])


def test_a_caller_may_keep_one_kind_of_failure_for_itself() -> None:
    clock, action = HeldClock(), Failing(ModelUnavailable("Busy."), rate_limited(5.0))
    with pytest.raises(RateLimited):
        with_retries(action, clock, never_after=RateLimited)
    assert (action.calls, clock.slept) == (2, [1])


def test_an_error_may_be_called_fatal_although_its_class_is_retryable() -> None:
    error = ModelUnavailable("The quota is used up.")
    error.retryable = False
    assert wait_before_retry(1, error) is None


@pytest.mark.parametrize(("asked", "waited"), [(None, 2), (0.5, 2), (30, 30), (120, 120), (121, None)])
def test_retry_after_is_honoured_within_reason(asked: float | None, waited: float | None) -> None:
    assert wait_before_retry(2, rate_limited(asked)) == waited


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("Fri, 20 Nov 2026 03:00:05 GMT", 5.0),
        ("Fri, 20 Nov 2026 03:00:05 -0000", 5.0),
        ("Fri, 20 Nov 2026 02:59:00 GMT", 0.0),
        ("soon", None),
        ("-3", None),
        ("", None),
    ],
)
def test_the_header_is_seconds_or_a_date(header: str, seconds: float | None) -> None:
    assert parse_retry_after(header, datetime(2026, 11, 20, 3, 0, tzinfo=UTC)) == seconds
