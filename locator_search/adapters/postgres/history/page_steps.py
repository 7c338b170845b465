"""Keeps the steps of searches on pages for a day (table `page_step`)."""

from __future__ import annotations

from psycopg.rows import scalar_row

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements

SQL = statements(__name__)


class PostgresPageSteps(PostgresAdapter):
    """PageSteps over PostgreSQL."""

    def keep(self, key: str, step: str) -> None:
        """Keep a step, and forget those of more than a day ago."""
        self._database.run(SQL.forget)
        self._database.run(SQL.keep, {"key": key, "step": clean(step)})

    def step(self, key: str) -> str | None:
        """The step of a key, while it is kept."""
        return self._database.row(SQL.step, {"key": key}, scalar_row)
