"""Questions people keep to put them to other contributions again (table `contribution_question`)."""

from __future__ import annotations

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.rows import clean
from locator_search.ports.contributions.analyses import SavedQuestion


class PostgresSavedQuestions:
    """A SavedQuestions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, owner: str, saved: SavedQuestion) -> None:
        """Keep a question under its name, in the place of another one of that name."""
        query = """
            INSERT INTO contribution_question (owner, name, question) VALUES (%s, %s, %s)
            ON CONFLICT (owner, name) DO UPDATE SET question = EXCLUDED.question, created_at = now()
        """
        with self._database.connection() as connection:
            connection.execute(query, [clean(owner), clean(saved.name), clean(saved.question)])

    def of(self, owner: str) -> list[SavedQuestion]:
        """The questions of that owner, by name."""
        query = "SELECT name, question FROM contribution_question WHERE owner = %s ORDER BY name"
        with self._database.connection() as connection:
            return [SavedQuestion(*row) for row in connection.execute(query, [clean(owner)])]

    def delete(self, owner: str, name: str) -> bool:
        """Forget a question; False where there is none of that name."""
        query = "DELETE FROM contribution_question WHERE owner = %s AND name = %s"
        with self._database.connection() as connection:
            return connection.execute(query, [clean(owner), clean(name)]).rowcount > 0
