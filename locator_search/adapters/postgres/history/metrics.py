"""Figures for whoever watches the deployment: files, crawls, runs, slots and cost, of all machines together."""

from __future__ import annotations

from psycopg.rows import args_row, scalar_row

from locator_search.adapters.postgres.server.database import Database, PostgresAdapter
from locator_search.adapters.postgres.server.locks import DAEMON_LOCK, FILE_LOCKS
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import Sample

SQL = statements(__name__)


class PostgresMetricsReader(PostgresAdapter):
    """A MetricsReader over PostgreSQL. `request_slots` is the setting: how many requests one service takes at once."""

    def __init__(self, database: Database, request_slots: int = 5) -> None:
        super().__init__(database)
        self._request_slots = request_slots

    def samples(self) -> list[Sample]:
        """The figures now; those of Dagster once it has tables."""
        others = {"files": FILE_LOCKS, "daemon": DAEMON_LOCK}
        figures = self._database.rows(SQL.index_figures, others, args_row(Sample))
        figures += self._database.rows(SQL.search_figures, (), args_row(Sample))
        if self._database.row(SQL.has_dagster, (), scalar_row):
            figures += self._database.rows(SQL.dagster_figures, (), args_row(Sample))
        return [*figures, Sample("request_slots", {}, self._request_slots)]

    def dagster_rests(self) -> bool:
        """Whether Dagster has tables, and no run that is under way or holds a place in a pool."""
        return bool(
            self._database.row(SQL.has_dagster, (), scalar_row)
            and self._database.row(SQL.dagster_rests, (), scalar_row)
        )
