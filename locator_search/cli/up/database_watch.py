"""Keeps the database of `up` running, and the children waiting while it does not."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from locator_search.core.errors import LocatorError

if TYPE_CHECKING:
    from locator_search.adapters.postgres import Database

AGAIN_SECONDS = 2.0


class DatabaseWatch:
    """Starts the embedded server again when it dies, as long as it takes: a full disk may have room again.

    `tell_again` is called when it runs again, whoever started it: every process that needs it does. `tell_problem` is
    called once for each reason why it does not run.
    """

    def __init__(
        self, database: Database, tell_again: Callable[[], None], tell_problem: Callable[[LocatorError], None]
    ) -> None:
        self._database = database
        self._tell_again, self._tell_problem = tell_again, tell_problem
        self._told = ""
        self._next_try = 0.0
        self._process: int | None = None

    def look(self) -> None:
        """Start the embedded server again if it died. Never raises."""
        if not self._database.server_runs and time.monotonic() >= self._next_try:
            self._start()
        process = self._database.server_process
        if process is None or process == self._process:
            return
        if self._process is not None:
            self._tell_again()
        self._process, self._told = process, ""

    def _start(self) -> None:
        try:
            self._database.ensure_server()
        except LocatorError as error:
            self._next_try = time.monotonic() + AGAIN_SECONDS
            if error.message != self._told:
                self._tell_problem(error)
                self._told = error.message

    def require(self) -> None:
        """Raise StoreUnavailable while the database is out of reach, the embedded one or another."""
        self._database.connect().close()
