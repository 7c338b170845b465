"""Dagster's events of one pass over one file. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import dagster as dg

from locator_search.indexing.stages import Fact, StageName, StageReport

Event = dg.AssetMaterialization | dg.AssetObservation


class StagedResult(Protocol[StageName]):
    """One pass over a file, or over anything else that has a partition and goes through stages."""

    @property
    def key(self) -> str:
        """The partition."""
        ...

    @property
    def name(self) -> str:
        """The name that people read."""
        ...

    @property
    def ending(self) -> str:
        """How the pass ended."""
        ...

    @property
    def stages(self) -> Sequence[StageReport[StageName]]:
        """The stages that finished."""
        ...

    @property
    def reason(self) -> str:
        """Why it ended there; of what was left alone the state it is in."""
        ...

    @property
    def failed_stage(self) -> StageName | None:
        """The stage that did not finish."""
        ...


def events_of(
    result: StagedResult[StageName],
    stages: Sequence[StageName],
    tags: Callable[[StageName], Mapping[str, str]] | None = None,
) -> Iterator[Event]:
    """A materialisation per finished stage, and an observation with the reason where a stage did not finish.

    `tags` are those of the materialisation of a stage.
    """
    reported = [report for report in result.stages if report.stage in stages]
    for report in reported:
        yield dg.AssetMaterialization(
            report.stage,
            partition=result.key,
            metadata=_metadata(report),
            tags=tags(report.stage) if tags is not None else None,
        )
    if result.ending == "unchanged" and not reported:
        # Another worker finished it: say so once per stage, or a lost run's announcement would look failed for ever.
        for stage in stages if result.reason == "indexed" else stages[:1]:
            yield dg.AssetMaterialization(stage, partition=result.key, metadata={"unchanged": True})
    if result.failed_stage is not None:
        # Also under the last stage, because people look there for a file.
        for stage in dict.fromkeys((stage_shown(result, stages), stages[-1])):
            yield dg.AssetObservation(
                stage,
                partition=result.key,
                metadata={"state": result.ending, "reason": result.reason, "file_name": result.name},
            )


def stage_shown(result: StagedResult[StageName], stages: Sequence[StageName]) -> StageName:
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
