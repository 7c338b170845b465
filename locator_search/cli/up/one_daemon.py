"""One daemon per database: two would ask for every crawl twice, and note each other's runs as lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from locator_search.core.errors import LocatorError

if TYPE_CHECKING:
    from locator_search.cli.up.supervisor import Child, Supervisor
    from locator_search.ports import DaemonTurn

LOOK_SECONDS = 5.0


class OneDaemon:
    """Starts the daemon of a database when it is our turn, and ends it when another process has taken over.

    `tell_waiting` is called once each time another one turns out to run it.
    """

    def __init__(
        self, turn: DaemonTurn, supervisor: Supervisor, start: Callable[[], Child], tell_waiting: Callable[[], None]
    ) -> None:
        self._turn, self._supervisor = turn, supervisor
        self._start, self._tell_waiting = start, tell_waiting
        self._next_look = 0.0
        self._waits = False
        self.child: Child | None = None

    def look(self) -> None:
        """Do what is to be done by now. Never raises: while the database is away, what runs goes on."""
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + LOOK_SECONDS
        with suppress(LocatorError):
            ours = self._turn.is_ours()
            if ours and self.child is None:
                self.child = self._start()
            elif not ours and self.child is not None:
                self._supervisor.end(self.child)
                self.child = None
            if not ours and not self._waits:
                self._tell_waiting()
            self._waits = not ours
