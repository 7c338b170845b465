"""When a failing model is asked again: by anybody at all, and about a file that was indexed without its answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Lock
from typing import TypeVar

from locator_search.core.errors import BudgetExhausted, LocatorError, ModelError, ModelUnavailable
from locator_search.model import StandIn
from locator_search.ports import Clock

Result = TypeVar("Result")

REST = timedelta(minutes=1)
REFUSALS_IN_A_ROW = 10
"""So many different questions in a row without a usable answer are the model's fault and not the files'."""


class CircuitBreaker:
    """In front of one model, for all threads of a process. Open, it refuses at once what would only fail or be paid
    for nothing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._open_until: datetime | None = None
        self._refusals = 0
        self._reason = ""

    @property
    def is_open(self) -> bool:
        """Whether asking now would be refused."""
        with self._lock:
            return self._open_until is not None and self._clock.now() < self._open_until

    def ask(self, action: Callable[[], Result]) -> Result:
        """Call `action` and return its result. Raises ModelUnavailable while the model rests, else as `action` does."""
        self._enter()
        try:
            result = action()
        except BudgetExhausted:
            raise
        except ModelError as error:
            self._failed(error)
            raise
        with self._lock:
            self._open_until, self._refusals = None, 0
        return result

    def _enter(self) -> None:
        with self._lock:
            if self._open_until is None:
                return
            now = self._clock.now()
            if now < self._open_until:
                raise ModelUnavailable(self._reason)
            self._open_until = now + REST  # this caller tries the model; the others wait for the outcome

    def _failed(self, error: ModelError) -> None:
        with self._lock:
            self._refusals += 1
            if isinstance(error, ModelUnavailable) or self._refusals >= REFUSALS_IN_A_ROW:
                self._open_until = self._clock.now() + REST
                self._reason = error.message


FIRST_REFUSAL_RETRY = timedelta(days=1)
MAX_REFUSALS = 5
FIRST_OUTAGE_RETRY = timedelta(minutes=1)
LONGEST_OUTAGE_RETRY = timedelta(hours=4)


def after_refusal(refusals: int, now: datetime) -> datetime | None:
    """1, 2, 4 and 8 days after so many refusals of one question; then never by itself: each costs as much as an
    answer."""
    return None if refusals >= MAX_REFUSALS else now + FIRST_REFUSAL_RETRY * int(2 ** max(0, refusals - 1))


def after_outage(attempts: int, now: datetime) -> datetime:
    """1, 4, 16 and 64 minutes after so many vain attempts, then every four hours. A crawl by hand does not wait."""
    return now + min(FIRST_OUTAGE_RETRY * int(4 ** min(max(0, attempts - 1), 10)), LONGEST_OUTAGE_RETRY)


def unavailable(attempts: int, now: datetime) -> StandIn:
    """Of a file about which a model could not be asked, after `attempts` attempts before this one."""
    return StandIn("unavailable", attempts + 1, after_outage(attempts + 1, now))


def together(summary: StandIn | None, embedding: StandIn | None) -> StandIn | None:
    """One stand-in for both: that of the model that may be asked sooner."""
    if summary is None or embedding is None:
        return summary or embedding
    return summary if summary.reason == "unavailable" else embedding


def is_about_one_file(error: LocatorError) -> bool:
    """Whether a model failed at what one file says, so that the others may fare better."""
    return isinstance(error, ModelError) and not isinstance(error, BudgetExhausted)
