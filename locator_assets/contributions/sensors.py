"""Turns what people asked for on the page into runs: the page itself fetches and converts nothing.

No `from __future__ import annotations` here: Dagster reads the resources from the signature.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import dagster as dg

from locator_assets.contributions.assets import BATCH, Contributions, index_contributions_job
from locator_assets.contributions.sync import sync_meetings_job
from locator_assets.ownership import OWNERS
from locator_assets.partitions import CONTRIBUTIONS
from locator_assets.staged.runs import QUEUED_OR_UNDER_WAY, batches, has_no_worker
from locator_search.app.contributions import ContributionParts
from locator_search.ports import FileLocks

JOBS = (index_contributions_job, sync_meetings_job)
SECONDS_BETWEEN = 10


@dg.sensor(
    jobs=JOBS,
    minimum_interval_seconds=SECONDS_BETWEEN,
    default_status=dg.DefaultSensorStatus.RUNNING,
    owners=OWNERS,
    description="Asks for runs over the contributions and meetings that people asked for on the page.",
)
def contribution_requests(
    context: dg.SensorEvaluationContext, contribution_parts: dg.ResourceParam[ContributionParts]
) -> dg.SensorResult | dg.SkipReason:
    """One tick. Requests that a run works on are not asked for again; those that a lost run left behind are."""
    if not contribution_parts.in_use:
        return dg.SkipReason("Nobody has used contributions here.")
    wanted, syncs = contribution_parts.requests.waiting("index"), contribution_parts.requests.waiting("sync")
    if not wanted and not syncs:
        return dg.SkipReason("Nobody asks for anything.")
    runs = living_runs(context.instance, contribution_parts.locks, contribution_parts.clock.now())
    taken = {one for run in runs for one in _contributions_of(run)}
    wanted = [one for one in wanted if one not in taken]
    if any(run.job_name == sync_meetings_job.name for run in runs):
        syncs = []
    if not wanted and not syncs:
        return dg.SkipReason(f"{len(runs)} runs are under way.")
    number = int(context.cursor or 0) + 1
    context.instance.add_dynamic_partitions(CONTRIBUTIONS, wanted)
    return dg.SensorResult(run_requests=list(_run_requests(wanted, bool(syncs), number)), cursor=str(number))


def _run_requests(wanted: Sequence[str], sync: bool, number: int) -> Iterator[dg.RunRequest]:
    if sync:
        yield dg.RunRequest(run_key=f"sync-{number}", job_name=sync_meetings_job.name)
    for place, batch in enumerate(batches(wanted, BATCH)):
        config = dg.RunConfig(ops={"index_contributions": Contributions(contribution_ids=list(batch))})
        yield dg.RunRequest(run_key=f"index-{number}-{place}", job_name=index_contributions_job.name, run_config=config)


def living_runs(instance: dg.DagsterInstance, locks: FileLocks, now: datetime) -> list[dg.DagsterRun]:
    """Runs of these jobs that are queued or worked on; of the others, Dagster is told that they are lost."""
    names = {job.name for job in JOBS}
    living = []
    for record in instance.get_run_records(dg.RunsFilter(statuses=QUEUED_OR_UNDER_WAY)):
        run = record.dagster_run
        if run.job_name in names and has_no_worker(record, locks, now):
            instance.report_run_failed(run, "The worker of this run was lost; what was asked for is asked for again.")
        elif run.job_name in names:
            living.append(run)
    return living


def _contributions_of(run: dg.DagsterRun) -> list[str]:
    config: Any = run.run_config
    return list(config.get("ops", {}).get("index_contributions", {}).get("config", {}).get("contribution_ids", ()))
