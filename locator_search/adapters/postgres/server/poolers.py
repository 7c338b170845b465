"""Tells a server from a pooler in front of it, and a pooler that keeps sessions from one that does not.

A pooler in transaction mode (PgBouncer, port 6543 of Supabase) runs every transaction on whichever connection to the
server is free. Locks, settings and prepared statements of a session are then another client's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.errors import ConfigurationError

if TYPE_CHECKING:
    import psycopg

SQL = statements(__name__)

Pooling: TypeAlias = Literal["none", "session", "transaction"]

LOOKS = 5
"""A busy pooler gives a client the same connection again by chance, and hardly that often."""


def pooling_of(connection: psycopg.Connection[Any], another: Callable[[], psycopg.Connection[Any]]) -> Pooling:
    """Which kind of pooler a connection in autocommit mode goes through; `another` opens a second one like it."""
    if connection.info.backend_pid == _server_process(connection):
        return "none"  # a pooler makes up the process that it tells its clients
    with another() as other:
        for _ in range(LOOKS):
            before = _server_process(connection)
            with other.transaction():
                if _server_process(other) == before or _server_process(connection) != before:
                    return "transaction"
    return "session"


def transaction_pooler(place: str) -> ConfigurationError:
    """The refusal of a pooler where sessions are needed."""
    return ConfigurationError(
        f"{place} is a pooler that gives every transaction another connection: the locks by which crawls and requests"
        " take turns do not hold there.",
        hint="Name the server itself in DATABASE_URL, or a pooler that keeps sessions (Supabase: port 5432 of the same"
        " host; PgBouncer: pool_mode = session). This one may stand in LOCATOR_SEARCH_DATABASE_URL.",
    )


def _server_process(connection: psycopg.Connection[Any]) -> int:
    [[process]] = connection.execute(SQL.server_process, prepare=False).fetchall()
    return int(process)
