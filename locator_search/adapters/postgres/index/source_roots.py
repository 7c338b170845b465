"""Source roots (table `source_root`): how the last listing of each went, and how many files belong to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import kwargs_row, scalar_row

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.rows import clean, columns_of
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import RootState, SourceRoot
from locator_search.ports import ListedRoot

SQL = statements(__name__)


class PostgresSourceRoots:
    """The part of a FileRegistry that is about roots. `root_ids` are those crawled by this home, None stands for all
    there are; `home` names the home."""

    def __init__(self, database: Database, root_ids: Sequence[str] | None = None, home: str = "") -> None:
        self._database = database
        self._home = home
        self._roots = {"roots": list(root_ids) if root_ids is not None else None}

    def roots(self) -> list[RootState]:
        """Every root that has been listed, or that files belong to, by id; those of other homes, too."""
        return self._database.rows(SQL.states, make=kwargs_row(_root_state))

    def readable_roots(self) -> list[SourceRoot]:
        """The roots in which whoever asks may read a file, by id. Raises AccessDenied where nobody is named."""
        own = set(self._database.rows(SQL.readable, {"reader": self._database.reader}, scalar_row))
        return [state.root for state in self.roots() if state.root.root_id in own]

    def has_unlisted(self) -> bool:
        """Whether the last listing could not look into one of our roots, or a folder in one."""
        return bool(self._database.row(SQL.has_unlisted, self._roots, scalar_row))

    def adopt(self, root: SourceRoot, place: str) -> None:
        """Files below a path that an earlier version left without a root belong to this one from now on."""
        self._database.run(SQL.adopt, columns_of(root) | {"place": clean(place)})

    def record_roots(self, listed: Sequence[ListedRoot], now: datetime) -> None:
        """Keep how a listing of some roots went."""
        rows = [
            {
                **columns_of(one.root),
                **columns_of(one),
                "listed_at": None if one.problem else now,
                "listed_by": clean(self._home),
            }
            for one in sorted(listed, key=lambda one: one.root.root_id)  # two writers lock the rows in the same order
        ]
        with self._database.transaction() as connection, connection.cursor() as cursor:
            cursor.executemany(SQL.record, rows)

    def ids_of_root(self, root_id: str, limit: int) -> list[str]:
        """The ids of at most so many files of a root."""
        return self._database.rows(SQL.ids, {"root_id": root_id, "limit": limit}, scalar_row)

    def forget_root(self, root_id: str) -> None:
        """A root has no files any more and is crawled by nobody: its folders are forgotten, too."""
        with self._database.transaction() as connection:
            connection.execute(SQL.forget_folders, {"root_id": root_id})
            connection.execute(SQL.forget, {"root_id": root_id})


def _root_state(*, root_id: str, name: str, source: str, unlisted: list[str], **columns: Any) -> RootState:
    root = SourceRoot(root_id, name or root_id.partition(":")[2], source)
    return RootState(root, unlisted=tuple(unlisted), **columns)
