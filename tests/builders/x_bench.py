"""X search over a database of a test: with the fake of X, or with the recorded sample."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from locator_search.adapters.postgres import Database
from locator_search.app.locator import Locator
from locator_search.config.settings import Settings
from locator_search.ports.x.found_posts import FoundPost
from locator_search.x_search.searcher import XSearch
from tests.fakes.x_server import TOKEN, XServer

Scores = list[tuple[str, float | None, float | None, float | None, int | None]]


class XBench:
    """One installation; `settings` are those of X search."""

    def __init__(self, database_url: str, home: Path, server: XServer | str | None = None, **settings: Any) -> None:
        address = server.url if isinstance(server, XServer) else server
        real = {"x_bearer_token": TOKEN, "x_api_base_url": address} if address else {}
        self._values = {"database_url": database_url, "locator_home": home, **real, **settings}
        self._locator = Locator(Settings(**self._values))

    @property
    def x(self) -> XSearch:
        return self._locator.x_search

    @property
    def database(self) -> Database:
        return self._locator.database

    def rest_is_over(self) -> None:
        """As half a minute after a model failed."""
        for client in self._locator._openai_clients.values():
            client._resting._failures.clear()
            client._refusals.clear()

    def close(self) -> None:
        self._locator.close()

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self.database.connection() as connection:
            return connection.execute(query, values).fetchall()


def scores_of(found: list[FoundPost]) -> Scores:
    """Posts, scores and order."""
    return [(one.post.post_id, one.embedding_score, one.rerank_score, one.final_score, one.rank) for one in found]
