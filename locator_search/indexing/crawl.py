"""Turns the listing of a source into a plan in the registry, with which the sensor and the command both begin."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from locator_search.core.errors import CursorExpired, SourceError
from locator_search.indexing.diff import CrawlPlan, is_settled, plan_crawl
from locator_search.indexing.listing import Comparison, Listing, read_listing
from locator_search.indexing.removal_guard import RootSize, kept_for_now
from locator_search.model import FileRef, SourceRoot
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

RECORDED_AT_ONCE = 1000
EVERYTHING = 2**31
"""No limit."""
CHECK_ROOTS = "Check LOCATOR_FOLDERS or GOOGLE_DRIVE_TARGET_FOLDER_IDS, and the permissions of the folders."
LOOK_AGAIN_AFTER = timedelta(hours=1)
"""A folder that could not be listed is looked into again, without waiting for the daily listing."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SourceSnapshot:
    """The files a source lists, or those that changed, beside those that were known, and the plan that follows.

    `changes` is there when the source was asked for its changes only. Else `not_listed` are the ids of known files that
    the listing does not have.
    """

    listing: Listing
    known: Mapping[str, KnownFile]
    plan: CrawlPlan
    changes: SourceChanges | None = None
    not_listed: Sequence[str] = ()

    @property
    def refreshed(self) -> Listing:
        """The files of the listing of which anything differs from what is known, were it only their owner."""
        differing = {
            file_id: file
            for file_id, file in self.listing.files.items()
            if (before := self.known.get(file_id)) is None or _differs(before, file)
        }
        return replace(self.listing, files=differing)


def _differs(before: KnownFile, file: FileRef) -> bool:
    return before.state == "out_of_scope" or before.missing_since is not None or not _same(before.file, file)


def _same(known: FileRef, file: FileRef) -> bool:
    """Two machines may find the files of one root at other paths, which is no difference."""
    return known == file or (file.link.startswith("file:") and replace(known, link=file.link) == file)


def observe_source(
    source: DocumentSource,
    registry: FileRegistry,
    version: str,
    now: datetime,
    *,
    look_again: bool = False,
    confirmed: Collection[str] = (),
    also: Collection[str] = (),
    out_of_time: Callable[[], bool] = lambda: False,
) -> SourceSnapshot:
    """List the source, compare with the registry and say what is to be done; how the listing went is kept.

    A listing speaks for its own roots alone. Of those whose ids are `confirmed`, any number of files may be gone. The
    files of `also` are in the listing with all that is said of them, however they stand.

    Raises SourceError when no root can be listed.
    """
    for root in source.roots:
        registry.adopt(root, source.places().get(root.root_id, ""))
    with _no_search_for_garbage():
        return _observed(source, registry, version, now, look_again, confirmed, also, out_of_time)


@contextmanager
def _no_search_for_garbage() -> Iterator[None]:
    """A listing makes many objects and no circles of them, so Python looks through all of them in vain, many times."""
    wanted = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if wanted:
            gc.enable()


def _observed(
    source: DocumentSource,
    registry: FileRegistry,
    version: str,
    now: datetime,
    look_again: bool,
    confirmed: Collection[str],
    also: Collection[str],
    out_of_time: Callable[[], bool],
) -> SourceSnapshot:
    def stands(before: KnownFile, file: FileRef) -> bool:
        return is_settled(before, file, version, now) and not _differs(before, file)

    comparison = Comparison(registry, version, now, stands, look_again=look_again, also=frozenset(also))
    listing = read_listing(source, comparison, out_of_time)
    outcome = listing.outcome()
    registry.record_roots(outcome, now)
    if outcome and all(root.problem for root in outcome):
        raise SourceError(" ".join(dict.fromkeys(root.problem for root in outcome)), hint=CHECK_ROOTS)
    not_listed = comparison.not_met()
    known = comparison.known | (registry.known(not_listed) if not_listed else {})
    plan = plan_crawl(listing, known, version, now, look_again=look_again, confirmed=confirmed)
    return SourceSnapshot(listing, known, plan, not_listed=not_listed)


