"""Figures about the index, and the record of completed crawls."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.history.batch_log import waiting_batches
from locator_search.adapters.postgres.index.calibration_store import measured_calibration
from locator_search.adapters.postgres.index.facets import facets_of
from locator_search.adapters.postgres.index.folder_tree import sync_id
from locator_search.adapters.postgres.index.registry import count_coverage
from locator_search.adapters.postgres.index.source_roots import root_states
from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.rows import STATE_COLUMNS, known_file
from locator_search.model import SUMMARY_STATE, Facet, FileState
from locator_search.ports import IndexStatus, KnownFile, SyncState

FINISH_SYNC = """
INSERT INTO drive_sync_state (id, drive_modified_at, mode, started_at, finished_at, listed, last_full_at)
VALUES (%(id)s, %(drive_modified_at)s, %(mode)s, %(started_at)s, %(finished_at)s, %(listed)s,
        CASE WHEN %(mode)s = 'full' THEN %(finished_at)s::timestamptz END)
ON CONFLICT (id) DO UPDATE SET
    drive_modified_at = GREATEST(drive_sync_state.drive_modified_at, EXCLUDED.drive_modified_at),
    mode = EXCLUDED.mode, started_at = EXCLUDED.started_at, finished_at = EXCLUDED.finished_at,
    listed = EXCLUDED.listed, last_full_at = COALESCE(EXCLUDED.last_full_at, drive_sync_state.last_full_at)
"""


class PostgresStatusReader:
    """A StatusReader over PostgreSQL. Files are counted and named of some roots, None stands for all there are."""

    def __init__(
        self, database: Database, *, time_zone: str = "Asia/Tokyo", root_ids: Sequence[str] | None = None
    ) -> None:
        self._database = database
        self._roots = list(root_ids) if root_ids is not None else None
        self._time_zone = time_zone

    def status(self) -> IndexStatus:
        """Counts, last sync and cost so far."""
        query = """
            SELECT (SELECT count(*) FROM file_chunk),
                   (SELECT max(indexed_at) FROM drive_file_index),
                   (SELECT embedding_model FROM index_profile),
                   COALESCE(sum(calls), 0)::bigint, COALESCE(sum(input_tokens + output_tokens), 0)::bigint,
                   COALESCE(sum(cost), 0),
                   (SELECT count(*) FROM drive_file_index WHERE metadata @> %s),
                   (SELECT count(*) FROM drive_file_index WHERE embedding IS NULL),
                   (SELECT count(*) FROM drive_file_index)
            FROM model_usage
        """
        with self._database.transaction() as connection:
            row = (
                connection.execute(query, [Jsonb({SUMMARY_STATE: "stand-in"})]).fetchone() or (0, None, None) + (0,) * 6
            )
            return IndexStatus(
                coverage=count_coverage(connection, self._roots),
                chunks=row[0],
                last_sync=_last_sync(connection, sync_id(self._roots)),
                newest_indexed_at=row[1],
                embedding_model=row[2],
                model_calls=row[3],
                tokens=row[4],
                cost_usd=float(row[5]),
                stand_in_summaries=row[6],
                without_embeddings=row[7],
                files=row[8],
                batches=tuple(waiting_batches(connection)),
                calibration=measured_calibration(connection),
                roots=tuple(root_states(connection)),
            )

    def files_in(self, states: Sequence[FileState], limit: int = 200) -> list[KnownFile]:
        """Files in some states, newest first."""
        query = f"""
            SELECT {STATE_COLUMNS} FROM file_state
            WHERE state = ANY(%(states)s) AND (%(roots)s::text[] IS NULL OR root_id = ANY(%(roots)s))
            ORDER BY updated_at DESC, file_id LIMIT %(limit)s
        """  # noqa: S608 - the columns are a constant
        values = {"states": list(states), "roots": self._roots, "limit": limit}
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return [known_file(row) for row in cursor.execute(query, values)]

    def facets(self) -> tuple[Facet, ...]:
        """How the indexed files spread over folders, types and periods (for filters)."""
        with self._database.connection() as connection:
            return facets_of(connection, None, self._time_zone)

    def text_lengths(self, file_ids: Sequence[str]) -> dict[str, int]:
        """Characters of text by file, of those among the named files that are indexed."""
        query = "SELECT file_id, sum(length(text))::bigint FROM file_chunk WHERE file_id = ANY(%s) GROUP BY file_id"
        with self._database.connection() as connection:
            return dict(connection.execute(query, [list(file_ids)]).fetchall())

    def finish_sync(self, state: SyncState) -> None:
        """Record a completed crawl; `drive_modified_at` never moves backward.

        It is entered for its roots and, as the last crawl of this database, in the row `global`.
        """
        values = {
            "drive_modified_at": state.drive_modified_at,
            "mode": state.mode,
            "started_at": state.started_at,
            "finished_at": state.finished_at,
            "listed": state.listed,
        }
        with self._database.transaction() as connection:
            for sync in dict.fromkeys((sync_id(self._roots), sync_id(None))):
                connection.execute(FINISH_SYNC, {**values, "id": sync})


def _last_sync(connection: Connection, sync: str) -> SyncState | None:
    """That of these roots. What an earlier version left in `global` counts until any roots have a row of their own."""
    query = """
        SELECT drive_modified_at, mode, started_at, finished_at, listed FROM drive_sync_state
        WHERE finished_at IS NOT NULL AND (id = %(id)s OR NOT EXISTS (
            SELECT FROM drive_sync_state WHERE id <> %(global)s AND finished_at IS NOT NULL))
        ORDER BY id = %(id)s DESC LIMIT 1
    """
    row = connection.execute(query, {"id": sync, "global": sync_id(None)}).fetchone()
    return SyncState(*row) if row else None
