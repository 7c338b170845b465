"""From a source's listing to a plan in the registry: what the sensor and the command both begin with."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from locator_search.errors import CursorExpired, LocatorError
from locator_search.indexing.diff import CrawlPlan, Listing, plan_crawl
from locator_search.model import FileRef
from locator_search.ports import (
    ChangeFeed,
    DocumentSource,
    Extent,
    FeedLog,
    FeedPosition,
    FileRegistry,
    FolderChanges,
    KnownFile,
    SourceChanges,
    SyncState,
)

CRAWLED = frozenset({"local_folder", "google_drive"})
"""The sources of which one at a time is crawled."""
RECORDED_AT_ONCE = 1000
EVERYTHING = 2**31
"""No limit."""
OUT_OF_TIME = "the listing took too long"

logger = logging.getLogger(__name__)


def read_listing(source: DocumentSource, out_of_time: Callable[[], bool] = lambda: False) -> Listing:
    """Everything a source lists, each file once; a listing that breaks off keeps what it had.

    Raises SourceError when the source lists nothing at all because of it.
    """
    sweep = source.sweep() if isinstance(source, ChangeFeed) else None
    files: dict[str, FileRef] = {}
    try:
        for file in sweep.files() if sweep else source.list_files():
            files.setdefault(file.file_id, file)
            if out_of_time():
                return Listing(files, OUT_OF_TIME)
    except LocatorError as error:
        if not files:
            raise
        return Listing(files, error.message)
    return Listing(files, ending=sweep.ending() if sweep else None)


@dataclass(frozen=True, slots=True)
class Stock:
    """What a source lists, or what of it changed, beside what was known before, and what follows from the two.

    `changes` is there when the source was asked for its changes only.
    """

    listing: Listing
    known: Mapping[str, KnownFile]
    plan: CrawlPlan
    changes: SourceChanges | None = None

    @property
    def refreshed(self) -> Listing:
        """The files of the listing of which anything differs from what is known, were it only their owner."""
        differing = {
            file_id: file
            for file_id, file in self.listing.files.items()
            if (before := self.known.get(file_id)) is None or before.file != file or before.state == "out_of_scope"
        }
        return Listing(differing)


def take_stock(
    source: DocumentSource,
    registry: FileRegistry,
    version: str,
    now: datetime,
    *,
    look_again: bool = False,
    out_of_time: Callable[[], bool] = lambda: False,
) -> Stock:
    """List the source, compare with the registry and say what is to be done. Changes nothing. Raises SourceError.

    Files that another source was crawled for are gone, once this one has listed something.
    """
    listing = read_listing(source, out_of_time)
    known = {file_id: file for file_id, file in registry.known().items() if file.file.source in CRAWLED}
    return Stock(listing, known, plan_crawl(listing, known, version, now, look_again=look_again))


def take_stock_since_last(
    source: DocumentSource,
    registry: FileRegistry,
    feed_log: FeedLog,
    version: str,
    now: datetime,
    *,
    reconcile_after: timedelta,
    limit: int = EVERYTHING,
    also: Collection[str] = (),
    out_of_time: Callable[[], bool] = lambda: False,
) -> Stock:
    """What changed since the last time, where the source can tell; else everything, as `take_stock`.

    Everything is listed, too, at first, for other target folders, `reconcile_after` the last full listing, and when
    the source no longer knows where we stood. With the changes come files that are due anyway (at most `limit`) and
    those of `also`; what did not change is not even looked up.
    """
    position = _position(source, feed_log, now - reconcile_after)
    if isinstance(source, ChangeFeed) and position is not None:
        try:
            changes = source.changes_since(position.cursor, out_of_time)
        except CursorExpired as error:
            logger.info("Everything is listed again. %s", error.message)
        else:
            due = registry.due(source.name, version, now, limit)
            due |= registry.known(source.name, [file_id for file_id in also if file_id not in due])
            return _stock_of_changes(changes, due, registry, version, now)
    return take_stock(source, registry, version, now, out_of_time=out_of_time)


def _position(source: DocumentSource, feed_log: FeedLog, listed_after: datetime) -> FeedPosition | None:
    """Where the changes were read up to, when that is worth something still."""
    position, listed_at = feed_log.position(), feed_log.last_full_at()
    if not isinstance(source, ChangeFeed) or position is None or position.scope != source.scope:
        return None
    return position if listed_at is not None and listed_at > listed_after else None


def _stock_of_changes(
    changes: SourceChanges, due: Mapping[str, KnownFile], registry: FileRegistry, version: str, now: datetime
) -> Stock:
    files = {file_id: known.file for file_id, known in due.items() if known.state != "out_of_scope"}
    files |= {file.file_id: file for file in changes.changed}
    named = [file_id for file_id in {*files, *changes.gone} if file_id not in due]
    known = {**due, **registry.known(file_ids=named)}
    gone = {file_id for file_id in due if file_id not in files} | set(changes.gone) & set(known)
    listing = Listing({file_id: file for file_id, file in files.items() if file_id not in gone})
    plan = plan_crawl(listing, {file_id: known[file_id] for file_id in listing.files if file_id in known}, version, now)
    return Stock(listing, known, replace(plan, gone=tuple(sorted(gone))), changes)


def record_plan(
    registry: FileRegistry,
    plan: CrawlPlan,
    version: str,
    now: datetime,
    *,
    listing: Listing | None = None,
    out_of_time: Callable[[], bool] = lambda: False,
) -> int:
    """Enter the files of a plan (of the whole listing, where given), let go of those that are gone and settle those set
    aside; returns how many were settled.

    What time did not allow is in the next plan again.
    """
    files: Sequence[FileRef] = [*plan.to_index, *(aside.file for aside in plan.set_aside)]
    if listing is not None:
        files = list(listing.files.values())
    for start in range(0, len(files), RECORDED_AT_ONCE):
        registry.record_listing(files[start : start + RECORDED_AT_ONCE], now)
    registry.let_go(plan.gone)
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


def save_position(feed_log: FeedLog, stock: Stock, now: datetime) -> None:
    """Move on in the changes, once everything a stock-taking found is entered in the registry."""
    if stock.changes is not None:
        if (stock.changes.position, stock.changes.folders) != (feed_log.position(), FolderChanges()):
            feed_log.save(stock.changes.position, stock.changes.folders)
    elif stock.listing.ending is not None:
        feed_log.save(*stock.listing.ending, full_at=now)


def completed_sync(extent: Extent, mode: str, started_at: datetime, finished_at: datetime) -> SyncState | None:
    """The sync state of a crawl that came to its end; None when it covered nothing.

    `drive_modified_at` stays below the oldest file that still waits, so no file is passed over for ever, and does not
    run ahead of the clock because of a file dated in the future.
    """
    if extent.covered_until is None:
        return None
    covered_until = min(extent.covered_until, max(started_at, finished_at))
    return SyncState(covered_until, mode, started_at, finished_at, extent.listed)


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
