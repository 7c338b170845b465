"""What people asked for on a surface that does none of it itself (table `contribution_request`)."""

from __future__ import annotations

from collections.abc import Iterable

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.rows import clean
from locator_search.ports import RequestKind


class PostgresContributionRequests:
    """A ContributionRequests."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, kind: RequestKind, targets: Iterable[str]) -> None:
        """Ask for something; what is asked for already stays as it is."""
        query = """
            INSERT INTO contribution_request (kind, target) SELECT %s, unnest(%s::text[]) ON CONFLICT DO NOTHING
        """
        with self._database.connection() as connection:
            connection.execute(query, [kind, [clean(one) for one in targets]])

    def waiting(self, kind: RequestKind) -> list[str]:
        """What is asked for and not settled, oldest first."""
        query = "SELECT target FROM contribution_request WHERE kind = %s ORDER BY requested_at, target"
        with self._database.connection() as connection:
            return [target for (target,) in connection.execute(query, [kind])]

    def settle(self, kind: RequestKind, targets: Iterable[str]) -> None:
        """It was done, or it could not be done: either way nobody need ask again."""
        query = "DELETE FROM contribution_request WHERE kind = %s AND target = ANY(%s)"
        with self._database.connection() as connection:
            connection.execute(query, [kind, [clean(one) for one in targets]])
