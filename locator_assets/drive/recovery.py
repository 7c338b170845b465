"""Index runs whose worker is gone. A power cut leaves them "started" for ever, with their pool slot and their files."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import dagster as dg
from sqlalchemy.exc import IntegrityError

from locator_assets.partitions import DRIVE_FILES
from locator_assets.staged.runs import BEGUN, UNDER_WAY, has_no_worker, is_owned, run_lock
from locator_search.indexing.stages import STAGES
from locator_search.ports import FileLocks, FileRegistry

POOL = "index_files"

JOBS_BESIDE = ("index_health_job", "purge_files_job")
"""What a crawl by command runs besides; what they did not do is done by the next crawl."""


def recover_lost_runs(
    instance: dg.DagsterInstance, registry: FileRegistry, locks: FileLocks, now: datetime
) -> list[str]:
    """Report lost runs as failed, free the pool slots of index runs, and return the ids of the files they left
    behind."""
    left_behind: dict[str, None] = {}
    for run in _lost_runs(instance, locks, now):
        if not is_index_run(run):
            instance.report_run_failed(run, "The worker of this run was lost.")
            continue
        instance.report_run_failed(run, "The worker of this run was lost; its files are queued again.")
        instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
        finished = set(registry.files_of_partitions(_finished_partitions(instance, run.run_id)).values())
        left_behind.update((file_id, None) for file_id in files_of(run, instance, registry) if file_id not in finished)
    _free_slots_of_ended_runs(instance, locks)
    return list(left_behind)


def _free_slots_of_ended_runs(instance: dg.DagsterInstance, locks: FileLocks) -> None:
    """A run that was reported as failed keeps its slot, or its place in the queue, until Dagster's daemon takes it.
    Where no daemon runs any more, a crawl would wait for ever.
    """
    waiting, holding = _pool_members(instance)
    for run_id in {*waiting, *holding}:
        run = instance.get_run_by_id(run_id)
        if (run is None or run.is_finished) and not locks.is_held(run_lock(run_id)):
            instance.event_log_storage.free_concurrency_slots_for_run(run_id)


def pool_is_taken(instance: dg.DagsterInstance, slots: int = 1) -> bool:
    """Whether runs, living or lost, hold all slots for batches of files."""
    _, holding = _pool_members(instance)
    return len(holding) >= slots


def set_pool_slots(instance: dg.DagsterInstance, slots: int) -> None:
    """Give the pool so many slots. Dagster's own way, by the default in `dagster.yaml`, breaks when that has changed:
    over PostgreSQL it goes on in a transaction that has failed.
    """
    storage = instance.event_log_storage
    if storage.supports_global_concurrency_limits and storage.get_concurrency_info(POOL).slot_count != slots:
        try:
            storage.set_concurrency_slots(POOL, slots)
        except IntegrityError:  # another process entered the pool at the same moment
            storage.set_concurrency_slots(POOL, slots)


def files_under_way(instance: dg.DagsterInstance, registry: FileRegistry) -> set[str]:
    """The files of the index runs that have a worker, as far as is known. Runs that still wait for one are left out."""
    runs = instance.get_runs(dg.RunsFilter(statuses=UNDER_WAY))
    begun = (run for run in runs if is_owned(run) or run.status in BEGUN)
    return {file_id for run in begun if is_index_run(run) for file_id in files_of(run, instance, registry)}


def files_of(run: dg.DagsterRun, instance: dg.DagsterInstance, registry: FileRegistry) -> list[str]:
    """The file ids a run was given: by config, or as the partitions picked in the UI, one or a range of a backfill."""
    config: Any = run.run_config
    for op in ("index_files", "purge_files"):
        given = config.get("ops", {}).get(op, {}).get("config", {}).get("file_ids")
        if given:
            return list(given)
    return list(registry.files_of_partitions(_partitions_of(run, instance)).values())


def _partitions_of(run: dg.DagsterRun, instance: dg.DagsterInstance) -> Sequence[str]:
    first, last = (run.tags.get(f"dagster/asset_partition_range_{end}") for end in ("start", "end"))
    if first is None or last is None:
        return [key] if (key := run.tags.get("dagster/partition")) else []
    keys = instance.get_dynamic_partitions(DRIVE_FILES)  # a range is of the order in which they were entered
    return keys[keys.index(first) : keys.index(last) + 1] if {first, last} <= set(keys) else []


def is_index_run(run: dg.DagsterRun) -> bool:
    """Whether the run makes any of the five stages, from our job or from the UI."""
    if run.job_name == "index_files_job":
        return True
    return any(key.to_user_string() in STAGES for key in run.asset_selection or ())


def _lost_runs(instance: dg.DagsterInstance, locks: FileLocks, now: datetime) -> list[dg.DagsterRun]:
    without_worker = [
        record.dagster_run
        for record in instance.get_run_records(dg.RunsFilter(statuses=UNDER_WAY))
        if _is_ours(record.dagster_run) and has_no_worker(record, locks, now)
    ]
    waiting, holding = _pool_members(instance)
    lost = [run for run in without_worker if run.run_id not in waiting]
    if lost or holding:
        return lost
    # The pool is free and still they wait: nobody is there to take the slot.
    return without_worker


def _is_ours(run: dg.DagsterRun) -> bool:
    """Whether its lock tells that a worker lives: index runs take one, of the other two those of a command."""
    return is_index_run(run) or (run.job_name in JOBS_BESIDE and is_owned(run))


def _pool_members(instance: dg.DagsterInstance) -> tuple[Collection[str], Collection[str]]:
    storage = instance.event_log_storage
    if not storage.supports_global_concurrency_limits:
        return (), ()
    info = storage.get_concurrency_info(POOL)
    return info.pending_run_ids, info.active_run_ids


def _finished_partitions(instance: dg.DagsterInstance, run_id: str) -> list[str]:
    entries = instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION)
    finished = []
    for entry in entries:
        made = entry.asset_materialization
        if made is not None and made.partition is not None and made.asset_key.to_user_string() == STAGES[-1]:
            finished.append(made.partition)
    return finished
