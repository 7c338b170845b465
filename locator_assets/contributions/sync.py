"""Meetings listed from the Dagster UI: their contributions become partitions, their bodies stay where they are.

No `from __future__ import annotations` here: Dagster reads the config class from the signature.
"""

import dagster as dg
from pydantic import Field

from locator_assets.ownership import OWNERS
from locator_assets.partitions import CONTRIBUTIONS
from locator_assets.staged.runs import alive
from locator_search.app.contributions import ContributionParts
from locator_search.contributions.acquisition import chosen_meetings, find_meetings

NEWEST = ""
"""The target of a request to list the newest meetings."""


class Meetings(dg.Config):
    """The meetings to list, such as SA1#111. Empty: the newest `last`."""

    meeting_ids: list[str] = Field(default_factory=list)
    last: int = 3


@dg.op
def sync_meetings(
    context: dg.OpExecutionContext, config: Meetings, contribution_parts: dg.ResourceParam[ContributionParts]
) -> None:
    """List the meetings and add a partition for each of their contributions."""
    try:
        with alive(context.run, contribution_parts.locks):
            _sync(context, config, contribution_parts)
    finally:
        contribution_parts.requests.settle("sync", [NEWEST])


def _sync(context: dg.OpExecutionContext, config: Meetings, contribution_parts: ContributionParts) -> None:
    found = find_meetings(contribution_parts.archive)
    for meeting in chosen_meetings(found, config.meeting_ids, config.last):
        report = contribution_parts.acquisition.sync(meeting)
        known = contribution_parts.store.contributions(meeting.meeting_id)
        context.instance.add_dynamic_partitions(CONTRIBUTIONS, [one.contribution.contribution_id for one in known])
        context.log.info(
            f"{meeting.meeting_id}: {report.contributions} contributions, {len(report.changed)} new or changed."
        )


@dg.job(executor_def=dg.in_process_executor, owners=OWNERS)
def sync_meetings_job() -> None:
    """List meetings of the archive."""
    sync_meetings()
