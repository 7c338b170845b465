"""Waiting for what other processes and threads do."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(holds: Callable[[], bool], complaint: str = "it did not happen in time", seconds: float = 60.0) -> None:
    """Until it holds; fails with what is `said` after so many seconds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, complaint
        time.sleep(0.01)
