"""The folders in scope and the place in the changes of their source, which move together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import dict_row

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.rows import STATE_COLUMNS, clean, known_file
from locator_search.model import FileRef, scope_of
from locator_search.ports import FeedPosition, Folder, FolderChanges

COLUMNS = "folder_id, name, parent_ids, drive_id, resource_key, target_id, is_root, root_id"

PUT_FOLDER = f"""
INSERT INTO folder_tree ({COLUMNS})
VALUES (%(folder_id)s, %(name)s, %(parent_ids)s, %(drive_id)s, %(resource_key)s, %(target_id)s, %(is_root)s,
        %(root_id)s)
ON CONFLICT (root_id, folder_id) DO UPDATE SET
    name = EXCLUDED.name, parent_ids = EXCLUDED.parent_ids, drive_id = EXCLUDED.drive_id,
    resource_key = EXCLUDED.resource_key, target_id = EXCLUDED.target_id, is_root = EXCLUDED.is_root
"""  # noqa: S608 - the columns are a constant

# `drive_modified_at` says how far the index is complete: with a position alone, not at all yet.
SAVE_POSITION = """
INSERT INTO drive_sync_state (id, drive_modified_at, change_token, folder_fingerprint, last_full_at)
VALUES (%(id)s, 'epoch', %(cursor)s, %(scope)s, %(full_at)s)
ON CONFLICT (id) DO UPDATE SET
    change_token = EXCLUDED.change_token, folder_fingerprint = EXCLUDED.folder_fingerprint,
    last_full_at = COALESCE(EXCLUDED.last_full_at, drive_sync_state.last_full_at)
"""


class PostgresFolderTree:
    """A FolderTree over PostgreSQL: the folders of some roots, None stands for all there are."""

    def __init__(self, database: Database, root_ids: Sequence[str] | None = None) -> None:
        self._database = database
        self._roots = list(root_ids) if root_ids is not None else None

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
        query = f"""
            SELECT {STATE_COLUMNS} FROM file_state
            WHERE parent_ids && %s::text[] AND (%s::text[] IS NULL OR root_id = ANY(%s)) ORDER BY file_id
        """  # noqa: S608 - the columns are a constant
        values = [list(folder_ids), self._roots, self._roots]
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return [known_file(row).file for row in cursor.execute(query, values)]

    def _where(self, condition: str, ids: Collection[str]) -> list[Folder]:
        if not ids:
            return []
        query = f"""
            SELECT {COLUMNS} FROM folder_tree
            WHERE {condition} AND (%s::text[] IS NULL OR root_id = ANY(%s)) ORDER BY folder_id
        """  # noqa: S608 - our own words
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return [_folder(row) for row in cursor.execute(query, [list(ids), self._roots, self._roots])]


class PostgresFeedLog:
    """A FeedLog over PostgreSQL: of some roots, None stands for all there are."""

    def __init__(self, database: Database, root_ids: Sequence[str] | None = None) -> None:
        self._database = database
        self._roots = list(root_ids) if root_ids is not None else None
        self._id = sync_id(root_ids)

    def position(self) -> FeedPosition | None:
        """The position saved last, None before the first full listing."""
        query = """
            SELECT change_token, folder_fingerprint FROM drive_sync_state WHERE id = %s AND change_token IS NOT NULL
        """
        with self._database.connection() as connection:
            row = connection.execute(query, [self._id]).fetchone()
        return FeedPosition(*row) if row else None

    def last_full_at(self) -> datetime | None:
        """When everything was last listed."""
        with self._database.connection() as connection:
            row = connection.execute("SELECT last_full_at FROM drive_sync_state WHERE id = %s", [self._id]).fetchone()
        return row[0] if row else None

    def save(self, position: FeedPosition, folders: FolderChanges, full_at: datetime | None = None) -> None:
        """Move on, folders and position in one transaction; `full_at` after a full listing."""
        with self._database.transaction() as connection:
            _write(connection, folders, self._roots)
            values = {"id": self._id, "cursor": position.cursor, "scope": position.scope, "full_at": full_at}
            connection.execute(SAVE_POSITION, values)


def sync_id(root_ids: Sequence[str] | None) -> str:
    """The row of `drive_sync_state` that belongs to some roots."""
    return "global" if root_ids is None else scope_of(root_ids)


def _write(connection: Connection, changes: FolderChanges, root_ids: Sequence[str] | None) -> None:
    ours = "(%s::text[] IS NULL OR root_id = ANY(%s))"
    if changes.everything:
        kept = [f"{folder.root_id}\n{folder.folder_id}" for folder in changes.put]
        query = f"DELETE FROM folder_tree WHERE {ours} AND NOT root_id || E'\\n' || folder_id = ANY(%s)"  # noqa: S608
        connection.execute(query, [root_ids, root_ids, kept])
    elif changes.removed:
        query = f"DELETE FROM folder_tree WHERE {ours} AND folder_id = ANY(%s)"  # noqa: S608
        connection.execute(query, [root_ids, root_ids, list(changes.removed)])
    if changes.put:
        # A folder that moved into another root belongs to that one alone.
        moved = f"""
            DELETE FROM folder_tree USING unnest(%s::text[], %s::text[]) AS put (root_id, folder_id)
            WHERE folder_tree.folder_id = put.folder_id AND folder_tree.root_id <> put.root_id
              AND {ours.replace("root_id", "folder_tree.root_id")}
        """  # noqa: S608 - our own words
        roots, ids = [one.root_id for one in changes.put], [one.folder_id for one in changes.put]
        connection.execute(moved, [roots, ids, root_ids, root_ids])
        # Sorted, so that two writers lock the rows in the same order.
        rows = sorted((_row(folder) for folder in changes.put), key=lambda row: (row["root_id"], row["folder_id"]))
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
        "root_id": folder.root_id,
    }


def _folder(row: dict[str, Any]) -> Folder:
    return Folder(**{**row, "parent_ids": tuple(row["parent_ids"])})
