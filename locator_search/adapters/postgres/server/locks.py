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
from typing import NamedTuple

import psycopg
from psycopg.rows import scalar_row

from locator_search.adapters.postgres.server.database import Connection, Database, is_lost
from locator_search.adapters.postgres.server.statements import statements

SQL = statements(__name__)

FILE_LOCKS = 0x66696C65  # "file"
DAEMON_LOCK = 0x6461656D  # "daem"
LONGEST_POLL_SECONDS = 0.2


class LockKey(NamedTuple):
    """The name of a lock: two numbers of 32 bits with a sign."""

    kind: int
    number: int


class LockSession:
    """A connection outside the pool that carries locks, opened on first use and again when it was lost."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None

    def connection(self) -> Connection:
        """The connection. Raises StoreUnavailable."""
        if self._connection is None or is_lost(self._connection):
            self._connection = self._database.connect()
            self._connection.execute(SQL.keep_alive)
        return self._connection

    def unlock(self, key: LockKey) -> None:
        """Give a lock back. A session that was lost has given it back already."""
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.execute(SQL.unlock, key._asdict())

    def close(self) -> None:
        """Close the connection, which frees its locks."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class AdvisoryLocks:
    """The locks this process holds over one dedicated connection. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._guard = threading.Lock()
        self._held: set[LockKey] = set()
        self._session = LockSession(database)
        database.on_close(self._disconnect)

    def acquire(self, key: LockKey) -> bool:
        """Take the lock if nobody holds it, here or anywhere. Raises StoreUnavailable."""
        with self._guard:
            if key in self._held:
                return False
            with self._database.translated():
                [[taken]] = self._session.connection().execute(SQL.try_lock, key._asdict()).fetchall()
            if taken:
                self._held.add(key)
            return bool(taken)

    def release(self, key: LockKey) -> None:
        """Give the lock back."""
        with self._guard:
            self._held.discard(key)
            self._session.unlock(key)

    def _disconnect(self) -> None:
        with self._guard:
            self._session.close()


class PostgresFileLocks:
    """FileLocks over advisory locks."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._locks = AdvisoryLocks(database)

    @contextmanager
    def hold(self, name: str) -> Iterator[None]:
        """Wait for the lock of that name and hold it while the block runs."""
        key = _file_key(name)
        pause = 0.01
        while not self._locks.acquire(key):
            time.sleep(pause)
            pause = min(pause * 1.5, LONGEST_POLL_SECONDS)
        try:
            yield
        finally:
            self._locks.release(key)

    def is_held(self, name: str) -> bool:
        """Whether some living worker holds it."""
        return bool(self._database.row(SQL.is_held, _file_key(name)._asdict(), scalar_row))


class PostgresDaemonTurn:
    """DaemonTurn over one advisory lock."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._session = LockSession(database)
        self._taken_over: Connection | None = None
        database.on_close(self._session.close)

    def is_ours(self) -> bool:
        """Take the turn where nobody has it, also again when the connection that carried it was lost."""
        connection = self._session.connection()
        if connection is not self._taken_over:
            with self._database.translated():
                [[taken]] = connection.execute(SQL.try_lock, LockKey(DAEMON_LOCK, 0)._asdict()).fetchall()
            self._taken_over = connection if taken else None
        return connection is self._taken_over


def lock_until_commit(connection: Connection, key: int) -> None:
    """Wait for a lock and hold it until the transaction ends."""
    connection.execute(SQL.lock_until_commit, {"key": key})


def share_until_commit(connection: Connection, key: int) -> None:
    """Wait for whoever holds a lock alone, and hold it beside others until the transaction ends."""
    connection.execute(SQL.share_until_commit, {"key": key})


def _file_key(name: str) -> LockKey:
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=4).digest()
    return LockKey(FILE_LOCKS, int.from_bytes(digest, "big", signed=True))
