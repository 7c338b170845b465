"""The present time, behind a seam so that tests can hold it, and how long everything done for one question may take.

    with deadline(20.0):
        ...  # anywhere below, `within(60.0)` says how long the next request may take

A deadline is a context variable: tasks of an event loop see it when they are begun under it, threads when they run in a
copy of the context that started them. Where none is set, as in a crawl, everybody keeps their own patience.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from time import monotonic
from typing import Protocol


class Clock(Protocol):
    """The present time."""

    def now(self) -> datetime:
        """Timezone-aware UTC."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The clock of this machine, which really waits."""

    def now(self) -> datetime:
        """Timezone-aware UTC."""
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        """Wait; a negative time waits not at all."""
        time.sleep(max(0.0, seconds))


_ends_at: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """The block has so many seconds from now, or what is left of a deadline around it where that is less."""
    around, ends_at = _ends_at.get(), monotonic() + max(0.0, seconds)
    token = _ends_at.set(ends_at if around is None else min(around, ends_at))
    try:
        yield
    finally:
        _ends_at.reset(token)


@contextmanager
def share_of_deadline(share: float) -> Iterator[None]:
    """The block has so large a part (0 to 1) of the seconds that are left, so that the rest has time, too."""
    left = seconds_left()
    if left is None:
        yield
        return
    with deadline(left * share):
        yield


def seconds_left() -> float | None:
    """Seconds until the deadline, 0 where it has passed; None where there is none."""
    ends_at = _ends_at.get()
    return None if ends_at is None else max(0.0, ends_at - monotonic())


def within(seconds: float) -> float:
    """The smaller of `seconds` and the time left until the deadline."""
    left = seconds_left()
    return seconds if left is None else min(seconds, left)
