"""Watches the source and asks for runs: a tick observes, decides (`ticks`, pure) and acts, each once.

No `from __future__ import annotations` here: Dagster reads the resources from the signature.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from time import monotonic

import dagster as dg

from locator_assets.drive.assets import Files, index_files_job
from locator_assets.drive.checks import health_job
from locator_assets.drive.purge import purge_files_job
from locator_assets.drive.reconciliation import reconcile_job
from locator_assets.drive.recovery import files_of, is_index_run, recover_lost_runs, set_pool_slots
from locator_assets.drive.ticks import BATCH, RUNS_PER_SLOT, Observation, Request, Tick, decide_tick, why_idle
from locator_assets.ownership import OWNERS
from locator_assets.partitions import enter_partitions
from locator_assets.resources import CrawlParts
from locator_assets.staged.runs import QUEUED_OR_UNDER_WAY, is_owned
from locator_assets.turns import CRAWL_LOCK
from locator_search.core.errors import DimensionMismatch, SourceError
from locator_search.health.root_texts import sentence
from locator_search.indexing.crawl import completed_sync, observe_changes, record_snapshot

RENAMED_PER_TICK = 5000  # partitions of an earlier version, once
SECONDS_PER_TICK = 40  # Dagster ends a tick after 60


@dg.sensor(
    jobs=[index_files_job, purge_files_job, reconcile_job, health_job],
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    owners=OWNERS,
    description="Asks the source what changed, or lists it; asks for runs over that, and forgets what is gone.",
)
def drive_changes(
    context: dg.SensorEvaluationContext, parts: dg.ResourceParam[CrawlParts]
) -> dg.SensorResult | dg.SkipReason:
    """One tick. Everything it does besides asking for runs can be done twice."""
    now = parts.clock.now()
    set_pool_slots(context.instance, parts.crawl_slots)
    left_behind = recover_lost_runs(context.instance, parts.registry, parts.locks, now)
    if parts.locks.is_held(CRAWL_LOCK):
        return dg.SkipReason("A crawl by the command or a reconciliation is listing.")
    runs = [run for run in context.instance.get_runs(dg.RunsFilter(statuses=QUEUED_OR_UNDER_WAY)) if _is_ours(run)]
    index_runs = [run for run in runs if is_index_run(run)]
    if parts.crawl_slots <= sum(map(is_owned, index_runs)):
        return dg.SkipReason("Crawls by the command have all slots.")
    if len(index_runs) >= RUNS_PER_SLOT * parts.crawl_slots:
        return dg.SkipReason(f"{len(runs)} runs are queued or running already.")
    if any(run.job_name == reconcile_job.name for run in runs):
        return dg.SkipReason("A reconciliation is about to begin.")
    ends_at = monotonic() + SECONDS_PER_TICK

    def out_of_time() -> bool:
        return monotonic() > ends_at

    with parts.locks.hold(CRAWL_LOCK):
        try:
            seen = _observe(context.instance, parts, runs, left_behind, now, out_of_time)
        except DimensionMismatch as error:
            return dg.SkipReason(f"Nothing can be indexed. {error.message} {error.hint}")
        except SourceError as error:
            return dg.SkipReason(f"The source cannot be listed, nothing is deleted: {error.message}")
        return _act(context.instance, parts, seen, decide_tick(seen, context.cursor), now, out_of_time)


def _observe(
    instance: dg.DagsterInstance,
    parts: CrawlParts,
    runs: Sequence[dg.DagsterRun],
    left_behind: Sequence[str],
    now: datetime,
    out_of_time: Callable[[], bool],
) -> Observation:
    parts.indexer.refuse_another_model()
    in_flight = {file_id for run in runs for file_id in files_of(run, instance, parts.registry)}
    snapshot = observe_changes(
        parts.source,
        parts.registry,
        parts.feed_log,
        parts.indexer.version,
        now,
        reconcile_after=parts.reconcile_after,
        limit=RUNS_PER_SLOT * parts.crawl_slots * BATCH + len(in_flight),
        also=left_behind,
        out_of_time=out_of_time,
    )
    return Observation(
        snapshot, len(runs), in_flight, left_behind, parts.model_prices, parts.budget.left_usd, parts.crawl_slots
    )


def _act(
    instance: dg.DagsterInstance,
    parts: CrawlParts,
    seen: Observation,
    tick: Tick,
    now: datetime,
    out_of_time: Callable[[], bool],
) -> dg.SensorResult | dg.SkipReason:
    """The registry first, then the partitions; the cursor moves with the runs that are asked for."""
    snapshot, version = seen.snapshot, parts.indexer.version
    enter_partitions(instance, parts.registry, parts.registry.to_rename(RENAMED_PER_TICK))
    settled = record_snapshot(snapshot, parts.registry, parts.feed_log, version, now, out_of_time=out_of_time)
    if tick.idle and tick.unpaid:
        return dg.SkipReason(f"{seen.runs} runs are under way. {parts.budget.exhausted().message}")
    if tick.idle:
        if not seen.runs and settled == len(snapshot.plan.set_aside) and snapshot.listing.complete:
            _finish(parts, now)
            if not instance.get_runs_count(dg.RunsFilter(job_name=health_job.name)):
                return dg.SensorResult([dg.RunRequest(run_key="after the first crawl", job_name=health_job.name)])
        return dg.SkipReason(" ".join([why_idle(seen, settled), *map(sentence, parts.root_warnings())]))
    enter_partitions(instance, parts.registry, tick.file_ids)
    return dg.SensorResult(
        run_requests=[
            *(_run_request(index_files_job.name, "index_files", request) for request in tick.index),
            *(_run_request(purge_files_job.name, "purge_files", request) for request in tick.purge),
            *(dg.RunRequest(run_key=request.run_key, job_name=reconcile_job.name) for request in tick.reconcile),
        ],
        cursor=tick.cursor,
    )


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
