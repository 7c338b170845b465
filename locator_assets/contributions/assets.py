"""One step makes the four assets of contributions: contribution_archive -> ... -> contribution_index.

No `from __future__ import annotations` here: Dagster reads the config class from the signature.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import dagster as dg
from pydantic import Field

from locator_assets.contributions.versions import CODE_VERSIONS, version_tags
from locator_assets.instance import hold_connections
from locator_assets.masked_errors import without_secrets
from locator_assets.ownership import OWNERS
from locator_assets.partitions import contributions
from locator_assets.staged.events import Event, told
from locator_assets.staged.failures import FailedItem, end_pass
from locator_assets.staged.runs import alive
from locator_assets.staged.specs import specs_of
from locator_assets.staged.workers import Workers
from locator_search.app.contributions import ContributionParts
from locator_search.contributions.stages import CONTRIBUTION_STAGES, ContributionResult, ContributionStage

BATCH = 100
AT_ONCE = 4
"""Contributions worked on at the same time: two connections to the archive, two conversions, and some that compute."""
GROUP = "contributions"

_DESCRIPTIONS: Mapping[ContributionStage, str] = {
    "contribution_archive": "The files of one contribution, fetched from the archive of its meeting.",
    "normalized_docx": "Its documents in one form: docx or PDF, text with pages and tracked changes.",
    "contribution_chunks": "Their chunks with clause numbers, cut by the chosen strategy.",
    "contribution_index": "The rows evidence comes from, written in one transaction.",
}
_KINDS: Mapping[ContributionStage, str] = {
    "contribution_archive": "zip",
    "normalized_docx": "word",
    "contribution_chunks": "text",
    "contribution_index": "postgres",
}

ContributionListener = Callable[[ContributionResult], None]
"""Is told of every contribution as it finishes."""


class Contributions(dg.Config):
    """The contributions of a run. Empty: the partitions picked in the UI. `again` works on settled ones as well."""

    contribution_ids: list[str] = Field(default_factory=list)
    until: str = CONTRIBUTION_STAGES[-1]
    again: bool = False


@dg.multi_asset(
    name="index_contributions",
    specs=specs_of(_DESCRIPTIONS, _KINDS, CODE_VERSIONS, GROUP, contributions),
    partitions_def=contributions,
    can_subset=True,
    backfill_policy=dg.BackfillPolicy.multi_run(BATCH),
)
@without_secrets
def index_contributions(
    context: dg.AssetExecutionContext,
    config: Contributions,
    contribution_parts: dg.ResourceParam[ContributionParts],
    on_contribution: dg.ResourceParam[ContributionListener],
) -> Iterator[Event]:
    """Work on several contributions at a time; a bad one stops none of the others."""
    by_config = bool(config.contribution_ids)
    ids = list(dict.fromkeys(config.contribution_ids)) if by_config else list(context.partition_keys)
    stages = _stages(context, config.until)
    pipeline = contribution_parts.pipeline
    failed: dict[str, FailedItem] = {}

    def work(contribution_id: str) -> ContributionResult:
        return pipeline.process(contribution_id, until=stages[-1], again=config.again or not by_config)

    hold_connections(context.instance)
    with (
        alive(context.run, contribution_parts.locks),
        _settled(contribution_parts, ids) as settle,
        Workers(work, ids, AT_ONCE) as workers,
    ):

        def listen(result: ContributionResult) -> None:
            settle([result.key])
            on_contribution(result)

        yield from told(context, workers.results(), stages, version_tags, failed, listen)
    end_pass(context, failed, ids, "contribution_ids")


@contextmanager
def _settled(parts: ContributionParts, ids: Sequence[str]) -> Iterator[Callable[[Sequence[str]], None]]:
    """Requests are settled one by one, and all of them when the run ends early: whoever asked is not left waiting."""
    settle = partial(parts.requests.settle, "index")
    try:
        yield settle
    except BaseException:
        settle(ids)
        raise


def _stages(context: dg.AssetExecutionContext, until: str) -> list[ContributionStage]:
    """The stages that were asked for, in order; at least the first."""
    selected = {key.to_user_string() for key in context.selected_asset_keys}
    last = next((place for place, stage in enumerate(CONTRIBUTION_STAGES) if stage == until), None)
    if last is None:
        raise dg.Failure(f"There is no stage {until}.", allow_retries=False)
    return [stage for stage in CONTRIBUTION_STAGES[: last + 1] if stage in selected] or [CONTRIBUTION_STAGES[0]]


index_contributions_job = dg.define_asset_job(
    "index_contributions_job",
    description="Fetches contributions and indexes them for evidence",
    selection=dg.AssetSelection.groups(GROUP).without_checks(),
    executor_def=dg.in_process_executor,
    owners=OWNERS,
)
