"""Figures about the index, damage in it, and the record of completed crawls."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import args_row, dict_row, kwargs_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.history.batch_log import PostgresBatchLog
from locator_search.adapters.postgres.index.calibration_store import PostgresCalibrationStore
from locator_search.adapters.postgres.index.facets import facets_of
from locator_search.adapters.postgres.index.folder_tree import sync_id
from locator_search.adapters.postgres.index.registry import PostgresFileRegistry
from locator_search.adapters.postgres.server.database import Database, PostgresAdapter
from locator_search.adapters.postgres.server.rows import columns_of, known_file
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import SUMMARY_STATE, Facet, FileState
from locator_search.ports import (
    CrawlProgress,
    CrawlRun,
    FileStory,
    IndexHealth,
    IndexStatus,
    KnownFile,
    SyncState,
)
from locator_search.ports.crawls import USUAL_PACE

SQL = statements(__name__)


class PostgresStatusReader:
    """A StatusReader over PostgreSQL. Files are counted and named of some roots, None stands for all there are."""

    def __init__(
        self, database: Database, *, time_zone: str = "Asia/Tokyo", root_ids: Sequence[str] | None = None
    ) -> None:
        self._database = database
        self._root_ids = root_ids
        self._time_zone = time_zone

    @property
    def _scope(self) -> Mapping[str, object]:
        """The roots whose files are named, and who asks."""
        return {"roots": self._roots, "reader": self._database.reader}

    @property
    def _roots(self) -> list[str] | None:
        return list(self._root_ids) if self._root_ids is not None else None

    @property
    def _sync(self) -> Mapping[str, object]:
        """Our roots, together and one by one."""
        return {"id": sync_id(self._root_ids), "roots": self._roots}

    def status(self) -> IndexStatus:
        """Counts, last sync and cost so far. Raises AccessDenied for people who are no administrators."""
        self._database.refuse_figures()
        registry = PostgresFileRegistry(self._database, self._root_ids)
        sync = {**self._sync, "global": sync_id(None)}
        [figures] = self._database.rows(SQL.figures, {"stand_in": Jsonb({SUMMARY_STATE: "stand-in"})}, dict_row)
        return IndexStatus(
            coverage=registry.coverage(),
            roots=tuple(registry.roots()),
            last_sync=self._database.row(SQL.last_sync, sync, args_row(SyncState)),
            batches=tuple(PostgresBatchLog(self._database).waiting()),
            calibration=PostgresCalibrationStore(self._database).measured(),
            **figures,
        )

    def files_in(self, states: Sequence[FileState], limit: int = 200) -> list[KnownFile]:
        """Files in some states, newest first."""
        values = {**self._scope, "states": list(states), "limit": limit}
        return self._database.rows(SQL.files_in, values, kwargs_row(known_file))

    def stories(self, words: str = "", *, file_id: str | None = None, limit: int = 50) -> list[FileStory]:
        """Files with all the words in name or folder, those first that are not searched; or the one of that id."""
        values = {
            "words": unicodedata.normalize("NFKC", words).lower().split(),
            "file": file_id,
            "by_model": Jsonb({SUMMARY_STATE: "stand-in"}),
        }
        return self._database.rows(SQL.stories, {**self._scope, **values, "limit": limit}, kwargs_row(_story))

    def progress(self) -> CrawlProgress:
        """How far the work has come. Raises AccessDenied for people who are no administrators."""
        self._database.refuse_figures()
        waiting = PostgresFileRegistry(self._database, self._root_ids).extent().waiting
        [[done, seconds, latest, in_batches]] = self._database.rows(SQL.latest, self._scope)
        return CrawlProgress(waiting - in_batches, done, seconds, latest, _pace(self.runs()), in_batches)

    def record_run(self, run: CrawlRun) -> None:
        """Keep what a run did."""
        states = Jsonb(dict(run.states))
        self._database.run(SQL.record_run, {**columns_of(run), **self._sync, "states": states})

    def runs(self, limit: int = 60) -> list[CrawlRun]:
        """The last runs over any of our roots, oldest first. Raises AccessDenied for who is no administrator."""
        self._database.refuse_figures()
        values = {**self._sync, "limit": limit}
        return self._database.rows(SQL.runs, values, kwargs_row(CrawlRun))[::-1]

    def facets(self) -> tuple[Facet, ...]:
        """How the indexed files spread over folders, types and periods (for filters)."""
        reader = self._database.reader
        with self._database.connection() as connection:
            return facets_of(connection, None, None, self._time_zone, reader)

    def text_lengths(self, file_ids: Sequence[str]) -> dict[str, int]:
        """Characters of text by file, of those among the named files that are indexed."""
        return dict(self._database.rows(SQL.text_lengths, {"files": list(file_ids)}))

    def finish_sync(self, state: SyncState) -> None:
        """Record a completed crawl; `drive_modified_at` never moves backward.

        It is entered for its roots and, as the last crawl of this database, in the row `global`.
        """
        with self._database.transaction() as connection:
            for sync in dict.fromkeys((sync_id(self._root_ids), sync_id(None))):
                connection.execute(SQL.finish_sync, columns_of(state) | {"id": sync})


def _pace(runs: Sequence[CrawlRun]) -> float:
    """Seconds for each file of the last run that worked on files."""
    worked = ((run.seconds, run.indexed + run.skipped + run.failed) for run in reversed(runs))
    return next((seconds / files for seconds, files in worked if files), USUAL_PACE)


def _story(
    *,
    seen_at: datetime,
    tried_at: datetime,
    partition_key: str | None,
    indexed_at: datetime | None,
    chunks: int,
    characters: int,
    by_model: bool,
    **known: Any,
) -> FileStory:
    return FileStory(
        known_file(**known), seen_at, tried_at, partition_key, indexed_at, chunks, characters, by_model=by_model
    )


class PostgresIndexInspector(PostgresAdapter):
    """An IndexInspector over PostgreSQL: looks for damage that no constraint of the tables excludes."""

    def inspect(self) -> IndexHealth:
        """One look at all rows and chunks."""
        [[rows, without_row, without_file, not_unit, dimensions, models]] = self._database.rows(SQL.inspect)
        return IndexHealth(rows, without_row, without_file, not_unit, tuple(dimensions), tuple(models))
