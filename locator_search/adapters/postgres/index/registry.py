"""Every listed file with its one state (table `file_state`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from psycopg.rows import dict_row

from locator_search.adapters.postgres.index.index_writes import withdraw_files
from locator_search.adapters.postgres.index.source_roots import adopt_files, remove_root, root_states, write_roots
from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.rows import STATE_COLUMNS, clean, file_columns, known_file
from locator_search.indexing.diff import MAX_ATTEMPTS
from locator_search.indexing.model_outages import MAX_REFUSALS
from locator_search.model import CoverageCounts, FileRef, FileState, RootState, SourceRoot, StandIn
from locator_search.ports import Extent, KnownFile, ListedRoot

RECORD_LISTED = """
INSERT INTO file_state (file_id, file_name, source, mime_type, modified_at, revision, link, folder_path, location,
                        size, owner, parent_ids, root_id, seen_at)
VALUES (%(file_id)s, %(file_name)s, %(source)s, %(mime_type)s, %(modified_at)s, %(revision)s, %(link)s,
        %(folder_path)s, %(location)s, %(size)s, %(owner)s, %(parent_ids)s, %(root_id)s, %(seen_at)s)
ON CONFLICT (file_id) DO UPDATE SET
    file_name = EXCLUDED.file_name, source = EXCLUDED.source, mime_type = EXCLUDED.mime_type,
    modified_at = EXCLUDED.modified_at, revision = EXCLUDED.revision, link = EXCLUDED.link,
    folder_path = EXCLUDED.folder_path, location = EXCLUDED.location, size = EXCLUDED.size, owner = EXCLUDED.owner,
    parent_ids = EXCLUDED.parent_ids, root_id = EXCLUDED.root_id, missing_since = NULL,
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
    stand_in = '',
    updated_at = now()
