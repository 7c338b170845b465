"""Models that are not asked for a while, because they just failed."""

from __future__ import annotations

from threading import Lock
from time import monotonic

from locator_search.core.clock import seconds_left
from locator_search.core.errors import LocatorError

REST_SECONDS = 30.0


class RestingModels:
    """Remembers failures for half a minute, so that of many questions one alone waits for a model that is down.

    Work without a deadline, as a crawl, is patient instead: it always asks. Any answer ends the rest. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._failures: dict[str, tuple[float, LocatorError]] = {}

    def refuse(self, model: str) -> None:
        """Raise the error a model failed with, should it rest and this be a question with a deadline."""
        if seconds_left() is None:
            return
        with self._lock:
            until, error = self._failures.get(model, (0.0, None))
        if error is not None and monotonic() < until:
            raise type(error)(error.message, error.hint)

    def failed(self, model: str, error: LocatorError) -> None:
        """Let the model rest from now on."""
        with self._lock:
            self._failures[model] = (monotonic() + REST_SECONDS, error)

    def answered(self, model: str) -> None:
        """End the rest of a model that has answered."""
        with self._lock:
            self._failures.pop(model, None)
