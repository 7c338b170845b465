"""One step makes the five assets for a batch of files: drive_file -> ... -> drive_file_index.

No `from __future__ import annotations` here: Dagster reads the config class from the signature.
"""

from collections.abc import Iterator, Mapping

import dagster as dg
from pydantic import Field

from locator_assets.drive.checks import evaluation_of_unreadable_files
from locator_assets.drive.findable import report_on_findable_files
from locator_assets.drive.records import recorded
from locator_assets.drive.recovery import POOL
from locator_assets.drive.ticks import BATCH
from locator_assets.drive.versions import CODE_VERSIONS, version_tags
from locator_assets.instance import hold_connections
from locator_assets.masked_errors import without_secrets
from locator_assets.ownership import OWNERS
from locator_assets.partitions import drive_files, enter_partitions
from locator_assets.resources import CrawlParts, ResultListener
from locator_assets.staged.announce import announce
from locator_assets.staged.events import Event, told
from locator_assets.staged.failures import FailedItem, end_pass
from locator_assets.staged.runs import alive
from locator_assets.staged.specs import specs_of
from locator_assets.staged.workers import Workers
from locator_assets.staged.writing import EventWriter
from locator_search.indexing.stages import STAGES, FileResult, Stage
from locator_search.model import FileRef
from locator_search.ports import KnownFile

GROUP = "drive_index"

_DESCRIPTIONS: Mapping[Stage, str] = {
    "drive_file": "One file of the source: its metadata and the hash of its content.",
    "extracted_text": "The text that was read out of it.",
    "file_summary": "What the model wrote about it: a summary and one to five keywords.",
    "file_embedding": "The vectors of summary, keywords and name, and of every chunk.",
    "drive_file_index": "The row people search, with its chunks and keyword terms, written in one transaction.",
}
_KINDS: Mapping[Stage, str] = {
    "drive_file": "file",
    "extracted_text": "text",
    "file_summary": "llm",
    "file_embedding": "vector",
    "drive_file_index": "postgres",
}


class Files(dg.Config):
    """The files of a run. Empty: the partitions picked in the UI. `verify` hashes settled files as well."""

    file_ids: list[str] = Field(default_factory=list)
    verify: bool = False


@dg.multi_asset(
    name="index_files",
    specs=specs_of(_DESCRIPTIONS, _KINDS, CODE_VERSIONS, GROUP, drive_files),
    partitions_def=drive_files,
    can_subset=True,
    pool=POOL,
    backfill_policy=dg.BackfillPolicy.multi_run(BATCH),
)
@without_secrets
def index_files(
    context: dg.AssetExecutionContext,
    config: Files,
    parts: dg.ResourceParam[CrawlParts],
    on_result: dg.ResourceParam[ResultListener],
) -> Iterator[Event]:
    """Index several files at a time; each is durable as it finishes, and a bad one stops none of the others."""
    by_config = bool(config.file_ids)
    file_ids = list(dict.fromkeys(config.file_ids)) or list(
        parts.registry.files_of_partitions(list(context.partition_keys)).values()
    )
    selected = {key.to_user_string() for key in context.selected_asset_keys}
    stages = [stage for stage in STAGES if stage in selected]
    failed: dict[str, FailedItem] = {}
    written: list[FileRef] = []
    asked = not by_config or _is_rerun_by_hand(context.run.tags)
    indexer = parts.indexer

    def work(file: KnownFile, *, alone: bool = False) -> FileResult:
        return indexer.index_file(file.file, until=stages[-1], again=asked, verify=config.verify, alone=alone)

    def results(workers: Workers[KnownFile, FileResult]) -> Iterator[FileResult]:
        """The results as they come; a file that may have ended a process before is read after the others, and alone."""
        suspected = []
        for result in workers.results():
            if result.ending == "postponed":
                suspected.append(result.file.file_id)
            else:
                yield result
        for file_id in suspected:
            yield work(known[file_id], alone=True)

    def note(result: FileResult) -> None:
        if result.ending == "indexed":
            written.append(result.file)
        listen(result)

    indexer.refuse_another_model()
    hold_connections(context.instance)
    with alive(context.run, parts.locks), recorded(context.run.run_id, parts, on_result) as listen:
        ours = {root.root_id for root in parts.source.roots}
        named = parts.registry.known(file_ids)
        # Homes with other folders share this queue of runs; they are asked for their files again.
        known = {file_id: file for file_id, file in named.items() if file.file.root_id in ours}
        keys = (
            enter_partitions(context.instance, parts.registry, list(known))
            if by_config
            else parts.registry.partition_keys(list(known))
        )
        failed_before = {file_id for file_id, file in known.items() if file.state == "failed"}
        with Workers(work, known.values(), parts.files_at_once) as workers, EventWriter(context) as writer:
            if by_config:  # while the workers already work
                announce(context, stages[:1], (keys[name] for name in known))
            for event in told(
                context,
                results(workers),
                stages,
                version_tags,
                failed,
                note,
                partitions=keys,
                failed_before=failed_before if by_config else (),
                page_of=parts.page_of,
            ):
                writer.add(event)
    parts.upkeep.settle_documents()
    parts.upkeep.build_vector_graph()
    report_on_findable_files(parts, context.instance, written)
    if failed or failed_before:  # the hourly look would be late
        context.instance.report_runless_asset_event(evaluation_of_unreadable_files(parts))
    end_pass(context, failed, file_ids, "file_ids")
    yield from ()  # everything is written already


def _is_rerun_by_hand(tags: Mapping[str, str]) -> bool:
    """A re-execution that a person started; Dagster's own retries carry a number."""
    return "dagster/parent_run_id" in tags and "dagster/retry_number" not in tags


index_files_job = dg.define_asset_job(
    "index_files_job",
    description="Indexes files: their text, summary, vectors and the row people search",
    selection=dg.AssetSelection.groups(GROUP).without_checks(),
    executor_def=dg.in_process_executor,
    tags={"dagster/priority": "-1"},  # a person's rerun goes first
    owners=OWNERS,
)
