"""Advisory locks of PostgreSQL: held by a session, freed by the server when the session ends, however it ends.

One connection per process carries all locks of its threads. A session may take the same lock twice, so which of them
are ours is remembered here.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg

from locator_search.adapters.postgres.server.database import Connection, Database, is_lost

LockKey = tuple[int, int]

FILE_LOCKS = 0x66696C65  # "file"
LONGEST_POLL_SECONDS = 0.2

# A worker on another machine that vanishes without a word gives its locks back within about a minute.
KEEPALIVE = "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3"


class AdvisoryLocks:
    """The locks this process holds over one dedicated connection. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._guard = threading.Lock()
        self._held: set[LockKey] = set()
        self._connection: Connection | None = None
        database.on_close(self._disconnect)

    def acquire(self, key: LockKey) -> bool:
        """Take the lock if nobody holds it, here or anywhere. Raises StoreUnavailable."""
        with self._guard:
            if key in self._held:
                return False
            with self._database.translated():
                taken = self._session().execute("SELECT pg_try_advisory_lock(%s, %s)", key).fetchone()
            if taken and taken[0]:
                self._held.add(key)
                return True
            return False

    def release(self, key: LockKey) -> None:
        """Give the lock back. A session that was lost has given it back already."""
        with self._guard:
            self._held.discard(key)
            if self._connection is not None:
                with suppress(psycopg.Error):
                    self._connection.execute("SELECT pg_advisory_unlock(%s, %s)", key)

    def _session(self) -> Connection:
        if self._connection is None or is_lost(self._connection):
            self._connection = self._database.connect()
            self._connection.execute(KEEPALIVE)
        return self._connection

    def _disconnect(self) -> None:
        with self._guard:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


class PostgresFileLocks:
    """FileLocks over advisory locks."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._locks = AdvisoryLocks(database)

    @contextmanager
    def hold(self, name: str) -> Iterator[None]:
        """Wait for the lock of that name and hold it while the block runs."""
        key = _file_key(name)
        for pause in growing_pauses():
            if self._locks.acquire(key):
                break
            time.sleep(pause)
        try:
            yield
        finally:
            self._locks.release(key)

    def is_held(self, name: str) -> bool:
        """Whether some living worker holds it."""
        query = """
            SELECT EXISTS (
                SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
                WHERE locktype = 'advisory' AND granted AND datname = current_database()
                  AND classid::bigint = %s AND objid::bigint = %s
            )
        """
        kind, number = _file_key(name)
        with self._database.connection() as connection:
            row = connection.execute(query, [kind, number & 0xFFFFFFFF]).fetchone()
        return bool(row and row[0])


def growing_pauses() -> Iterator[float]:
    """Seconds to sleep between tries: short first, then up to LONGEST_POLL_SECONDS."""
    pause = 0.01
    while True:
        yield pause
        pause = min(pause * 1.5, LONGEST_POLL_SECONDS)


def _file_key(name: str) -> LockKey:
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=4).digest()
    return FILE_LOCKS, int.from_bytes(digest, "big", signed=True)
