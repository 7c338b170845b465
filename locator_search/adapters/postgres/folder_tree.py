"""The folders in scope and the place in the changes of their source, which move together."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from psycopg.rows import dict_row

from locator_search.adapters.postgres.database import Connection, Database
from locator_search.adapters.postgres.rows import STATE_COLUMNS, clean, known_file
from locator_search.model import FileRef
from locator_search.ports import FeedPosition, Folder, FolderChanges

COLUMNS = "folder_id, name, parent_ids, drive_id, resource_key, target_id, is_root"

PUT_FOLDER = f"""
INSERT INTO folder_tree ({COLUMNS})
VALUES (%(folder_id)s, %(name)s, %(parent_ids)s, %(drive_id)s, %(resource_key)s, %(target_id)s, %(is_root)s)
ON CONFLICT (folder_id) DO UPDATE SET
    name = EXCLUDED.name, parent_ids = EXCLUDED.parent_ids, drive_id = EXCLUDED.drive_id,
    resource_key = EXCLUDED.resource_key, target_id = EXCLUDED.target_id, is_root = EXCLUDED.is_root
"""  # noqa: S608 - the columns are a constant

# `drive_modified_at` says how far the index is complete: with a position alone, not at all yet.
SAVE_POSITION = """
INSERT INTO drive_sync_state (drive_modified_at, change_token, folder_fingerprint, last_full_at)
VALUES ('epoch', %(cursor)s, %(scope)s, %(full_at)s)
ON CONFLICT (id) DO UPDATE SET
    change_token = EXCLUDED.change_token, folder_fingerprint = EXCLUDED.folder_fingerprint,
    last_full_at = COALESCE(EXCLUDED.last_full_at, drive_sync_state.last_full_at)
"""


class PostgresFolderTree:
    """A FolderTree over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def folders(self, folder_ids: Collection[str]) -> dict[str, Folder]:
        """Those of the named folders and shortcuts that are in scope, by id."""
        return {folder.folder_id: folder for folder in self._where("folder_id = ANY(%s)", folder_ids)}

    def below(self, folder_ids: Collection[str]) -> list[Folder]:
        """Folders and shortcuts that lie directly in the named ones."""
        return self._where("parent_ids && %s::text[]", folder_ids)

    def shortcuts_to(self, target_ids: Collection[str]) -> list[Folder]:
        """Shortcuts in scope that lead to the named files and folders."""
        return self._where("target_id <> '' AND target_id = ANY(%s)", target_ids)

    def files_in(self, folder_ids: Collection[str]) -> list[FileRef]:
        """Listed files that lie directly in the named folders."""
        query = f"SELECT {STATE_COLUMNS} FROM file_state WHERE parent_ids && %s::text[] ORDER BY file_id"  # noqa: S608
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return [known_file(row).file for row in cursor.execute(query, [list(folder_ids)])]

    def _where(self, condition: str, ids: Collection[str]) -> list[Folder]:
        if not ids:
            return []
        query = f"SELECT {COLUMNS} FROM folder_tree WHERE {condition} ORDER BY folder_id"  # noqa: S608
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return [_folder(row) for row in cursor.execute(query, [list(ids)])]


class PostgresFeedLog:
    """A FeedLog over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def position(self) -> FeedPosition | None:
        """The position saved last, None before the first full listing."""
        query = "SELECT change_token, folder_fingerprint FROM drive_sync_state WHERE change_token IS NOT NULL"
        with self._database.connection() as connection:
            row = connection.execute(query).fetchone()
        return FeedPosition(*row) if row else None

    def last_full_at(self) -> datetime | None:
        """When everything was last listed."""
        with self._database.connection() as connection:
            row = connection.execute("SELECT last_full_at FROM drive_sync_state").fetchone()
        return row[0] if row else None

    def save(self, position: FeedPosition, folders: FolderChanges, full_at: datetime | None = None) -> None:
        """Move on, folders and position in one transaction; `full_at` after a full listing."""
        with self._database.transaction() as connection:
            _write(connection, folders)
            connection.execute(SAVE_POSITION, {"cursor": position.cursor, "scope": position.scope, "full_at": full_at})


def _write(connection: Connection, changes: FolderChanges) -> None:
    if changes.everything:
        kept = [folder.folder_id for folder in changes.put]
        connection.execute("DELETE FROM folder_tree WHERE NOT folder_id = ANY(%s)", [kept])
    elif changes.removed:
        connection.execute("DELETE FROM folder_tree WHERE folder_id = ANY(%s)", [list(changes.removed)])
    if changes.put:
        # Sorted, so that two writers lock the rows in the same order.
        rows = sorted((_row(folder) for folder in changes.put), key=lambda row: str(row["folder_id"]))
        with connection.cursor() as cursor:
            cursor.executemany(PUT_FOLDER, rows)


def _row(folder: Folder) -> dict[str, Any]:
    return {
        "folder_id": folder.folder_id,
        "name": clean(folder.name),
        "parent_ids": list(folder.parent_ids),
        "drive_id": folder.drive_id,
        "resource_key": folder.resource_key,
        "target_id": folder.target_id,
        "is_root": folder.is_root,
    }


def _folder(row: dict[str, Any]) -> Folder:
    return Folder(**{**row, "parent_ids": tuple(row["parent_ids"])})
