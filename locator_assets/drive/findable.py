"""Whether files are found by their own titles and their first keywords.

The hourly look takes the newest files, a batch some of those it wrote. Either tries again what was not found before:
Dagster shows the last evaluation alone, and a batch of a few sound files must not end the warning about another file.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from pathlib import PurePosixPath
from typing import Literal

import dagster as dg
from dagster._core.storage.asset_check_execution_record import (
    AssetCheckExecutionRecord,
    AssetCheckExecutionRecordStatus,
)

from locator_assets.resources import CrawlParts
from locator_search.core.reader import PROGRAM, reading_as
from locator_search.model import Evidence, FileRef, RetrievalQuery, SearchFilters
from locator_search.text.markdown.writing import code_as_markdown

CHECK = dg.AssetCheckKey(dg.AssetKey("drive_file_index"), "findable_files")
MOST_TRIED = 20
"""Files of a look. Two searches cost as much as reading and writing a small file twice, so not all of a large batch."""
MOST_KEPT = 50
"""Files that are remembered as not found, and named."""
FIRST = 10
"""A file is found by its title when it is among so many."""
COUNTED = 1e-9
"""A threshold that every hit passes: without one, hits are not counted."""

_LOCK = "findable files"

Sought = Literal["title", "keyword"]


def evaluation_of_newest_files(parts: CrawlParts, instance: dg.DagsterInstance) -> dg.AssetCheckEvaluation:
    """The newest files, and those that were not found before."""
    with reading_as(PROGRAM):
        newest = [known.file for known in parts.status_reader.files_in(["indexed"], limit=MOST_TRIED)]
    return _evaluation(len(newest), not_found(parts, newest), not_found(parts, _lost_before(parts, instance, newest)))


def report_on_findable_files(parts: CrawlParts, instance: dg.DagsterInstance, written: Sequence[FileRef]) -> None:
    """Report of the files a batch wrote, of a large one those at even distances; where it wrote none, there is nothing
    to say. Batches report one at a time, so that none overlooks what another did not find."""
    if not written:
        return
    tried = written[:: ceil(len(written) / MOST_TRIED)]
    lost = not_found(parts, tried)
    with parts.locks.hold(_LOCK):
        before = not_found(parts, _lost_before(parts, instance, tried))
        instance.report_runless_asset_event(_evaluation(len(tried), lost, before))


def not_found(parts: CrawlParts, files: Sequence[FileRef]) -> dict[str, tuple[FileRef, Sought]]:
    """The files that a search among `files` does not find, by their ids, with what was searched for. Words alone are
    searched, so that no model is asked."""
    among = SearchFilters(file_ids=tuple(file.file_id for file in files))
    with ThreadPoolExecutor(parts.files_at_once) as threads:
        found = list(threads.map(lambda file: _by_title(parts, file, among), files))
        keywords = list(dict.fromkeys(keyword for one in found if one is not None for keyword in one.keywords[:1]))
        holders = dict(zip(keywords, threads.map(lambda word: _by_keyword(parts, word, among), keywords), strict=True))
    lost: dict[str, tuple[FileRef, Sought]] = {}
    for file, one in zip(files, found, strict=True):
        if one is None:
            lost[file.file_id] = file, "title"
        elif any(one.file_id not in holders[keyword] for keyword in one.keywords[:1]):
            lost[file.file_id] = file, "keyword"
    return lost


def _by_keyword(parts: CrawlParts, keyword: str, among: SearchFilters) -> frozenset[str]:
    query = RetrievalQuery(keyword, (), among, COUNTED, 1, "keyword", with_facets=False)
    with reading_as(PROGRAM):
        return frozenset(parts.index.retrieve(query, None).hits)


def _by_title(parts: CrawlParts, file: FileRef, among: SearchFilters) -> Evidence | None:
    """The file, or one of the same name where many bear it."""
    first = _first_by_title(parts, file, among, 1)  # nearly always the file; nine others need not be read
    found = first if any(one.file_id == file.file_id for one in first) else _first_by_title(parts, file, among, FIRST)
    own = next((one for one in found if one.file_id == file.file_id), None)
    return own or next((one for one in found if one.file_name == file.file_name), None)


def _first_by_title(parts: CrawlParts, file: FileRef, among: SearchFilters, count: int) -> Sequence[Evidence]:
    title = PurePosixPath(file.file_name).stem
    query = RetrievalQuery(title, (), among, 0.0, count, "keyword", with_facets=False)
    with reading_as(PROGRAM):
        return parts.index.retrieve(query, None).evidence


def _lost_before(parts: CrawlParts, instance: dg.DagsterInstance, tried: Sequence[FileRef]) -> list[FileRef]:
    """The files that the evaluation before did not find, that are not tried now, and are to be found still."""
    ended = {AssetCheckExecutionRecordStatus.SUCCEEDED, AssetCheckExecutionRecordStatus.FAILED}
    latest = instance.event_log_storage.get_asset_check_execution_history(CHECK, limit=1, status=ended)
    file_ids = {str(file_id) for record in latest for file_id in _named(record)}
    known = parts.registry.known(sorted(file_ids.difference(file.file_id for file in tried)))
    return [one.file for one in known.values() if one.state == "indexed"]


def _named(record: AssetCheckExecutionRecord) -> list[object]:
    event = record.event.dagster_event if record.event is not None else None
    named = event.asset_check_evaluation_data.metadata.get("file_ids") if event is not None else None
    return named.value if isinstance(named, dg.JsonMetadataValue) and isinstance(named.value, list) else []


def _evaluation(
    tried: int, lost: dict[str, tuple[FileRef, Sought]], before: dict[str, tuple[FileRef, Sought]]
) -> dg.AssetCheckEvaluation:
    every = {**lost, **before}
    named = dict(list(every.items())[:MOST_KEPT])
    lines = (f"- {code_as_markdown(file.file_name)}: {sought}" for file, sought in named.values())
    return dg.AssetCheckEvaluation(
        asset_key=CHECK.asset_key,
        check_name=CHECK.name,
        passed=not every,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={
            "tried": tried,
            "lost": len(every),
            "lost_before": len(before),
            "not_found": dg.MetadataValue.md("\n".join(lines)),
            "file_ids": dg.MetadataValue.json(list(named)),
        },
    )
