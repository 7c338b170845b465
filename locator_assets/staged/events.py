"""Dagster's events of one pass over one file. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import dagster as dg

from locator_assets.staged.announce import announce
from locator_assets.staged.failures import FailedItem
from locator_search.contributions.stages import ContributionResult
from locator_search.indexing.stages import Fact, FileResult, StageReport

Event = dg.AssetMaterialization | dg.AssetObservation


StagedResult: TypeAlias = FileResult | ContributionResult
Tags: TypeAlias = Mapping[str, str]
Metadata: TypeAlias = Mapping[str, dg.MetadataValue[Any]]


def told(
    context: dg.AssetExecutionContext,
    results: Iterable[StagedResult],
    stages: Sequence[str],
    tags: Callable[[Any, Any], Tags],
    failed: dict[str, FailedItem],
    listen: Callable[[Any], None],
    *,
    partitions: Mapping[str, str] | None = None,
    failed_before: Collection[str] = (),
    page_of: Callable[[str], str] | None = None,
) -> Iterator[Event]:
    """The events of results as they come, with the `tags` of a result and a stage; `listen` hears of each before.
    `partitions` has the key of the partition of each item; without it, they are the items. `page_of` names the address
    of an item's page.

    Those that failed are entered in `failed`. What is made of those that had `failed_before` is announced, or the UI
    would go on naming the run they failed in.
    """
    for result in results:
        listen(result)
        partition = partitions[result.key] if partitions is not None else result.key
        events = list(events_of(result, partition, stages, partial(tags, result), page_of))
        if result.key in failed_before:
            made = [event.asset_key.to_user_string() for event in events if isinstance(event, dg.AssetMaterialization)]
            announce(context, made, [partition])
        yield from events
        if result.ending == "failed":
            failed[result.key] = FailedItem(partition, stage_shown(result, stages), f"{result.name}: {result.reason}")


def events_of(
    result: StagedResult,
    partition: str,
    stages: Sequence[str],
    tags: Callable[[Any], Tags] | None = None,
    page_of: Callable[[str], str] | None = None,
) -> Iterator[Event]:
    """A materialisation per finished stage, and one that holds the reason of the stage that did not finish: the page of
    a partition shows nothing else. `tags` are those of the materialisation of a finished stage.
    """
    page: Metadata = {"page": dg.MetadataValue.url(page_of(result.key))} if page_of is not None else {}
    reported = [report for report in result.stages if report.stage in stages and not report.told_before]
    for report in reported:
        yield dg.AssetMaterialization(
            report.stage,
            partition=partition,
            metadata={**_metadata(report), **page},
            tags=tags(report.stage) if tags is not None else None,
        )
    if result.ending == "unchanged" and not reported:
        # Another worker finished it: say so once per stage, or a lost run's announcement would look failed for ever.
        for stage in stages if result.reason == "indexed" else stages[:1]:
            yield dg.AssetMaterialization(stage, partition=partition, metadata={"unchanged": True})
    if result.failed_stage is not None:
        told = {"state": result.ending, "reason": result.reason, "file_name": result.name}
        why = {**{name: dg.MetadataValue.text(words) for name, words in told.items()}, **page}
        stage = stage_shown(result, stages)
        if result.ending != "gone":
            yield dg.AssetMaterialization(stage, partition=partition, metadata=why)
        if result.ending == "gone" or stage != stages[-1]:  # the last stage is where people look for a file
            yield dg.AssetObservation(stages[-1], partition=partition, metadata=why)


def stage_shown(result: StagedResult, stages: Sequence[str]) -> str:
    """The selected stage under which a file that did not finish is shown."""
    failed = result.failed_stage
    return failed if failed is not None and failed in stages else stages[-1]


def _metadata(report: StageReport[Any]) -> Metadata:
    facts = {**report.facts, "seconds": report.seconds}
    # A browser opens no file: address; the page of the file does.
    return {name: _value(name, fact) for name, fact in facts.items() if not str(fact).startswith("file://")}


def _value(name: str, fact: Fact) -> dg.MetadataValue:
    if isinstance(fact, bool):
        return dg.MetadataValue.bool(fact)
    if isinstance(fact, int):
        return dg.MetadataValue.int(fact)
    if isinstance(fact, float):
        return dg.MetadataValue.float(fact)
    is_link = name == "link" and fact.startswith(("https://", "http://"))
    return dg.MetadataValue.url(fact) if is_link else dg.MetadataValue.text(fact)
