"""The code version of each stage. A new one makes Dagster show what the former made as stale."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

from locator_search.app.locator import parser_version
from locator_search.indexing.chunkers import HeadingChunker
from locator_search.indexing.pipeline import ENTRY_VERSION
from locator_search.indexing.prompts import SUMMARY_VERSION
from locator_search.indexing.stages import STAGES, FileResult, Stage, StageName

CODE_VERSIONS: Mapping[Stage, str] = {
    "drive_file": "1",
    "extracted_text": parser_version(),
    "file_summary": f"summary-{SUMMARY_VERSION}",
    "file_embedding": HeadingChunker.version,
    "drive_file_index": f"entry-{ENTRY_VERSION}",
}


def version_tags(result: FileResult, stage: Stage) -> Mapping[str, str]:
    """What Dagster compares for a stage of one file."""
    sha256 = str(result.fact("drive_file", "sha256"))
    return stage_tags(stage, STAGES, CODE_VERSIONS, sha256, lambda each: result.fact(each, "model"))


def stage_tags(
    stage: StageName,
    order: Sequence[StageName],
    code_versions: Mapping[StageName, str],
    sha256: str,
    model_of: Callable[[StageName], object],
) -> Mapping[str, str]:
    """What Dagster compares: the code version, and a data version out of content, code and models up to this stage.

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
