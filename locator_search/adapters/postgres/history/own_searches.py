"""Keeps the searches people come back to, each for the one who made it (table `own_search`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import kwargs_row

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports.own_searches import AskedQuestion, OwnSearch

SQL = statements(__name__)


class PostgresOwnSearchStore(PostgresAdapter):
    """An OwnSearchStore over PostgreSQL."""

    def ask(self, owner: str, search_id: str, question: str, filters: str, most: int) -> None:
        """Keep what was asked now; of those that are not saved, only the newest so many stay."""
        self._database.run(SQL.ask, _values(owner, search_id, question, filters))
        self._database.run(SQL.forget_oldest, {"owner": owner, "most": most})

    def save(self, owner: str, search_id: str, question: str, filters: str, most: int) -> bool:
        """Keep a search for good; False where so many are saved already."""
        return self._database.run(SQL.save, {**_values(owner, search_id, question, filters), "most": most}) > 0

    def see(self, owner: str, search_id: str, seen: Sequence[str] | None) -> None:
        """The person looks at a saved search, and these files are the hits."""
        files = None if seen is None else list(seen)
        self._database.run(SQL.see, {"owner": owner, "search": search_id, "seen": files})

    def of(self, owner: str) -> list[OwnSearch]:
        """The searches of that owner, those asked last first."""
        return self._database.rows(SQL.searches, {"owner": owner}, kwargs_row(_own_search))

    def forget(self, owner: str, search_ids: Sequence[str]) -> int:
        """Forget searches of that owner; returns how many there were."""
        return self._database.run(SQL.forget, {"owner": owner, "searches": list(search_ids)})

    def asked(self, owner: str, days: int, fewest: int) -> list[AskedQuestion]:
        """Questions of so many last days that led whoever asks now to a file: own ones, and those that at least
        `fewest` people keep and that led to it at least as often; the most usual first."""
        values = {"owner": owner, "days": days, "fewest": fewest, "reader": self._database.reader}
        return self._database.rows(SQL.asked, values, kwargs_row(_asked_question))


def _asked_question(*, file_ids: list[str], **columns: Any) -> AskedQuestion:
    return AskedQuestion(file_ids=tuple(file_ids), **columns)


def _values(owner: str, search_id: str, question: str, filters: str) -> dict[str, object]:
    return {"owner": owner, "search": search_id, "question": clean(question), "filters": clean(filters)}


def _own_search(
    *, search_id: str, question: str, filters: str, asked_at: datetime, saved: bool, seen: list[str] | None
) -> OwnSearch:
    return OwnSearch(search_id, question, filters, asked_at, saved, None if seen is None else tuple(seen))
