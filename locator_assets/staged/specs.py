"""Assets made by one step, stage after stage: their specs and the tags of what is made."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

import dagster as dg

from locator_assets.ownership import OWNERS
from locator_search.indexing.stages import StageName


def specs_of(
    descriptions: Mapping[StageName, str],
    kinds: Mapping[StageName, str],
    code_versions: Mapping[StageName, str],
    group: str,
    partitions: dg.PartitionsDefinition[str],
) -> list[dg.AssetSpec]:
    """One asset per stage, in the order of the descriptions, each from the one before it.

    `kinds` names, for each stage, the form of what it makes: the UI draws its icon and filters by it.
    """
    specs: list[dg.AssetSpec] = []
    for stage, description in descriptions.items():
        specs.append(
            dg.AssetSpec(
                stage,
                deps=specs[-1:],
                description=description,
                code_version=code_versions[stage],
                group_name=group,
                kinds={kinds[stage]},
                owners=OWNERS,
                partitions_def=partitions,
                skippable=True,  # or Dagster itself would mark the partitions of bad items as made
            )
        )
    return specs


def stage_tags(
    stage: StageName,
    order: Sequence[StageName],
    code_versions: Mapping[StageName, str],
    sha256: str,
    model_of: Callable[[StageName], object],
) -> Mapping[str, str]:
    """Tags that Dagster compares: the code version, and a data version of content, code and models up to this stage.

    Dagster writes these tags itself for outputs, but not for materialisations that a step reports while it runs.
    """
    place = order.index(stage)
    made_of = [sha256, *(f"{code_versions[each]} {model_of(each)}" for each in order[: place + 1])]
    data_version = hashlib.sha256("\n".join(made_of).encode()).hexdigest()
    tags = {"dagster/code_version": code_versions[stage], "dagster/data_version": data_version}
    if place:
        before = order[place - 1]
        # No event to point at: Dagster then compares no event times, so a rerun of one stage alone leaves the rest be.
        tags[f"dagster/input_data_version/{before}"] = "UNKNOWN"
        tags[f"dagster/input_event_pointer/{before}"] = "NULL"
    return tags
