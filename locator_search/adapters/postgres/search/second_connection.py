"""Two looks at the index at once: one on the connection of a retrieval, the other on a second one beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from locator_search.adapters.postgres.search.planner_settings import PLANNING
from locator_search.adapters.postgres.server.database import LARGEST_POOL, Connection, Database

MOST_AT_ONCE = LARGEST_POOL // 3
"""Second connections. Far fewer than there are connections: a retrieval that waits for its second one holds its first,
and the rest of them goes round."""

Answer = TypeVar("Answer")


class SideBySide:
    """Asks on a second connection that sees what the first one sees. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._places = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="second-look")

    def start(self, connection: Connection, ask: Callable[[Connection], Answer]) -> Callable[[], Answer]:
        """Begin to ask, and return what waits for the answer. With no second connection to spare, the first one is
        asked when the answer is waited for. `connection` is one of `Database.snapshot`, and stays open until then."""
        if not self._places.acquire(blocking=False):
            return partial(ask, connection)
        try:
            (snapshot,) = connection.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
            return self._threads.submit(self._ask, snapshot, ask).result
        except BaseException:
            self._places.release()
            raise

    def _ask(self, snapshot: str, ask: Callable[[Connection], Answer]) -> Answer:
        try:
            with self._database.snapshot(snapshot) as connection:
                connection.execute(PLANNING)
                return ask(connection)
        finally:
            self._places.release()
