"""The present time, behind a seam, so that tests can hold it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
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