def observe_changes(
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
) -> SourceSnapshot:
    """The changes since the last time, where the source can tell; else everything, as `observe_source`.

    Everything is listed, too, at first, for other target folders, `reconcile_after` the last full listing, and when
    the source no longer knows where we stood. With the changes come files that are due anyway (at most `limit`) and
    those of `also`; what did not change is not even looked up.
    """
    if registry.has_unlisted():
        reconcile_after = min(reconcile_after, LOOK_AGAIN_AFTER)
    position = _position(source, feed_log, now - reconcile_after)
    if isinstance(source, ChangeFeed) and position is not None:
        try:
            changes = source.changes_since(position.cursor, out_of_time)
        except CursorExpired as error:
            logger.info("Everything is listed again. %s", error.message)
        else:
            due = registry.due(version, now, limit)
            due |= registry.known([file_id for file_id in also if file_id not in due])
            return _snapshot_of_changes(changes, due, registry, version, now, source.roots)
    return observe_source(source, registry, version, now, also=also, out_of_time=out_of_time)


def _position(source: DocumentSource, feed_log: FeedLog, listed_after: datetime) -> FeedPosition | None:
    """The place up to which changes were read, None when it is no longer valid."""
    position, listed_at = feed_log.position(), feed_log.last_full_at()
    if not isinstance(source, ChangeFeed) or position is None or position.scope != source.scope:
        return None
    return position if listed_at is not None and listed_at > listed_after else None


def _snapshot_of_changes(
    changes: SourceChanges,
    due: Mapping[str, KnownFile],
    registry: FileRegistry,
    version: str,
    now: datetime,
    roots: Sequence[SourceRoot],
) -> SourceSnapshot:
    ours = {root.root_id for root in roots}
    due = {file_id: known for file_id, known in due.items() if known.file.root_id in ours}
    files = {file_id: known.file for file_id, known in due.items() if known.state != "out_of_scope"}
    files |= {file.file_id: file for file in changes.changed}
    named = [file_id for file_id in {*files, *changes.gone} if file_id not in due]
    known = {**due, **registry.known(named)}
    gone = {file_id for file_id in due if file_id not in files} | set(changes.gone) & set(known)
    gone_from_here = {file_id: known[file_id] for file_id in sorted(gone) if known[file_id].file.root_id in ours}
    sizes = {state.root.root_id: RootSize(state.files, state.missing) for state in registry.roots()} if gone else {}
    kept = kept_for_now(gone_from_here, sizes, now)
    listing = Listing({file_id: file for file_id, file in files.items() if file_id not in gone})
    plan = plan_crawl(listing, {file_id: known[file_id] for file_id in listing.files if file_id in known}, version, now)
    forgotten = tuple(file_id for file_id in gone_from_here if file_id not in kept)
    return SourceSnapshot(listing, known, replace(plan, gone=forgotten, missing=tuple(sorted(kept))), changes)


def record_snapshot(
    snapshot: SourceSnapshot,
    registry: FileRegistry,
    feed_log: FeedLog,
    version: str,
    now: datetime,
    *,
    out_of_time: Callable[[], bool] = lambda: False,
) -> int:
    """Enter what was observed: files that differ from what is known, those that are gone or missing, those set aside,
    and last the place in the changes; returns how many were set aside.

    What time did not allow is in the next plan again.
    """
    files = list(snapshot.refreshed.files.values())
    for start in range(0, len(files) or 1, RECORDED_AT_ONCE):  # with none, names of an earlier version are analysed
        registry.record_listing(files[start : start + RECORDED_AT_ONCE], now)
    registry.mark_gone(snapshot.plan.gone)
    registry.mark_missing(snapshot.plan.missing, now)
    settled = 0
    for aside in snapshot.plan.set_aside:
        if out_of_time():
            break
        registry.set_state(
            aside.file.file_id,
            aside.state,
            reason=aside.reason,
            revision=aside.file.revision,
            pipeline_version=version,
        )
        settled += 1
    _save_position(feed_log, snapshot, now)
    return settled


def _save_position(feed_log: FeedLog, snapshot: SourceSnapshot, now: datetime) -> None:
    if snapshot.changes is not None:
        if (snapshot.changes.position, snapshot.changes.folders) != (feed_log.position(), FolderChanges()):
            feed_log.save(snapshot.changes.position, snapshot.changes.folders)
    elif snapshot.listing.ending is not None:
        feed_log.save(*snapshot.listing.ending, full_at=now)


def completed_sync(extent: Extent, mode: str, started_at: datetime, finished_at: datetime) -> SyncState | None:
    """The sync state of a crawl that came to its end; None when it covered nothing.

    `drive_modified_at` stays below the oldest file that still waits, so no file is passed over for ever, and does not
    run ahead of the clock because of a file dated in the future.
    """
    if extent.covered_until is None:
        return None
    covered_until = min(extent.covered_until, max(started_at, finished_at))
    return SyncState(covered_until, mode, started_at, finished_at, extent.listed)
