"""The clock of this machine."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """A `Clock` that really waits."""

    def now(self) -> datetime:
        """Timezone-aware UTC."""
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        """Wait; a negative time waits not at all."""
        time.sleep(max(0.0, seconds))