WHERE file_id = %(file_id)s
"""

# What an outage left is asked for by every crawl; what a model refused, before its time, only when a person wants all
# done again, and only so often, because every answer that is of no use is paid.
ASK_AGAIN = """
WITH asked AS (
    UPDATE model_refusal SET next_try_at = %(now)s WHERE %(refused)s AND attempts < %(most)s
)
UPDATE file_state SET next_try_at = %(now)s
WHERE state = 'indexed' AND (stand_in = 'unavailable' OR (%(refused)s AND stand_in = 'refused' AND attempts < %(most)s))
"""


LET_GO = """
UPDATE file_state SET state = 'out_of_scope', reason = 'gone', next_try_at = NULL, updated_at = now()
WHERE file_id = ANY(%s)
"""

# A file that was missed before keeps that time: it was listed in between by nobody.
MARK_MISSING = """
UPDATE file_state SET missing_since = COALESCE(missing_since, %s) WHERE file_id = ANY(%s) AND missing_since IS NULL
"""

# Two indexes answer this without touching files that have nothing to be done: one holds those that wait, the other
# finds any pipeline but the present one.
DUE = f"""
SELECT {STATE_COLUMNS} FROM file_state
WHERE file_id IN (
    SELECT file_id FROM file_state
    WHERE waits AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
      AND (next_try_at IS NULL OR next_try_at <= %(now)s OR done_revision IS DISTINCT FROM revision)
      AND NOT (state = 'out_of_scope' AND missing_since IS NOT NULL)
    UNION ALL
    SELECT file_id FROM file_state
    WHERE pipeline_version < %(version)s AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
    UNION ALL
    SELECT file_id FROM file_state
    WHERE pipeline_version > %(version)s AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
)
ORDER BY file_id LIMIT %(limit)s
"""  # noqa: S608 - the columns are a constant

# Files that may not be read, and those that in the end are tried once a day, are asked for again, and of indexed ones a
# model; nobody waits for them.
EXTENT = f"""
WITH listed AS (
    SELECT modified_at, waits AND NOT (
        done_revision = revision AND (
            state IN ('no_access', 'indexed')
            OR state = 'failed' AND (attempts >= {MAX_ATTEMPTS} OR starts_with(reason, 'killed:'))
        )
    ) AS waits
    FROM file_state WHERE %(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)
), oldest AS (
    SELECT COALESCE(min(modified_at) FILTER (WHERE waits), 'infinity') AS waiting FROM listed
)
SELECT count(*), count(*) FILTER (WHERE waits), max(modified_at) FILTER (WHERE modified_at < oldest.waiting)
FROM listed, oldest
"""  # noqa: S608 - a number of ours


NOT_SEARCHED: frozenset[FileState] = frozenset({"skipped", "no_access"})
"""Of a file in one of these states, nothing may be found."""


class PostgresFileRegistry:
    """A FileRegistry over PostgreSQL. `root_ids` are the roots crawled by this home; None stands for all there are.
    `home` names the home.
    """

    def __init__(self, database: Database, root_ids: Sequence[str] | None = None, home: str = "") -> None:
        self._database = database
        self._home = home
        self._roots = list(root_ids) if root_ids is not None else None

    def known(self, file_ids: Sequence[str] | None = None) -> dict[str, KnownFile]:
        """Known files by id: those of our roots, or those named, whichever root they belong to."""
        condition, values = "%s::text[] IS NULL OR root_id = ANY(%s)", [self._roots, self._roots]
        if file_ids is not None:
            condition, values = "file_id = ANY(%s)", [list(file_ids)]
        query = f"SELECT {STATE_COLUMNS} FROM file_state WHERE {condition}"  # noqa: S608 - our own words
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return {row["file_id"]: known_file(row) for row in cursor.execute(query, values)}

    def all_ids(self) -> set[str]:
        """The ids of all files, whichever root they belong to."""
        with self._database.connection() as connection:
            return {row[0] for row in connection.execute("SELECT file_id FROM file_state")}

    def record_listing(self, files: Iterable[FileRef], seen_at: datetime) -> None:
        """Insert or refresh listed files; keeps their state; new ones, and those let go, are `pending`."""
        # Sorted, so that two listings at once lock the rows in the same order.
        rows = sorted(
            (file_columns(file) | {"seen_at": seen_at} for file in files), key=lambda row: str(row["file_id"])
        )
        with self._database.transaction() as connection, connection.cursor() as cursor:
            cursor.executemany(RECORD_LISTED, rows)

    def mark_gone(self, file_ids: Sequence[str]) -> None:
        """Listed files are gone from their source: `out_of_scope` until they are deleted, or listed again."""
        if file_ids:
            with self._database.connection() as connection:
                connection.execute(LET_GO, [sorted(file_ids)])

    def mark_missing(self, file_ids: Sequence[str], since: datetime) -> None:
        """Listed files are no longer listed, and are kept until that is confirmed or seen again."""
        if file_ids:
            with self._database.connection() as connection:
                connection.execute(MARK_MISSING, [since, sorted(file_ids)])

    def due(self, pipeline_version: str, now: datetime, limit: int) -> dict[str, KnownFile]:
        """At most `limit` files of our roots by id with something to be done now. Reads no others."""
        values = {"roots": self._roots, "version": pipeline_version, "now": now, "limit": limit}
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return {row["file_id"]: known_file(row) for row in cursor.execute(DUE, values)}

    def extent(self) -> Extent:
        """How far the work on the files of our roots has come."""
        with self._database.connection() as connection:
            row = connection.execute(EXTENT, {"roots": self._roots}).fetchone()
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
        withdraw: bool = False,
    ) -> None:
        """Say what became of a file at a revision; failed ones count one more attempt, others reset the count.

        What the index holds of a file leaves it in the same moment when the file is `skipped`, may not be read
        (`no_access`), or with `withdraw`.

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
        with self._database.transaction() as connection:
            if withdraw or state in NOT_SEARCHED:
                withdraw_files(connection, [file_id])
            connection.execute(SET_STATE, values)

    def postpone(self, file_id: str, stand_in: StandIn) -> None:
        """An indexed file goes on waiting for a model, until the time `stand_in` says."""
        query = "UPDATE file_state SET attempts = %s, next_try_at = %s WHERE file_id = %s AND state = 'indexed'"
        with self._database.connection() as connection:
            connection.execute(query, [stand_in.attempts, stand_in.next_try_at, file_id])

    def ask_models_again(self, now: datetime, *, refused: bool = False) -> None:
        """Indexed files a model could not be asked about are due; with `refused`, those it refused as well."""
        with self._database.connection() as connection:
            connection.execute(ASK_AGAIN, {"now": now, "refused": refused, "most": MAX_REFUSALS})

    def coverage(self) -> CoverageCounts:
        """Counts of the files of our roots by state and reason."""
        with self._database.connection() as connection:
            return count_coverage(connection, self._roots)

    def roots(self) -> list[RootState]:
        """Every root that has been listed, or that files belong to, by id; those of other homes, too."""
        with self._database.connection() as connection:
            return root_states(connection)

    def has_unlisted(self) -> bool:
        """Whether the last listing could not look into one of our roots, or a folder in one."""
        query = """
            SELECT EXISTS (SELECT FROM source_root WHERE (problem <> '' OR unlisted <> '{}')
                           AND (%s::text[] IS NULL OR root_id = ANY(%s)))
        """
        with self._database.connection() as connection:
            row = connection.execute(query, [self._roots, self._roots]).fetchone()
        return bool(row and row[0])

    def adopt(self, root: SourceRoot, place: str) -> None:
        """Files below a path that an earlier version left without a root belong to this one from now on."""
        with self._database.connection() as connection:
            adopt_files(connection, root, place)

    def record_roots(self, listed: Sequence[ListedRoot], now: datetime) -> None:
        """Keep how a listing of some roots went."""
        with self._database.transaction() as connection:
            write_roots(connection, listed, now, self._home)

    def ids_of_root(self, root_id: str, limit: int) -> list[str]:
        """The ids of at most so many files of a root."""
        query = "SELECT file_id FROM file_state WHERE root_id = %s ORDER BY file_id LIMIT %s"
        with self._database.connection() as connection:
            return [row[0] for row in connection.execute(query, [root_id, limit])]

    def forget_root(self, root_id: str) -> None:
        """A root has no files any more and is crawled by nobody."""
        with self._database.transaction() as connection:
            remove_root(connection, root_id)


def count_coverage(connection: Connection, root_ids: Sequence[str] | None = None) -> CoverageCounts:
    """Counts of `file_state` by state and reason, largest first; reasons are counted where there is one."""
    query = """
        SELECT state, reason, count(*) FROM file_state WHERE %(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s)
        GROUP BY 1, 2 ORDER BY 3 DESC
    """
    rows = connection.execute(query, {"roots": root_ids if root_ids is None else list(root_ids)}).fetchall()
    by_state: dict[FileState, int] = {}
    by_reason: dict[str, int] = {}
    for state, reason, count in rows:
        by_state[state] = by_state.get(state, 0) + count
        if reason:
            by_reason[reason] = by_reason.get(reason, 0) + count
    return CoverageCounts(listed=sum(by_state.values()), by_state=by_state, by_reason=by_reason)
