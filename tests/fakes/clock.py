"""A clock that stands still until somebody sleeps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class HeldClock:
    """Starts at `now` and moves only by `sleep`; remembers how long it slept each time."""

    def __init__(self, now: datetime = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)) -> None:
        self._now = now
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self._now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._now += timedelta(seconds=seconds)
