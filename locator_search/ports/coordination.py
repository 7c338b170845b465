"""Progress, and who may do what at once over the whole deployment."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

OnProgress = Callable[[str], None]
"""Receives one short line about what is being done now."""


class RequestSlots(Protocol):
    """At most five requests in flight to one service, counted over the whole deployment."""

    def slot(self, service: str) -> AbstractContextManager[None]:
        """Holds one of the service's slots while the block runs."""
        ...


class DaemonTurn(Protocol):
    """One daemon per database, over all machines; whoever waits takes over when the other one ends or dies."""

    def is_ours(self) -> bool:
        """Whether this process is the one that runs the daemon; it becomes it where there is none.

        Raises StoreUnavailable while the database cannot be asked.
        """
        ...


class FileLocks(Protocol):
    """One worker at a time per file, over all processes; freed when a worker dies."""

    def hold(self, name: str) -> AbstractContextManager[None]:
        """Wait for the lock of that name and hold it while the block runs."""
        ...

    def is_held(self, name: str) -> bool:
        """Whether some living worker holds it."""
        ...
