"""The cost of models so far (table `model_usage`): one row per day, task and model."""

from __future__ import annotations

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.rows import columns_of
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.usage import Usage

SQL = statements(__name__)


class PostgresUsageLog(PostgresAdapter):
    """A UsageLog over PostgreSQL."""

    def add(self, task: str, model: str, usage: Usage) -> None:
        """Enter one call; committed when this returns."""
        self._database.run(SQL.add, columns_of(usage) | {"task": task, "model": model})

    def total(self) -> Usage:
        """All calls together."""
        return Usage(*self._database.rows(SQL.total)[0])
