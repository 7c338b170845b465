"""Dagster's events of one pass over one file. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import dagster as dg

from locator_assets.staged.announce import announce
from locator_search.contributions.stages import ContributionResult
from locator_search.indexing.stages import Fact, FileResult, StageReport

Event = dg.AssetMaterialization | dg.AssetObservation


StagedResult: TypeAlias = FileResult | ContributionResult
Tags: TypeAlias = Mapping[str, str]


def told(
    context: dg.AssetExecutionContext,
    results: Iterable[StagedResult],
    stages: Sequence[str],
    tags: Callable[[Any, Any], Tags],
    failed: dict[str, str],
    listen: Callable[[Any], None],
    *,
    by_config: bool,
    partitions: Mapping[str, str] | None = None,
) -> Iterator[Event]:
    """The events of results as they come, with the `tags` of a result and a stage; `listen` hears of each before.
    `partitions` has the key of the partition of each item; without it, they are the items.

    Those that failed are entered in `failed`: key to name and reason. A run that has its items by config announces the
    stages they did not reach, so that the UI shows their partitions as failed.
    """
    for result in results:
        listen(result)
        partition = partitions[result.key] if partitions is not None else result.key
        yield from events_of(result, partition, stages, partial(tags, result))
        if result.ending == "failed":
            failed[result.key] = f"{result.name}: {result.reason}"
            if by_config:
                announce(context, stages[stages.index(stage_shown(result, stages)) :], [partition])


def events_of(
    result: StagedResult, partition: str, stages: Sequence[str], tags: Callable[[Any], Tags] | None = None
) -> Iterator[Event]:
    """A materialisation per finished stage, and an observation with the reason where a stage did not finish.

    `tags` are those of the materialisation of a stage.
    """
    reported = [report for report in result.stages if report.stage in stages and not report.told_before]
    for report in reported:
        yield dg.AssetMaterialization(
            report.stage,
            partition=partition,
            metadata=_metadata(report),
            tags=tags(report.stage) if tags is not None else None,
        )
    if result.ending == "unchanged" and not reported:
        # Another worker finished it: say so once per stage, or a lost run's announcement would look failed for ever.
        for stage in stages if result.reason == "indexed" else stages[:1]:
            yield dg.AssetMaterialization(stage, partition=partition, metadata={"unchanged": True})
    if result.failed_stage is not None:
        # Also under the last stage: that is where people look for a file.
        for stage in dict.fromkeys((stage_shown(result, stages), stages[-1])):
            yield dg.AssetObservation(
                stage,
                partition=partition,
                metadata={"state": result.ending, "reason": result.reason, "file_name": result.name},
            )


def stage_shown(result: StagedResult, stages: Sequence[str]) -> str:
    """The selected stage under which a file that did not finish is shown."""
    failed = result.failed_stage
    return failed if failed is not None and failed in stages else stages[-1]


def _metadata(report: StageReport[Any]) -> dict[str, dg.MetadataValue]:
    facts = {**report.facts, "seconds": report.seconds}
    return {name: _value(name, fact) for name, fact in facts.items()}


def _value(name: str, fact: Fact) -> dg.MetadataValue:
    if isinstance(fact, bool):
        return dg.MetadataValue.bool(fact)
    if isinstance(fact, int):
        return dg.MetadataValue.int(fact)
    if isinstance(fact, float):
        return dg.MetadataValue.float(fact)
    is_link = name == "link" and fact.startswith(("https://", "http://", "file://"))
    return dg.MetadataValue.url(fact) if is_link else dg.MetadataValue.text(fact)
