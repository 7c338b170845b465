"""Connections to PostgreSQL, embedded or external, opened on first use. Vendor errors end here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import psycopg
from pgvector.psycopg import register_vector
from psycopg_pool import ConnectionPool

from locator_search.adapters.postgres.address import dagster_url, external_url, place_of
from locator_search.adapters.postgres.embedded import EmbeddedServer
from locator_search.adapters.postgres.migrations import apply_migrations, check_migrations
from locator_search.adapters.postgres.vendor_errors import translated
from locator_search.settings import Settings

Connection = psycopg.Connection[Any]

CONNECT_SECONDS = 10
LARGEST_POOL = 12

logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # its retries are told by our own errors


class Database:
    """One PostgreSQL database. Thread-safe; a context manager; nothing is started or connected before first use.

    `place` is the libpq URL of an external database, or the home of an embedded server. The tables of an embedded
    server are brought up to date by the first connection, because nobody else uses them; those of an external one
    only by `migrate`.
    """

    def __init__(self, place: str | Path) -> None:
        self._place = place
        self._lock = threading.RLock()
        self._server: EmbeddedServer | None = None
        self._pool: ConnectionPool[Connection] | None = None
        self._on_close: list[Callable[[], None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    @property
    def embedded(self) -> bool:
        """Whether the server is our own."""
        return isinstance(self._place, Path)

    @property
    def url(self) -> str:
        """libpq URL; an embedded server is started to have one. May hold a password: never log or show it."""
        if isinstance(self._place, str):
            return self._place
        with self._lock:
            if self._server is None:
                self._server = EmbeddedServer(self._place)
            return self._server.url

    @property
    def dagster_url(self) -> str:
        """SQLAlchemy URL of the same database with Dagster's schema, which exists when this returns."""
        self._opened_pool()
        return dagster_url(self.url)

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A pooled connection in autocommit mode; `with connection.transaction():` groups statements.

        Raises StoreUnavailable, SchemaOutOfDate or StoreError.
        """
        pool = self._opened_pool()
        with translated(), pool.connection() as connection:
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A pooled connection inside one transaction, rolled back when the block raises."""
        with self.connection() as connection, connection.transaction():
            yield connection

    def connect(self) -> Connection:
        """A connection of its own, outside the pool, for session locks and migrations. The caller closes it."""
        with translated(place_of(self.url)):
            connection: Connection = psycopg.connect(self.url, autocommit=True, connect_timeout=CONNECT_SECONDS)
            connection.execute("SET TIME ZONE 'UTC'")
            return connection

    def server_version(self) -> str:
        """The server's version, e.g. `18.4`."""
        with self.connection() as connection:
            return str(connection.execute("SHOW server_version").fetchone()[0]).split()[0]  # type: ignore[index]

    def on_close(self, action: Callable[[], None]) -> None:
        """Run `action` when this database is closed, before its server may stop."""
        self._on_close.append(action)

    def close(self) -> None:
        """Close the connections, and the embedded server if this was its last user."""
        with self._lock:
            for action in self._on_close:
                action()
            if self._pool is not None:
                self._pool.close()
                self._pool = None
            if self._server is not None:
                self._server.close()
                self._server = None

    def _opened_pool(self) -> ConnectionPool[Connection]:
        with self._lock:
            if self._pool is None:
                # The first connection is made by hand: it fails at once and with the server's own reason.
                with self.connect() as connection, translated():
                    apply_migrations(connection) if self.embedded else check_migrations(connection)
                self._pool = ConnectionPool(
                    self.url,
                    kwargs={"autocommit": True, "connect_timeout": CONNECT_SECONDS},
                    min_size=0,
                    max_size=LARGEST_POOL,
                    timeout=CONNECT_SECONDS * 3,
                    configure=_configure,
                    check=ConnectionPool.check_connection,
                    open=True,
                )
            return self._pool


def open_database(settings: Settings) -> Database:
    """The database the settings name: `DATABASE_URL`, `SUPABASE_*`, or the embedded server under `LOCATOR_HOME`."""
    return Database(external_url(settings) or settings.home)


def _configure(connection: Connection) -> None:
    connection.execute("SET TIME ZONE 'UTC'")
    register_vector(connection)
