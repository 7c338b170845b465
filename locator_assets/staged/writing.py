"""Writes events of many files in few statements: one by one they cost more than the work they tell of.

Dagster has one statement for many materialisations, or observations, of one asset, and for planned ones none; in
PostgreSQL they are written here. So is the text of a materialisation: Dagster takes three times as long, a third of all
that it costs a file. The names that are not public are those of `announce`, and the same tests notice when they change.
"""

from __future__ import annotations

import json
import logging
import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import lru_cache
from types import TracebackType
from typing import Any, Self

import dagster as dg
from dagster._core.events import AssetObservationData, StepMaterializationData
from dagster._core.storage.event_log.schema import SqlEventLogStorageTable
from dagster._serdes import serialize_value
from dagster_postgres import PostgresEventLogStorage

_INSERT = SqlEventLogStorageTable.insert().returning(SqlEventLogStorageTable.c.id, sort_by_parameter_order=True)
_MADE = dg.DagsterEventType.ASSET_MATERIALIZATION
_FORMS: dict[type[dg.MetadataValue[Any]], tuple[str, str]] = {
    dg.TextMetadataValue: ("TextMetadataEntryData", "text"),
    dg.UrlMetadataValue: ("UrlMetadataEntryData", "url"),
    dg.IntMetadataValue: ("IntMetadataEntryData", "value"),
    dg.FloatMetadataValue: ("FloatMetadataEntryData", "value"),
    dg.BoolMetadataValue: ("BoolMetadataEntryData", "value"),
}
"""The class and the field under which Dagster writes a value."""
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
            (_MADE, StepMaterializationData(made))
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
        groups[event.event_type, event.asset_key].append(_entry(run_id, event))
    storage: Any = instance.event_log_storage
    if groups and isinstance(storage, PostgresEventLogStorage):
        _store_in_postgres(storage, groups.values())
    else:
        for entries in groups.values():
            storage.store_event_batch(entries)


def _entry(run_id: str, event: dg.DagsterEvent) -> dg.EventLogEntry:
    told = (None, logging.INFO, "", run_id, time.time(), event.step_key, event.job_name, event)
    return dg.EventLogEntry(*told)  # type: ignore[no-untyped-call]


def _store_in_postgres(storage: Any, groups: Collection[Sequence[dg.EventLogEntry]]) -> None:
    """All of them in one transaction. Rows are given beside the statement: as a part of it, which is how Dagster writes
    them, they make a new statement each time, which takes longer to put together than to run."""
    entries = [entry for group in groups for entry in group]
    rows = [
        {
            "run_id": entry.run_id,
            "event": written(entry),
            "dagster_event_type": event.event_type_value,
            "timestamp": storage._event_insert_timestamp(entry),
            "step_key": event.step_key,
            "asset_key": event.asset_key.to_string() if event.asset_key else None,
            "partition": event.partition,
        }
        for entry in entries
        for event in [entry.get_dagster_event()]
    ]
    with storage.index_transaction() as connection:
        numbers = list(connection.execute(_INSERT, rows).scalars())
        storage._store_asset_event_tags(connection, entries, numbers)
        end = 0
        for group in groups:  # an asset is told of its last event
            end += len(group)
            storage._store_asset_event(connection, group[-1], numbers[end - 1])


def written(entry: dg.EventLogEntry) -> str:
    """An event as Dagster writes it: what all materialisations of an asset have in common is asked of Dagster once."""
    event = entry.get_dagster_event()
    if event.event_type is not _MADE:
        return serialize_value(entry)
    made = event.step_materialization_data.materialization
    if any(type(value) not in _FORMS for value in made.metadata.values()):
        return serialize_value(entry)
    common = _common(made.asset_key, event.step_key, event.job_name)
    told = common["dagster_event"]
    data = told["event_specific_data"]
    entries = [_metadata_entry(*each) for each in made.metadata.items()]
    tags = made.tags and dict(sorted(made.tags.items()))
    own = {"metadata_entries": entries, "partition": made.partition, "tags": tags}
    told = {**told, "event_specific_data": {**data, "materialization": {**data["materialization"], **own}}}
    return json.dumps({**common, "dagster_event": told, "run_id": entry.run_id, "timestamp": entry.timestamp})


@lru_cache(maxsize=100)
def _common(asset: dg.AssetKey, step: str | None, job: str) -> dict[str, Any]:
    made = StepMaterializationData(dg.AssetMaterialization(asset))
    event = dg.DagsterEvent(_MADE.value, job, step_key=step, event_specific_data=made)
    return dict(json.loads(serialize_value(_entry("", event))))


def _metadata_entry(label: str, value: dg.MetadataValue[Any]) -> dict[str, object]:
    form, field = _FORMS[type(value)]
    own = {"__class__": form, field: value.value}
    return {"__class__": "EventMetadataEntry", "description": None, "entry_data": own, "label": label}
