"""Once a day: the whole listing against registry and partitions, whatever the sensor may have missed."""

import dagster as dg

from locator_assets.ownership import OWNERS
from locator_assets.partitions import DRIVE_FILES, remove_partitions
from locator_assets.resources import CrawlParts
from locator_assets.turns import CRAWL_LOCK
from locator_search.health.root_texts import warning_lines
from locator_search.indexing.crawl import observe_source, record_snapshot


@dg.op(description="Lists everything, enters what is new, and removes what is gone")
def reconcile_files(context: dg.OpExecutionContext, parts: dg.ResourceParam[CrawlParts]) -> None:
    """Leaves the registry equal to the listing; the sensor indexes what is then waiting."""
    with parts.locks.hold(CRAWL_LOCK):
        now = parts.clock.now()
        version = parts.indexer.version
        snapshot = observe_source(parts.source, parts.registry, version, now)
        record_snapshot(snapshot, parts.registry, parts.feed_log, version, now)
        parts.index.delete(snapshot.plan.gone)
    with_file = parts.registry.partition_keys().values()
    without_file = set(context.instance.get_dynamic_partitions(DRIVE_FILES)).difference(with_file)
    remove_partitions(context.instance, sorted(without_file))
    coverage = parts.registry.coverage()
    context.add_output_metadata(
        {
            "listed": snapshot.listing.sizes.total(),
            "listing": snapshot.listing.problem or "complete",
            "waiting": len(snapshot.plan.to_index),
            "gone": len(snapshot.plan.gone),
            "missing": len(snapshot.plan.missing),
            "warnings": dg.MetadataValue.md(warning_lines(parts.root_warnings())),
            "partitions_removed": len(without_file),
            "states": dg.MetadataValue.json({str(state): count for state, count in coverage.by_state.items()}),
        }
    )


@dg.job(executor_def=dg.in_process_executor, owners=OWNERS, description="The daily full reconciliation with the source")
def reconcile_job() -> None:
    """Started by its schedule, by the sensor for a source too large to be listed in one tick, or by a person."""
    reconcile_files()


reconcile_schedule = dg.ScheduleDefinition(
    name="daily_reconciliation",
    job=reconcile_job,
    cron_schedule="30 3 * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Once a day the index is compared with the whole listing",
    owners=OWNERS,
)
