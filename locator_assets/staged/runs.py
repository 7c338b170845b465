"""Runs and their workers: a run holds a database lock named after itself while it works, freed when its worker dies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta
from typing import TypeVar

import dagster as dg

from locator_search.ports import FileLocks

T = TypeVar("T")

OWNED_TAG = "locator/held_from_the_start"
"""Tag of runs whose lock was taken before they were created, with the id of the run, because a run made again has the
tags of the first: without that lock they count as lost."""
TIME_TO_BEGIN = timedelta(seconds=60)
UNDER_WAY = [
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]
BEGUN = (dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING)
QUEUED_OR_UNDER_WAY = [dg.DagsterRunStatus.QUEUED, *UNDER_WAY]


def run_lock(run_id: str) -> str:
    """The name of the lock a run holds."""
    return f"run:{run_id}"


def is_owned(run: dg.DagsterRun) -> bool:
    """Whether the lock of a run was taken before it was created."""
    return run.tags.get(OWNED_TAG) == run.run_id


def alive(run: dg.DagsterRun, locks: FileLocks) -> AbstractContextManager[None]:
    """Shows that the run has a worker, while the block runs. Whoever owned the lock from the start still holds it."""
    return nullcontext() if is_owned(run) else locks.hold(run_lock(run.run_id))


def has_no_worker(record: dg.RunRecord, locks: FileLocks, now: datetime) -> bool:
    """Whether a run has had the time to take its lock, and does not hold it."""
    run = record.dagster_run
    begun = run.status in BEGUN
    had_time = is_owned(run) or (begun and now - record.update_timestamp >= TIME_TO_BEGIN)
    return had_time and not locks.is_held(run_lock(run.run_id))


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Consecutive slices of at most `size`."""
    return (items[start : start + size] for start in range(0, len(items), size))
