"""Spares a model that keeps failing: after an outage nobody waits for it for a while, then one may try again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Lock
from typing import TypeVar

from locator_search.core.errors import BudgetExhausted, ModelError, ModelUnavailable
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
        """What `action` returns. Raises ModelUnavailable while the model is given a rest, else what `action` raises."""
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
            self._open_until = now + REST  # this one tries; the others wait for what it finds

    def _failed(self, error: ModelError) -> None:
        with self._lock:
            self._refusals += 1
            if isinstance(error, ModelUnavailable) or self._refusals >= REFUSALS_IN_A_ROW:
                self._open_until = self._clock.now() + REST
                self._reason = error.message
