"""Assets made by one step, stage after stage, and how its run ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import dagster as dg

from locator_search.indexing.stages import StageName


def specs_of(
    descriptions: Mapping[StageName, str],
    code_versions: Mapping[StageName, str],
    group: str,
    partitions: dg.PartitionsDefinition[str],
) -> list[dg.AssetSpec]:
    """One asset per stage, in the order of the descriptions, each from the one before it."""
    specs: list[dg.AssetSpec] = []
    for stage, description in descriptions.items():
        specs.append(
            dg.AssetSpec(
                stage,
                deps=specs[-1:],
                description=description,
                code_version=code_versions[stage],
                group_name=group,
                partitions_def=partitions,
                skippable=True,  # or Dagster itself would mark the partitions of bad items as made
            )
        )
    return specs


def fail_for(failed: Mapping[str, str], items: Sequence[str], noun: str) -> None:
    """End the run as failed when some of its items did, naming those; the others are done."""
    if failed:
        raise dg.Failure(
            f"{len(failed)} of {len(items)} {noun} failed; the others are done.",
            metadata={"failed": dg.MetadataValue.json(failed)},
            allow_retries=False,
        )
