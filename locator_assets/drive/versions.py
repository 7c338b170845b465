"""The code version of each stage. A new one makes Dagster show what the former made as stale."""

from __future__ import annotations

from collections.abc import Mapping

from locator_assets.staged.specs import stage_tags
from locator_search.app.locator import parser_version
from locator_search.indexing.chunking.heading_chunker import HeadingChunker
from locator_search.indexing.entry import ENTRY_VERSION
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
    """The version tags that Dagster compares for a stage of one file."""
    sha256 = str(result.fact("drive_file", "sha256"))
    return stage_tags(stage, STAGES, CODE_VERSIONS, sha256, lambda each: result.fact(each, "model"))
