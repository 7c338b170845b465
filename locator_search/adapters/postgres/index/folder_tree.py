"""The folders in scope and the place in the changes of their source, which move together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import args_row, kwargs_row, scalar_row

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.rows import columns_of
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import FileRef, scope_of
from locator_search.ports import FeedPosition, Folder, FolderChanges

SQL = statements(__name__)


class PostgresFolderTree:
    """A FolderTree over PostgreSQL: the folders of some roots, None stands for all there are."""

    def __init__(self, database: Database, root_ids: Sequence[str] | None = None) -> None:
        self._database = database
        self._roots = list(root_ids) if root_ids is not None else None

    def folders(self, folder_ids: Collection[str]) -> dict[str, Folder]:
        """Those of the named folders and shortcuts that are in scope, by id."""
        return {folder.folder_id: folder for folder in self._found(SQL.folders, folder_ids)}

    def below(self, folder_ids: Collection[str]) -> list[Folder]:
        """Folders and shortcuts that lie directly in the named ones."""
        return self._found(SQL.below, folder_ids)

    def shortcuts_to(self, target_ids: Collection[str]) -> list[Folder]:
        """Shortcuts in scope that lead to the named files and folders."""
        return self._found(SQL.shortcuts_to, target_ids)

    def files_in(self, folder_ids: Collection[str]) -> list[FileRef]:
        """Listed files that lie directly in the named folders."""
        return self._database.rows(SQL.files_in, {"ids": list(folder_ids), "roots": self._roots}, kwargs_row(_file))

    def _found(self, statement: str, ids: Collection[str]) -> list[Folder]:
        values = {"ids": list(ids), "roots": self._roots}
        return self._database.rows(statement, values, kwargs_row(_folder)) if ids else []


class PostgresFeedLog:
    """A FeedLog over PostgreSQL: of some roots, None stands for all there are."""

    def __init__(self, database: Database, root_ids: Sequence[str] | None = None) -> None:
        self._database = database
        self._roots = list(root_ids) if root_ids is not None else None
        self._id = sync_id(root_ids)

    def position(self) -> FeedPosition | None:
        """The position saved last, None before the first full listing."""
        return self._database.row(SQL.position, {"id": self._id}, args_row(FeedPosition))

    def last_full_at(self) -> datetime | None:
        """When everything was last listed."""
        return self._database.row(SQL.last_full_at, {"id": self._id}, scalar_row)

    def save(self, position: FeedPosition, folders: FolderChanges, full_at: datetime | None = None) -> None:
        """Move on, folders and position in one transaction; `full_at` after a full listing."""
        with self._database.transaction() as connection:
            self._write(connection, folders)
            connection.execute(SQL.save_position, columns_of(position) | {"id": self._id, "full_at": full_at})

    def _write(self, connection: Connection, changes: FolderChanges) -> None:
        # Sorted, so that two writers lock the rows in the same order.
        put = sorted(changes.put, key=lambda folder: (folder.root_id, folder.folder_id))
        values = {
            "roots": self._roots,
            "removed": list(changes.removed),
            "kept_roots": [folder.root_id for folder in put],
            "kept_folders": [folder.folder_id for folder in put],
        }
        connection.execute(SQL.keep_only if changes.everything else SQL.remove, values)
        if put:
            connection.execute(SQL.move, values)
            with connection.cursor() as cursor:
                cursor.executemany(SQL.put, [columns_of(folder) for folder in put])


def sync_id(root_ids: Sequence[str] | None) -> str:
    """The row of `drive_sync_state` that belongs to some roots."""
    return "global" if root_ids is None else scope_of(root_ids)


def _file(*, parent_ids: list[str], readers: list[str], **columns: Any) -> FileRef:
    return FileRef(parent_ids=tuple(parent_ids), readers=tuple(readers), **columns)


def _folder(*, parent_ids: list[str], readers: list[str], **columns: Any) -> Folder:
    return Folder(parent_ids=tuple(parent_ids), readers=tuple(readers), **columns)
