"""Watches the source and asks for runs. What it decides is in `ticks` and in the library's diff.

No `from __future__ import annotations` here: Dagster reads the resources from the signature.
"""

from datetime import datetime
from time import monotonic

import dagster as dg

from locator_assets.drive.assets import Files, index_files_job
from locator_assets.drive.purge import purge_files_job
from locator_assets.drive.recovery import CRAWL_LOCK, files_of, is_index_run, recover_lost_runs
from locator_assets.drive.ticks import Request, decide_tick
from locator_assets.partitions import DRIVE_FILES
from locator_assets.resources import CrawlParts
from locator_search.errors import SourceError
from locator_search.indexing.crawl import completed_sync, is_waiting, record_plan, take_stock

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
    jobs=[index_files_job, purge_files_job],
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Lists the source, asks for runs over what is new or changed, and forgets what is gone.",
)
def drive_changes(
    context: dg.SensorEvaluationContext, parts: dg.ResourceParam[CrawlParts]
) -> dg.SensorResult | dg.SkipReason:
    """One tick. Everything it does besides asking for runs can be done twice."""
    ends_at = monotonic() + SECONDS_PER_TICK
    now = parts.clock.now()
    left_behind = recover_lost_runs(context.instance, parts.locks, now)
    if parts.locks.is_held(CRAWL_LOCK):
        return dg.SkipReason("A crawl by the command is under way.")
    runs = [run for run in context.instance.get_runs(dg.RunsFilter(statuses=_QUEUED_OR_RUNNING)) if _is_ours(run)]
    if sum(is_index_run(run) for run in runs) >= MAX_INDEX_RUNS:
        return dg.SkipReason(f"{len(runs)} runs are queued or running already.")
    version = parts.indexer.version
    try:
        stock = take_stock(parts.source, parts.registry, version, now, out_of_time=lambda: monotonic() > ends_at)
    except SourceError as error:
        return dg.SkipReason(f"The source cannot be listed, nothing is deleted: {error.message}")
    tick = decide_tick(stock, {file_id for run in runs for file_id in files_of(run)}, left_behind, context.cursor)
    settled = record_plan(parts.registry, stock.plan, version, now, out_of_time=lambda: monotonic() > ends_at)
    if tick.idle:
        nothing_waits = not runs and settled == len(stock.plan.set_aside) and stock.listing.complete
        if nothing_waits and not any(is_waiting(known) for known in stock.known.values()):
            _finish(parts, now)
        return dg.SkipReason(_why_idle(stock.listing.problem, len(runs), settled))
    context.instance.add_dynamic_partitions(DRIVE_FILES, tick.file_ids)
    return dg.SensorResult(
        run_requests=[
            *(_run_request(index_files_job.name, "index_files", request) for request in tick.index),
            *(_run_request(purge_files_job.name, "purge_files", request) for request in tick.purge),
        ],
        cursor=tick.cursor,
    )


def _is_ours(run: dg.DagsterRun) -> bool:
    return is_index_run(run) or run.job_name == purge_files_job.name


def _run_request(job_name: str, op: str, request: Request) -> dg.RunRequest:
    return dg.RunRequest(
        run_key=request.run_key,
        job_name=job_name,
        run_config=dg.RunConfig(ops={op: Files(file_ids=list(request.file_ids))}),
        tags={"locator/files": str(len(request.file_ids))},
    )


def _finish(parts: CrawlParts, started_at: datetime) -> None:
    listed = parts.registry.known(source=parts.source.name).values()
    state = completed_sync(listed, "diff", started_at, parts.clock.now())
    if state is not None:
        parts.status_reader.finish_sync(state)


def _why_idle(problem: str, runs: int, settled: int) -> str:
    if problem:
        return f"The listing broke off, nothing is deleted: {problem}"
    if runs:
        return f"Nothing new; {runs} runs are under way."
    return f"Nothing to index; {settled} files were set aside." if settled else "Nothing has changed."
