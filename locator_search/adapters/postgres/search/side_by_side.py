"""Two looks at the index at once, on two connections that see one state of it; and what PostgreSQL is told about them,
because its planner cannot know what they cost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from locator_search.adapters.postgres.server.database import LARGEST_POOL, Connection, Database
from locator_search.adapters.postgres.server.statements import statements

MOST_AT_ONCE = LARGEST_POOL // 3
"""Second connections. Far fewer than there are connections: a retrieval that waits for its second one holds its first,
and the rest of them goes round."""

SQL = statements(__name__)
PLANNING = SQL.planning

One = TypeVar("One")
Other = TypeVar("Other")


class SideBySide:
    """Asks on a second connection what goes beside something on the first. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._places = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="second-look")

    def both(
        self,
        connection: Connection,
        here: Callable[[Connection], One],
        beside: Callable[[Connection], Other],
        at_once: bool = True,
    ) -> tuple[One, Other]:
        """Both answers: one asked for on this connection, the other on a second one at the same time. Where that is not
        worth it, or there is none to spare (a pooler may have as few as one), one is asked after the other. They share
        nothing, so the answers are the same. `connection` is one of `Database.snapshot`."""
        if not at_once or not self._database.keeps_sessions or not self._places.acquire(blocking=False):
            return here(connection), beside(connection)
        try:
            (snapshot,) = connection.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
            waiting = self._threads.submit(self._ask, snapshot, beside)
        except BaseException:
            self._places.release()
            raise
        return here(connection), waiting.result()

    def _ask(self, snapshot: str, ask: Callable[[Connection], Other]) -> Other:
        try:
            with self._database.snapshot(snapshot) as connection:
                connection.execute(PLANNING)
                return ask(connection)
        finally:
            self._places.release()


@contextmanager
def by_index(connection: Connection) -> Iterator[None]:
    """For statements that look for terms: they do so by their indexes.

    To compare the terms of one text costs ten thousand times what the planner takes it for (35 microseconds): left to
    itself it compares those of all texts of a small index, or of one that was just filled, in 0.3 s instead of 0.01.
    """
    connection.execute(SQL.without_scans)
    yield
    connection.execute(SQL.with_scans)


@contextmanager
def without_workers(connection: Connection) -> Iterator[None]:
    """For statements that are done before a worker has started, which takes 4 ms."""
    connection.execute(SQL.without_workers)
    yield
    connection.execute(SQL.with_workers)


@contextmanager
def with_parameters(connection: Connection) -> Iterator[None]:
    """For statements that workers run and that are given long lists, which a worker reads in 20 ms out of its plan."""
    connection.execute(SQL.with_parameters)
    yield
    connection.execute(SQL.with_values)
