"""Refusals that are about every request: a key, an account, a quota. Of many threads, few ask in vain."""

from __future__ import annotations

from threading import Lock
from time import monotonic

from locator_search.core.errors import LocatorError


class Refusals:
    """Remembers the last such refusal. Requests that were waiting when it came end with it, and so do those that come
    less than `seconds` later. Thread-safe.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds
        self._lock = Lock()
        self._refused_at = float("-inf")
        self._error: LocatorError | None = None

    def note(self, error: LocatorError) -> None:
        """Remember that a request was refused, as every other one would be."""
        with self._lock:
            self._refused_at, self._error = monotonic(), error

    def check(self, waiting_since: float) -> None:
        """Raise the refusal that a request, which waits since then (`time.monotonic`), would meet too."""
        with self._lock:
            refused_at, error = self._refused_at, self._error
        if error is not None and waiting_since <= refused_at + self._seconds:
            raise type(error)(error.message, error.hint)
