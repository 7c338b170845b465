"""Looks for damage in the index that no constraint of the tables excludes."""

from __future__ import annotations

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import IndexHealth

SQL = statements(__name__)


class PostgresIndexInspector:
    """An IndexInspector over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def inspect(self) -> IndexHealth:
        """One look at all rows and chunks."""
        [[rows, without_row, without_file, not_unit, dimensions, models]] = self._database.rows(SQL.inspect)
        return IndexHealth(rows, without_row, without_file, not_unit, tuple(dimensions), tuple(models))
