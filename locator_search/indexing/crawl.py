"""From a source's listing to a plan in the registry: what the sensor and the command both begin with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from locator_search.errors import LocatorError
from locator_search.indexing.diff import CrawlPlan, Listing, plan_crawl
from locator_search.model import FileRef
from locator_search.ports import DocumentSource, FileRegistry, KnownFile, SyncState

RECORDED_AT_ONCE = 1000


def read_listing(source: DocumentSource, out_of_time: Callable[[], bool] = lambda: False) -> Listing:
    """Everything a source lists, each file once; a listing that breaks off keeps what it had.

    Raises SourceError when the source lists nothing at all because of it.
    """
    files: dict[str, FileRef] = {}
    try:
        for file in source.list_files():
            files.setdefault(file.file_id, file)
            if out_of_time():
                return Listing(files, "the listing took too long")
    except LocatorError as error:
        if not files:
            raise
        return Listing(files, error.message)
    return Listing(files)


@dataclass(frozen=True, slots=True)
class Stock:
    """A listing beside what was known before it, and what follows from the two."""

    listing: Listing
    known: Mapping[str, KnownFile]
    plan: CrawlPlan


def take_stock(
    source: DocumentSource,
    registry: FileRegistry,
    version: str,
    now: datetime,
    *,
    look_again: bool = False,
    out_of_time: Callable[[], bool] = lambda: False,
) -> Stock:
    """List the source, compare with the registry and say what is to be done. Changes nothing. Raises SourceError."""
    listing = read_listing(source, out_of_time)
    known = registry.known(source=source.name)
    return Stock(listing, known, plan_crawl(listing, known, version, now, look_again=look_again))


def record_plan(
    registry: FileRegistry,
    plan: CrawlPlan,
    version: str,
    now: datetime,
    *,
    listing: Listing | None = None,
    out_of_time: Callable[[], bool] = lambda: False,
) -> int:
    """Enter the files of a plan (of the whole listing, where given) and settle those set aside; returns how many.

    What time did not allow is in the next plan again.
    """
    files: Sequence[FileRef] = [*plan.to_index, *(aside.file for aside in plan.set_aside)]
    if listing is not None:
        files = list(listing.files.values())
    for start in range(0, len(files), RECORDED_AT_ONCE):
        registry.record_listing(files[start : start + RECORDED_AT_ONCE], now)
    for settled, aside in enumerate(plan.set_aside):
        if out_of_time():
            return settled
        registry.set_state(
            aside.file.file_id,
            aside.state,
            reason=aside.reason,
            revision=aside.file.revision,
            pipeline_version=version,
        )
    return len(plan.set_aside)


def is_waiting(known: KnownFile) -> bool:
    """Whether work on a file is still to come: never looked at, changed since, or failed and tried again later."""
    if known.state == "pending" or known.done_revision != known.file.revision:
        return True
    return known.state == "failed" and known.next_try_at is not None


def completed_sync(
    listed: Collection[KnownFile], mode: str, started_at: datetime, finished_at: datetime
) -> SyncState | None:
    """The sync state of a crawl that came to its end; None when it covered nothing.

    `drive_modified_at` stays below the oldest file that still waits, so no file is passed over for ever.
    """
    oldest_waiting = min((known.file.modified_at for known in listed if is_waiting(known)), default=None)
    covered = [
        known.file.modified_at for known in listed if oldest_waiting is None or known.file.modified_at < oldest_waiting
    ]
    if not covered:
        return None
    return SyncState(max(covered), mode, started_at, finished_at, len(listed))


def ask_again(registry: FileRegistry, known: KnownFile, now: datetime) -> None:
    """A person wants a failed file tried once more: it is due at once, and content that gave no text is read anew."""
    registry.set_state(
        known.file.file_id,
        "failed",
        reason=known.reason,
        revision=known.done_revision,
        pipeline_version=known.pipeline_version,
        content_hash=known.content_hash,
        next_try_at=now,
    )
