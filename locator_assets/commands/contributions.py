"""Contributions worked on inside this process, through the same assets as runs from the Dagster UI."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from locator_assets.commands.running import run_here
from locator_assets.contributions.assets import BATCH, index_contributions_job
from locator_assets.contributions.sensors import living_runs
from locator_assets.definitions import defs
from locator_assets.instance import open_instance
from locator_assets.partitions import CONTRIBUTIONS
from locator_assets.staged.runs import batches
from locator_search.contributions.stages import CONTRIBUTION_STAGES, ContributionResult, ContributionStage

if TYPE_CHECKING:
    from locator_search.app.locator import Locator


def process_contributions(
    locator: Locator,
    contribution_ids: Sequence[str],
    *,
    until: ContributionStage = CONTRIBUTION_STAGES[-1],
    again: bool = False,
    on_result: Callable[[ContributionResult], None] = lambda _result: None,
) -> list[ContributionResult]:
    """Take contributions through the stages up to `until`, in the order they finish; bad ones are among the results.

    Raises SourceError when the archive does not answer, StoreError and ConfigurationError when no work is possible.
    """
    results: list[ContributionResult] = []

    def note(result: ContributionResult) -> None:
        results.append(result)
        on_result(result)

    with warnings.catch_warnings(), open_instance(locator) as instance:
        warnings.simplefilter("ignore")  # Dagster's notices about features in beta
        living_runs(
            instance, locator.locks, locator.clock.now()
        )  # those of commands that were killed look busy for ever
        instance.add_dynamic_partitions(CONTRIBUTIONS, contribution_ids)
        for batch in batches(contribution_ids, BATCH):
            config = {"contribution_ids": list(batch), "until": until, "again": again}
            run_here(
                locator,
                instance,
                defs.resolve_job_def(index_contributions_job.name),
                {"index_contributions": {"config": config}},
                {"contribution_parts": locator.contributions, "on_contribution": note},
            )
    return results
