"""Watches the source and asks for runs. What it decides is in `ticks` and in the library's diff.

No `from __future__ import annotations` here: Dagster reads the resources from the signature.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from time import monotonic

import dagster as dg

from locator_assets.drive.assets import Files, index_files_job
from locator_assets.drive.purge import purge_files_job
from locator_assets.drive.reconciliation import reconcile_job
from locator_assets.drive.recovery import CRAWL_LOCK, files_of, is_index_run, recover_lost_runs
from locator_assets.drive.ticks import FILES_PER_TICK, Request, decide_tick
from locator_assets.partitions import DRIVE_FILES
from locator_assets.resources import CrawlParts
from locator_search.core.errors import BudgetExhausted, DimensionMismatch, SourceError
from locator_search.health.root_texts import sentence
from locator_search.indexing.cost import estimate_cost
from locator_search.indexing.crawl import (
    completed_sync,
    observe_changes,
    record_plan,
    save_position,
)
from locator_search.model import FileRef

MAX_INDEX_RUNS = 10
SECONDS_PER_TICK = 40  # Dagster ends a tick after 60

_QUEUED_OR_RUNNING = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


@dg.sensor(
    jobs=[index_files_job, purge_files_job, reconcile_job],
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Asks the source what changed, or lists it; asks for runs over that, and forgets what is gone.",
)
def drive_changes(
    context: dg.SensorEvaluationContext, parts: dg.ResourceParam[CrawlParts]
) -> dg.SensorResult | dg.SkipReason:
    """One tick. Everything it does besides asking for runs can be done twice."""
    now = parts.clock.now()
    left_behind = recover_lost_runs(context.instance, parts.locks, now)
    if parts.locks.is_held(CRAWL_LOCK):
        return dg.SkipReason("A crawl by the command or a reconciliation is under way.")
    runs = [run for run in context.instance.get_runs(dg.RunsFilter(statuses=_QUEUED_OR_RUNNING)) if _is_ours(run)]
    if sum(is_index_run(run) for run in runs) >= MAX_INDEX_RUNS:
        return dg.SkipReason(f"{len(runs)} runs are queued or running already.")
    if any(run.job_name == reconcile_job.name for run in runs):
        return dg.SkipReason("A reconciliation is about to begin.")
    with parts.locks.hold(CRAWL_LOCK):
        return _look(context, parts, runs, left_behind, now)


def _look(
    context: dg.SensorEvaluationContext,
    parts: CrawlParts,
    runs: Sequence[dg.DagsterRun],
    left_behind: Sequence[str],
    now: datetime,
) -> dg.SensorResult | dg.SkipReason:
    ends_at = monotonic() + SECONDS_PER_TICK

    def out_of_time() -> bool:
        return monotonic() > ends_at

    in_flight = {file_id for run in runs for file_id in files_of(run)}
    version = parts.indexer.version
    try:
        parts.indexer.refuse_another_model()
        snapshot = observe_changes(
            parts.source,
            parts.registry,
            parts.feed_log,
            version,
            now,
            reconcile_after=parts.reconcile_after,
            limit=FILES_PER_TICK + len(in_flight),
            also=left_behind,
            out_of_time=out_of_time,
        )
    except DimensionMismatch as error:
        return dg.SkipReason(f"Nothing can be indexed. {error.message} {error.hint}")
    except SourceError as error:
        return dg.SkipReason(f"The source cannot be listed, nothing is deleted: {error.message}")
    tick = decide_tick(snapshot, in_flight, left_behind, context.cursor)
    settled = record_plan(
        parts.registry, snapshot.plan, version, now, listing=snapshot.refreshed, out_of_time=out_of_time
    )
    save_position(parts.feed_log, snapshot, now)
    unpaid = _why_unpaid(parts, [snapshot.listing.files[file_id] for file_id in tick.file_ids])
    if unpaid:
        tick = replace(tick, index=())
    if tick.idle and unpaid:
        return dg.SkipReason(f"{len(runs)} runs are under way. {unpaid}")
    if tick.idle:
        if not runs and settled == len(snapshot.plan.set_aside) and snapshot.listing.complete:
            _finish(parts, now)
        reason = _why_idle(snapshot.listing.problem, len(runs), settled)
        return dg.SkipReason(" ".join([reason, *map(sentence, parts.root_warnings())]))
    context.instance.add_dynamic_partitions(DRIVE_FILES, tick.file_ids)
    return dg.SensorResult(
        run_requests=[
            *(_run_request(index_files_job.name, "index_files", request) for request in tick.index),
            *(_run_request(purge_files_job.name, "purge_files", request) for request in tick.purge),
            *(dg.RunRequest(run_key=request.run_key, job_name=reconcile_job.name) for request in tick.reconcile),
        ],
        cursor=tick.cursor,
    )


def _why_unpaid(parts: CrawlParts, files: Sequence[FileRef]) -> str:
    """Why not even the smallest of these files could be paid for; a run over them would only fail."""
    if parts.model_prices is not None and files:
        smallest = min(estimate_cost([file], parts.model_prices).cost_usd or 0.0 for file in files)
        try:
            parts.budget.check(smallest)
        except BudgetExhausted as error:
            return error.message
    return ""


def _is_ours(run: dg.DagsterRun) -> bool:
    return is_index_run(run) or run.job_name in (purge_files_job.name, reconcile_job.name)


def _run_request(job_name: str, op: str, request: Request) -> dg.RunRequest:
    return dg.RunRequest(
        run_key=request.run_key,
        job_name=job_name,
        run_config=dg.RunConfig(ops={op: Files(file_ids=list(request.file_ids))}),
        tags={"locator/files": str(len(request.file_ids))},
    )


def _finish(parts: CrawlParts, started_at: datetime) -> None:
    extent = parts.registry.extent()
    state = completed_sync(extent, "diff", started_at, parts.clock.now())
    if state is not None and not extent.waiting:
        parts.status_reader.finish_sync(state)


def _why_idle(problem: str, runs: int, settled: int) -> str:
    if problem:
        return f"The listing broke off, nothing is deleted: {problem}"
    if runs:
        return f"Nothing new; {runs} runs are under way."
    return f"Nothing to index; {settled} files were set aside." if settled else "Nothing has changed."
