"""The code version of each stage. A new one makes Dagster show what the former made as stale."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from locator_search.app import parser_version
from locator_search.indexing.chunkers import HeadingChunker
from locator_search.indexing.pipeline import ENTRY_VERSION
from locator_search.indexing.prompts import SUMMARY_VERSION
from locator_search.indexing.stages import STAGES, FileResult, Stage

CODE_VERSIONS: Mapping[Stage, str] = {
    "drive_file": "1",
    "extracted_text": parser_version(),
    "file_summary": f"summary-{SUMMARY_VERSION}",
    "file_embedding": HeadingChunker.version,
    "drive_file_index": f"entry-{ENTRY_VERSION}",
}


def version_tags(result: FileResult, stage: Stage) -> Mapping[str, str]:
    """What Dagster compares: the code version, and a data version out of content, code and models up to this stage.

    Dagster writes these tags itself for outputs, but not for materialisations that a step reports while it runs.
    """
    place = STAGES.index(stage)
    made_of = [str(result.fact("drive_file", "sha256"))]
    made_of += [f"{CODE_VERSIONS[each]} {result.fact(each, 'model')}" for each in STAGES[: place + 1]]
    data_version = hashlib.sha256("\n".join(made_of).encode()).hexdigest()
    tags = {"dagster/code_version": CODE_VERSIONS[stage], "dagster/data_version": data_version}
    if place:
        before = STAGES[place - 1]
        # No event to point at: Dagster then compares no event times, so a rerun of one stage alone leaves the rest be.
        tags[f"dagster/input_data_version/{before}"] = "UNKNOWN"
        tags[f"dagster/input_event_pointer/{before}"] = "NULL"
    return tags
