"""The groups that lists of readers name, and who is in them (table `access_group`)."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.rows import scalar_row

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements

SQL = statements(__name__)


class PostgresGroupStore(PostgresAdapter):
    """A GroupStore over PostgreSQL."""

    def named(self) -> list[str]:
        """The groups that stand in the list of readers of a file."""
        return self._database.rows(SQL.named, make=scalar_row)

    def unknown(self) -> list[str]:
        """Those of them whose members are not known."""
        return self._database.rows(SQL.unknown, make=scalar_row)

    def keep(self, name: str, members: Sequence[str]) -> None:
        """A group has these members, as of now."""
        self._database.run(SQL.keep, {"name": clean(name), "members": list(map(clean, members))})

    def forget(self, name: str) -> None:
        """Nobody can tell who is in a group."""
        self._database.run(SQL.forget, {"name": clean(name)})

    def unread_files(self) -> int:
        """How many listed files nobody may read."""
        return self._database.row(SQL.unread_files, {}, scalar_row) or 0
