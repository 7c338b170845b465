"""Questions people keep to put them to other contributions again (table `contribution_question`)."""

from __future__ import annotations

from psycopg.rows import args_row

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports.contributions.analyses import SavedQuestion

SQL = statements(__name__)


class PostgresSavedQuestions:
    """A SavedQuestions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, owner: str, saved: SavedQuestion) -> None:
        """Keep a question under its name, in the place of another one of that name."""
        values = {"owner": clean(owner), "name": clean(saved.name), "question": clean(saved.question)}
        self._database.run(SQL.save, values)

    def of(self, owner: str) -> list[SavedQuestion]:
        """The questions of that owner, by name."""
        return self._database.rows(SQL.of_owner, {"owner": clean(owner)}, args_row(SavedQuestion))

    def delete(self, owner: str, name: str) -> bool:
        """Forget a question; False where there is none of that name."""
        return self._database.run(SQL.delete, {"owner": clean(owner), "name": clean(name)}) > 0
