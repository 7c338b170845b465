"""Writes events of many files in few statements: one by one they cost more than the work they tell of.

Dagster has one statement for many materialisations, or observations, of one asset, and for planned ones none; in
PostgreSQL they are written here. The names that are not public are those of `announce`, and the same test notices when
they change.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from types import TracebackType
from typing import Any, Self

import dagster as dg
from dagster._core.events import AssetObservationData, StepMaterializationData
from dagster._core.storage.event_log.schema import SqlEventLogStorageTable
from dagster_postgres import PostgresEventLogStorage

_INSERT = SqlEventLogStorageTable.insert().returning(SqlEventLogStorageTable.c.id, sort_by_parameter_order=True)
MOST_AT_ONCE = 500
LONGEST_SECONDS = 1.0


class EventWriter:
    """Writes what a step makes to the records of its run; within a second of each other, or at the end, together.

    A worker that is killed takes the events of that second along, and nothing else: the files are in the index, and
    whoever takes up its run says so.
    """

    def __init__(self, context: dg.AssetExecutionContext) -> None:
        self._context = context
        self._step = str(context.op_execution_context.op_handle)
        self._waiting: list[dg.DagsterEvent] = []
        self._written_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._write()

    def add(self, made: dg.AssetMaterialization | dg.AssetObservation) -> None:
        """Have one written soon."""
        kind, data = (
            (dg.DagsterEventType.ASSET_MATERIALIZATION, StepMaterializationData(made))
            if isinstance(made, dg.AssetMaterialization)
            else (dg.DagsterEventType.ASSET_OBSERVATION, AssetObservationData(made))
        )
        event = dg.DagsterEvent(kind.value, self._context.job_name, step_key=self._step, event_specific_data=data)
        self._waiting.append(event)
        if len(self._waiting) >= MOST_AT_ONCE or time.monotonic() - self._written_at >= LONGEST_SECONDS:
            self._write()

    def _write(self) -> None:
        events, self._waiting = self._waiting, []
        store(self._context.instance, self._context.run.run_id, events)
        self._written_at = time.monotonic()


def store(instance: dg.DagsterInstance, run_id: str, events: Sequence[dg.DagsterEvent]) -> None:
    """Store events of a run, those of one kind about one asset in one statement."""
    groups: dict[object, list[dg.EventLogEntry]] = defaultdict(list)
    for event in events:
        told = (None, logging.INFO, "", run_id, time.time(), event.step_key, event.job_name, event)
        entry = dg.EventLogEntry(*told)  # type: ignore[no-untyped-call]
        groups[event.event_type, event.asset_key].append(entry)
    storage: Any = instance.event_log_storage
    if groups and isinstance(storage, PostgresEventLogStorage):
        _store_in_postgres(storage, groups.values())
    else:
        for entries in groups.values():
            storage.store_event_batch(entries)


def _store_in_postgres(storage: Any, groups: Collection[Sequence[dg.EventLogEntry]]) -> None:
    """All of them in one transaction. Rows are given beside the statement: as a part of it, which is how Dagster writes
    them, they make a new statement each time, which takes longer to put together than to run."""
    entries = [entry for group in groups for entry in group]
    rows = [storage._event_to_row(entry) for entry in entries]
    with storage.index_transaction() as connection:
        numbers = list(connection.execute(_INSERT, rows).scalars())
        storage._store_asset_event_tags(connection, entries, numbers)
        end = 0
        for group in groups:  # an asset is told of its last event
            end += len(group)
            storage._store_asset_event(connection, group[-1], numbers[end - 1])
