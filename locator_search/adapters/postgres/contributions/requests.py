"""Requests made on a surface and carried out by the sensor (table `contribution_request`)."""

from __future__ import annotations

from collections.abc import Iterable

from psycopg.rows import scalar_row

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import RequestKind

SQL = statements(__name__)


class PostgresContributionRequests(PostgresAdapter):
    """A ContributionRequests."""

    def add(self, kind: RequestKind, targets: Iterable[str]) -> None:
        """Ask for something; what is asked for already stays as it is."""
        self._database.run(SQL.add, {"kind": kind, "targets": [clean(one) for one in targets]})

    def waiting(self, kind: RequestKind) -> list[str]:
        """The targets asked for and not settled, oldest first."""
        return self._database.rows(SQL.waiting, {"kind": kind}, scalar_row)

    def settle(self, kind: RequestKind, targets: Iterable[str]) -> None:
        """Settle requests that were carried out, or could not be."""
        self._database.run(SQL.settle, {"kind": kind, "targets": [clean(one) for one in targets]})
