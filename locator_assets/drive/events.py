"""What Dagster is told of one pass over one file. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import dagster as dg

from locator_assets.drive.versions import version_tags
from locator_search.indexing.stages import Fact, FileResult, Stage, StageReport

Event = dg.AssetMaterialization | dg.AssetObservation


def events_of(result: FileResult, stages: Sequence[Stage]) -> Iterator[Event]:
    """A materialisation per finished stage, and an observation with the reason where a stage did not finish."""
    reported = [report for report in result.stages if report.stage in stages]
    for report in reported:
        yield dg.AssetMaterialization(
            report.stage,
            partition=result.file.file_id,
            metadata=_metadata(report),
            tags=version_tags(result, report.stage),
        )
    if result.ending == "unchanged" and not reported:
        # Another worker finished it: say so once per stage, or a lost run's announcement would look failed for ever.
        for stage in stages if result.reason == "indexed" else stages[:1]:
            yield dg.AssetMaterialization(stage, partition=result.file.file_id, metadata={"unchanged": True})
    if result.failed_stage is not None:
        # Also under the last stage: that is where people look for a file.
        for stage in dict.fromkeys((stage_shown(result, stages), stages[-1])):
            yield dg.AssetObservation(
                stage,
                partition=result.file.file_id,
                metadata={"state": result.ending, "reason": result.reason, "file_name": result.file.file_name},
            )


def stage_shown(result: FileResult, stages: Sequence[Stage]) -> Stage:
    """The selected stage under which a file that did not finish is shown."""
    failed = result.failed_stage
    return failed if failed is not None and failed in stages else stages[-1]


def _metadata(report: StageReport) -> dict[str, dg.MetadataValue]:
    facts = {**report.facts, "seconds": report.seconds}
    return {name: _value(name, fact) for name, fact in facts.items()}


def _value(name: str, fact: Fact) -> dg.MetadataValue:
    if isinstance(fact, bool):
        return dg.MetadataValue.bool(fact)
    if isinstance(fact, int):
        return dg.MetadataValue.int(fact)
    if isinstance(fact, float):
        return dg.MetadataValue.float(fact)
    return dg.MetadataValue.url(fact) if name == "link" else dg.MetadataValue.text(fact)
