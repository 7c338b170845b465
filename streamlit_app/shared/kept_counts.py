"""Counts over the whole index, kept for each reader: who waits for a result does not wait until all files are counted.

What takes no time to count is never older than `FRESH`. What does is shown once more as it was, and counted anew
meanwhile, so that the next look has it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock, Thread
from time import monotonic
from typing import Generic, TypeVar

from locator_search.core.reader import Reader, reading_as

Value = TypeVar("Value")

FRESH = 5.0
"""Seconds for which a count is as good as new."""
SHARE = 0.05
"""Of the time that may go into counting: what takes a second is as good as new for twenty."""
QUICK = 0.1
"""Seconds. What took no longer is counted while the page waits."""
OLDEST = 3600.0
"""Seconds after which nothing is shown once more."""
OLDEST_OF_ONE = 60.0
"""The same for somebody who may read some files: those that were closed meanwhile are counted no longer than a tick."""


@dataclass(frozen=True, slots=True)
class Count(Generic[Value]):
    """A count, the time it was begun at and the seconds it took."""

    value: Value
    at: float
    seconds: float


class KeptCounts(Generic[Value]):
    """The last count for each reader. Used by many threads; `count` is called as the reader."""

    def __init__(self, count: Callable[[], Value]) -> None:
        self._count = count
        self._last: dict[Reader | None, Count[Value]] = {}
        self._under_way: set[Reader | None] = set()
        self._lock = Lock()

    def of(self, reader: Reader | None) -> Value:
        """The count for a reader. Raises what `count` raises while there is none to show."""
        last, now = self._last.get(reader), monotonic()
        oldest = OLDEST if reader is None else OLDEST_OF_ONE
        if last is None or not last.value:  # that nothing is there must not be said once more
            return self._counted(reader)
        if now - last.at <= min(max(FRESH, last.seconds / SHARE), oldest):
            return last.value
        if last.seconds <= QUICK or now - last.at > oldest:
            return self._counted(reader)
        with self._lock:
            begins = reader not in self._under_way
            self._under_way.add(reader)
        if begins:
            Thread(target=self._count_anew, args=(reader,), name="counts", daemon=True).start()
        return last.value

    def _count_anew(self, reader: Reader | None) -> None:
        try:
            self._counted(reader)
        finally:
            self._under_way.discard(reader)

    def _counted(self, reader: Reader | None) -> Value:
        began = monotonic()
        with reading_as(reader):
            value = self._count()
        self._last[reader] = Count(value, began, monotonic() - began)
        return value
