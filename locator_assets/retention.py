"""Retention: deletes memories of files that are gone, and old events and runs of Dagster.

No `from __future__ import annotations` here: Dagster reads the resources from the signature.
"""

from dataclasses import dataclass

import dagster as dg

from locator_assets.history import Thinned, thin_history
from locator_assets.ownership import OWNERS
from locator_assets.resources import CrawlParts
from locator_assets.turns import RETENTION
from locator_search.health.alarms import DROP_WITHIN
from locator_search.ports import Forgotten


@dataclass(frozen=True, slots=True)
class Retained:
    """Counts of what one cleaning deleted: remembered texts, answers and embeddings; events and runs of Dagster; runs
    in the history of crawls."""

    forgotten: Forgotten
    history: Thinned
    crawl_runs: int = 0


def clear_away(parts: CrawlParts, instance: dg.DagsterInstance) -> Retained:
    """Delete what has been kept long enough. Safe to repeat, and while files are being indexed."""
    now = parts.clock.now()
    forgotten = parts.upkeep.forget_unused(now, parts.forget_after)
    history = thin_history(instance, now - parts.history_after, now - parts.forget_after)
    crawl_runs = parts.upkeep.forget_runs(now - max(parts.history_after, DROP_WITHIN))
    parts.upkeep.note_run(RETENTION, now)
    return Retained(forgotten, history, crawl_runs)


@dg.op(description="Forgets files that are gone, and thins out what Dagster remembers of old runs")
def clear_away_what_is_old(context: dg.OpExecutionContext, parts: dg.ResourceParam[CrawlParts]) -> None:
    """The figures are in the metadata of its output."""
    done = clear_away(parts, context.instance)
    context.add_output_metadata(
        {
            "texts": done.forgotten.texts,
            "answers": done.forgotten.answers,
            "embeddings": done.forgotten.embeddings,
            "events": done.history.events,
            "runs": done.history.runs,
            "crawl_runs": done.crawl_runs,
        }
    )


@dg.job(
    executor_def=dg.in_process_executor,
    owners=OWNERS,
    description="Deletes what LOCATOR_FORGET_DAYS and LOCATOR_HISTORY_DAYS say",
)
def retention_job() -> None:
    """Started by its schedule, or by a person; a crawl by the command does the same in its own process."""
    clear_away_what_is_old()


retention_schedule = dg.ScheduleDefinition(
    name="daily_retention",
    job=retention_job,
    cron_schedule="45 4 * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Once a day what is old is deleted",
    owners=OWNERS,
)
