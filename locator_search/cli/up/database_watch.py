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

    `tell_again` is called when it runs again, `tell_problem` once for each reason why it does not.
    """

    def __init__(
        self, database: Database, tell_again: Callable[[], None], tell_problem: Callable[[LocatorError], None]
    ) -> None:
        self._database = database
        self._tell_again, self._tell_problem = tell_again, tell_problem
        self._told = ""
        self._next_try = 0.0

    def look(self) -> None:
        """Start the embedded server again if it died. Never raises."""
        if self._database.server_runs or time.monotonic() < self._next_try:
            return
        try:
            self._database.ensure_server()
        except LocatorError as error:
            self._next_try = time.monotonic() + AGAIN_SECONDS
            if error.message != self._told:
                self._tell_problem(error)
                self._told = error.message
        else:
            self._told = ""
            self._tell_again()

    def require(self) -> None:
        """Raise StoreUnavailable while the database is out of reach, the embedded one or another."""
        self._database.connect().close()
