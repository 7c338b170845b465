"""Thins out the records of Dagster, which has no retention of its own for events, runs and their output.

Of every partition the last materialisation stays, and what was reported after it, so that the lineage of each file can
be read for as long as the file exists. Runs under way are left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import dagster as dg
import sqlalchemy as db
from dagster._core.events import DagsterEventType
from dagster._core.storage.dagster_run import FINISHED_STATUSES
from dagster._core.storage.event_log.schema import (
    AssetCheckExecutionsTable,
    AssetEventTagsTable,
    AssetKeyTable,
    DynamicPartitionsTable,
    SqlEventLogStorageTable,
)

RUNS_AT_ONCE = 100
MATERIALIZATION = DagsterEventType.ASSET_MATERIALIZATION.value
TOLD_OF_PARTITIONS = (
    MATERIALIZATION,
    DagsterEventType.ASSET_OBSERVATION.value,
    DagsterEventType.ASSET_MATERIALIZATION_PLANNED.value,
)

_events = SqlEventLogStorageTable.c
_later = SqlEventLogStorageTable.alias("later")


@dataclass(frozen=True, slots=True)
class Thinned:
    """Events and whole runs that were deleted."""

    events: int = 0
    runs: int = 0


def thin_history(instance: dg.DagsterInstance, before: datetime, gone_before: datetime) -> Thinned:
    """Delete what finished runs left behind that ended `before`; and everything about partitions that are no more,
    once nothing was heard of them since `gone_before`."""
    storage: Any = instance.event_log_storage
    with storage.index_connection() as connection:
        events = _forget_gone_partitions(connection, gone_before)
        connection.execute(_old_checks(before))
    runs = 0
    finished = dg.RunsFilter(statuses=list(FINISHED_STATUSES), updated_before=before)
    ids = instance.get_run_ids(filters=finished)
    for start in range(0, len(ids), RUNS_AT_ONCE):
        batch = ids[start : start + RUNS_AT_ONCE]
        with storage.index_connection() as connection:
            events += _delete(connection, _events.run_id.in_(batch) & ~_is_last_word())
            left = set(
                connection.execute(db.select(_events.run_id).where(_events.run_id.in_(batch)).distinct()).scalars()
            )
        for run_id in batch:
            instance.compute_log_manager.delete_logs(prefix=[run_id])
            if run_id not in left:
                instance.delete_run(run_id)
                runs += 1
    return Thinned(events, runs)


def _is_last_word() -> db.ColumnElement[bool]:
    """Whether an event tells how a partition (or an asset without any) stands today: the last of its kind, and nothing
    was made after it. The evaluation an asset check goes by stays as well."""
    same = (_later.c.asset_key == _events.asset_key) & (
        (_later.c.partition == _events.partition) | (_later.c.partition.is_(None) & _events.partition.is_(None))
    )
    outdates = (_later.c.dagster_event_type == MATERIALIZATION) | (
        _later.c.dagster_event_type == _events.dagster_event_type
    )
    outdated = db.exists().where(same & outdates & (_later.c.id > _events.id))
    told = _events.asset_key.is_not(None) & _events.dagster_event_type.in_(TOLD_OF_PARTITIONS) & ~outdated
    checks = AssetCheckExecutionsTable.c.evaluation_event_storage_id
    return told | _events.id.in_(db.select(checks).where(checks.is_not(None)))


def _forget_gone_partitions(connection: db.Connection, gone_before: datetime) -> int:
    """Their events hold names, beginnings and summaries of files."""
    partition = _events.partition
    exists = db.exists().where(DynamicPartitionsTable.c.partition == partition)
    heard_of = db.exists().where((_later.c.partition == partition) & (_later.c.timestamp > gone_before))
    assets = list(
        connection.execute(
            db.select(_events.asset_key).where(partition.is_not(None) & ~exists & ~heard_of).distinct()
        ).scalars()
    )
    deleted = _delete(connection, partition.is_not(None) & ~exists & ~heard_of)
    last = (
        db.select(_events.event)
        .where((_events.asset_key == AssetKeyTable.c.asset_key) & (_events.dagster_event_type == MATERIALIZATION))
        .order_by(_events.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    connection.execute(
        AssetKeyTable.update().where(AssetKeyTable.c.asset_key.in_(assets)).values(last_materialization=last)
    )
    return deleted


def _delete(connection: db.Connection, condition: db.ColumnElement[bool]) -> int:
    ids = list(connection.execute(SqlEventLogStorageTable.delete().where(condition).returning(_events.id)).scalars())
    for part in _parts(ids):
        connection.execute(AssetEventTagsTable.delete().where(AssetEventTagsTable.c.event_id.in_(part)))
    return len(ids)


def _old_checks(before: datetime) -> db.Delete:
    """Executions of asset checks that ended long ago, but for the last of each."""
    checks = AssetCheckExecutionsTable.c
    later = AssetCheckExecutionsTable.alias("later")
    same = (later.c.asset_key == checks.asset_key) & (later.c.check_name == checks.check_name)
    outdated = db.exists().where(same & (later.c.id > checks.id))
    return AssetCheckExecutionsTable.delete().where((checks.create_timestamp < before) & outdated)


def _parts(ids: Sequence[int], size: int = 10_000) -> list[Sequence[int]]:
    return [ids[start : start + size] for start in range(0, len(ids), size)]
