"""Every listed file with its one state (table `file_state`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from psycopg.rows import dict_row

from locator_search.adapters.postgres.database import Connection, Database
from locator_search.adapters.postgres.rows import STATE_COLUMNS, clean, file_columns, known_file
from locator_search.model import CoverageCounts, FileRef, FileState
from locator_search.ports import Extent, KnownFile

RECORD_LISTED = """
INSERT INTO file_state (file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location,
                        size, owner, parent_ids, seen_at)
VALUES (%(file_id)s, %(file_name)s, %(source)s, %(mime_type)s, %(modified_at)s, %(revision)s, %(link)s,
        %(folder_path)s, %(location)s, %(size)s, %(owner)s, %(parent_ids)s, %(seen_at)s)
ON CONFLICT (file_id) DO UPDATE SET
    file_name = EXCLUDED.file_name, source = EXCLUDED.source, mime_type = EXCLUDED.mime_type,
    modified_at = EXCLUDED.modified_at, revision = EXCLUDED.revision, link = EXCLUDED.link,
    folder_path = EXCLUDED.folder_path, location = EXCLUDED.location, size = EXCLUDED.size, owner = EXCLUDED.owner,
    parent_ids = EXCLUDED.parent_ids,
    state = CASE WHEN file_state.state = 'out_of_scope' THEN 'pending' ELSE file_state.state END,
    seen_at = GREATEST(file_state.seen_at, EXCLUDED.seen_at)
"""

SET_STATE = """
UPDATE file_state SET
    state = %(state)s,
    reason = %(reason)s,
    done_revision = COALESCE(%(revision)s, done_revision),
    pipeline_version = COALESCE(NULLIF(%(pipeline_version)s, ''), pipeline_version),
    content_hash = COALESCE(%(content_hash)s, content_hash),
    attempts = CASE WHEN %(state)s = 'failed' THEN attempts + 1 ELSE 0 END,
    next_try_at = %(next_try_at)s,
    updated_at = now()
WHERE file_id = %(file_id)s
"""


LET_GO = """
UPDATE file_state SET state = 'out_of_scope', reason = 'gone', next_try_at = NULL, updated_at = now()
WHERE file_id = ANY(%s)
"""

# Two indexes answer this without touching files that have nothing to be done: one holds those that wait, the other
# finds any pipeline but the present one.
DUE = f"""
SELECT {STATE_COLUMNS} FROM file_state
WHERE file_id IN (
    SELECT file_id FROM file_state
    WHERE waits AND source = %(source)s
      AND (next_try_at IS NULL OR next_try_at <= %(now)s OR done_revision IS DISTINCT FROM revision)
    UNION ALL
    SELECT file_id FROM file_state WHERE pipeline_version < %(version)s AND source = %(source)s
    UNION ALL
    SELECT file_id FROM file_state WHERE pipeline_version > %(version)s AND source = %(source)s
)
ORDER BY file_id LIMIT %(limit)s
"""  # noqa: S608 - the columns are a constant

# Files that may not be read are asked for again every day; nobody waits for them.
EXTENT = """
WITH listed AS (
    SELECT modified_at, waits AND NOT (state = 'no_access' AND done_revision = revision) AS waits
    FROM file_state WHERE source = %(source)s
), oldest AS (
    SELECT COALESCE(min(modified_at) FILTER (WHERE waits), 'infinity') AS waiting FROM listed
)
SELECT count(*), count(*) FILTER (WHERE waits), max(modified_at) FILTER (WHERE modified_at < oldest.waiting)
FROM listed, oldest
"""


class PostgresFileRegistry:
    """A FileRegistry over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def known(self, source: str | None = None, file_ids: Sequence[str] | None = None) -> dict[str, KnownFile]:
        """Known files by id: all, those of one source, or those named."""
        query = f"""
            SELECT {STATE_COLUMNS} FROM file_state
            WHERE (%(source)s::text IS NULL OR source = %(source)s)
              AND (%(file_ids)s::text[] IS NULL OR file_id = ANY(%(file_ids)s))
        """  # noqa: S608 - the columns are a constant
        values = {"source": source, "file_ids": list(file_ids) if file_ids is not None else None}
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return {row["file_id"]: known_file(row) for row in cursor.execute(query, values)}

    def record_listing(self, files: Iterable[FileRef], seen_at: datetime) -> None:
        """Insert or refresh listed files; keeps their state; new ones, and those let go, are `pending`."""
        # Sorted, so that two listings at once lock the rows in the same order.
        rows = sorted(
            (file_columns(file) | {"seen_at": seen_at} for file in files), key=lambda row: str(row["file_id"])
        )
        with self._database.transaction() as connection, connection.cursor() as cursor:
            cursor.executemany(RECORD_LISTED, rows)

    def let_go(self, file_ids: Sequence[str]) -> None:
        """Listed files are gone from their source: `out_of_scope` until they are deleted, or listed again."""
        if file_ids:
            with self._database.connection() as connection:
                connection.execute(LET_GO, [sorted(file_ids)])

    def due(self, source: str, pipeline_version: str, now: datetime, limit: int) -> dict[str, KnownFile]:
        """At most `limit` files by id with something to be done now. Reads no others."""
        values = {"source": source, "version": pipeline_version, "now": now, "limit": limit}
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return {row["file_id"]: known_file(row) for row in cursor.execute(DUE, values)}

    def extent(self, source: str) -> Extent:
        """How far the work on the files of a source has come."""
        with self._database.connection() as connection:
            row = connection.execute(EXTENT, {"source": source}).fetchone()
        return Extent(*row) if row else Extent(0, 0, None)

    def set_state(
        self,
        file_id: str,
        state: FileState,
        *,
        reason: str = "",
        revision: str | None = None,
        pipeline_version: str = "",
        content_hash: str | None = None,
        next_try_at: datetime | None = None,
    ) -> None:
        """Say what became of a file at a revision; failed ones count one more attempt, others reset the count.

        What is not given (`revision`, `pipeline_version`, `content_hash`) stays as it was. An unknown file is left
        unknown: it was deleted meanwhile.
        """
        values = {
            "file_id": file_id,
            "state": state,
            "reason": clean(reason),
            "revision": revision,
            "pipeline_version": pipeline_version,
            "content_hash": content_hash,
            "next_try_at": next_try_at,
        }
        with self._database.connection() as connection:
            connection.execute(SET_STATE, values)

    def coverage(self) -> CoverageCounts:
        """Counts by state and reason."""
        with self._database.connection() as connection:
            return count_coverage(connection)


def count_coverage(connection: Connection) -> CoverageCounts:
    """Counts of `file_state` by state and reason, largest first; reasons are counted where there is one."""
    rows = connection.execute("SELECT state, reason, count(*) FROM file_state GROUP BY 1, 2 ORDER BY 3 DESC").fetchall()
    by_state: dict[FileState, int] = {}
    by_reason: dict[str, int] = {}
    for state, reason, count in rows:
        by_state[state] = by_state.get(state, 0) + count
        if reason:
            by_reason[reason] = by_reason.get(reason, 0) + count
    return CoverageCounts(listed=sum(by_state.values()), by_state=by_state, by_reason=by_reason)
