"""A bounded number of requests in flight to one service, over all processes and machines that share the database.

Requests are served in the order in which they came, over all processes, so that no search starves beside a crawl. None
waits longer than its deadline.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.locks import AdvisoryLocks, LockKey, LockSession
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.clock import seconds_left, within
from locator_search.core.errors import DeadlinePassed

SQL = statements(__name__)

TURN = -1
"""The number, beside those of the slots, of the lock whose holder is the next to be served."""
LOOKS_EVERY_SECONDS = 0.05
"""For slots that other processes give back; those of this one are noticed at once."""


class PostgresRequestSlots:
    """RequestSlots over advisory locks: slot n of a service is lock (service, n). Each service has `slots` of them."""

    def __init__(self, database: Database, slots: int = 5) -> None:
        self._database = database
        self._slots = slots
        self._locks = AdvisoryLocks(database)
        self._guard = threading.Lock()
        self._lines: dict[str, _Line] = {}

    @contextmanager
    def slot(self, service: str) -> Iterator[None]:
        """Wait for one of the service's slots and hold it while the block runs. Raises DeadlinePassed."""
        line = self._line(service)
        with line.turn():
            number = self._taken(line)
        try:
            yield
        finally:
            self._locks.release(LockKey(line.kind, number))
            line.freed.set()

    def _line(self, service: str) -> _Line:
        with self._guard:
            if service not in self._lines:
                self._lines[service] = _Line(self._database, service)
            return self._lines[service]

    def _taken(self, line: _Line) -> int:
        while True:
            line.freed.clear()
            for number in range(self._slots):
                if self._locks.acquire(LockKey(line.kind, number)):
                    return number
            line.freed.wait(LOOKS_EVERY_SECONDS)
            if seconds_left() == 0:
                raise _too_late()


class _Line:
    """The requests that wait for one service. One of them at a time looks for a free slot; PostgreSQL keeps the order.

    Waiting blocks a connection, so the line has one of its own.
    """

    def __init__(self, database: Database, service: str) -> None:
        self.kind = zlib.crc32(f"slots of {service}".encode()) - 2**31  # the range of a signed 32-bit key
        self.freed = threading.Event()
        self._database = database
        self._here = threading.Lock()
        self._session = LockSession(database)
        database.on_close(self._session.close)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until everybody who came before is served, and let nobody pass while the block runs."""
        with self._here_alone():
            with self._database.translated():
                self._wait_in(self._session.connection())
            try:
                yield
            finally:
                self._session.unlock(LockKey(self.kind, TURN))

    @contextmanager
    def _here_alone(self) -> Iterator[None]:
        """One thread of this process at a time."""
        if not self._here.acquire(timeout=within(threading.TIMEOUT_MAX)):
            raise _too_late()
        try:
            yield
        finally:
            self._here.release()

    def _wait_in(self, session: Connection) -> None:
        left = seconds_left()
        milliseconds = 0 if left is None else max(1, int(left * 1000))  # 0 waits for ever
        session.execute(SQL.wait_at_most, {"milliseconds": milliseconds})
        try:
            session.execute(SQL.wait, LockKey(self.kind, TURN)._asdict())
        except psycopg.errors.LockNotAvailable:
            raise _too_late() from None


def _too_late() -> DeadlinePassed:
    return DeadlinePassed("Too many requests are in flight: the deadline passed before it was our turn.")
