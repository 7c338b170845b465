"""Compares a listing with the registry: files to work on, to set aside, to leave alone, to forget. Pure.

A file is settled when its state speaks of the listed revision and was reached by the present pipeline. A listing speaks
for its own roots alone. Nothing is taken for deleted on the word of a listing that broke off, or below a folder that
could not be listed; the guard decides where more than half of a root would go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from locator_search.indexing.listing import Listing
from locator_search.indexing.removal_guard import RootSize, kept_for_now
from locator_search.model import FOLDER_MIME_TYPE, FileRef, FileState
from locator_search.ports import KnownFile

MAX_ATTEMPTS = 5
FIRST_RETRY = timedelta(minutes=1)
ACCESS_RETRY = timedelta(days=1)

ARCHIVES = frozenset(
    {
        "application/gzip",
        "application/java-archive",
        "application/vnd.rar",
        "application/x-7z-compressed",
        "application/x-bzip2",
        "application/x-lzh-compressed",
        "application/x-rar-compressed",
        "application/x-tar",
        "application/x-xz",
        "application/zip",
        "application/zstd",
    }
)

GOOGLE_APPS = "application/vnd.google-apps."
GOOGLE_TEXTS = frozenset({"document", "spreadsheet", "presentation"})
"""Google's own types that text comes out of; the others (forms, drawings, sites ...) are links to applications."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A file that is not worth opening, with the state and the reason it gets instead."""

    file: FileRef
    state: FileState
    reason: str


@dataclass(frozen=True, slots=True)
class CrawlPlan:
    """The work that follows from a listing. `added`, `changed` and `retried` are to be indexed, in its order.

    `gone` are to be forgotten; `missing` are gone as well, so many of them that they are kept for now.
    """

    added: tuple[FileRef, ...] = ()
    changed: tuple[FileRef, ...] = ()
    retried: tuple[FileRef, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    unchanged: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def to_index(self) -> tuple[FileRef, ...]:
        """Every file to work on: new ones first, failures last."""
        return self.added + self.changed + self.retried


def plan_crawl(
    listing: Listing,
    known: Mapping[str, KnownFile],
    version: str,
    now: datetime,
    *,
    look_again: bool = False,
    confirmed: Collection[str] = (),
) -> CrawlPlan:
    """Compare a listing with the registry: of files that stand, nothing is known. `look_again` works on settled files
    too, whatever their revision says.

    Of roots whose ids are `confirmed`, any number of files may be gone.
    """
    added, changed, retried, set_aside, unchanged = [], [], [], [], list[str]()
    for file in listing.files.values():
        before = known.get(file.file_id)
        at_once = set_aside_at_once(file)
        if at_once is not None:
            if before is None or not is_settled(before, file, version, now):
                set_aside.append(at_once)
            else:
                unchanged.append(file.file_id)
        elif before is not None and waits_for_batch(before, file, version, now):
            unchanged.append(file.file_id)
        elif before is None or before.done_revision is None:
            added.append(file)
        elif _is_retry(before, file, version) and (look_again or is_due(before, now)):
            retried.append(file)
        elif look_again or not is_settled(before, file, version, now):
            changed.append(file)
        else:
            unchanged.append(file.file_id)
    gone, missing = _gone(listing, known, now, confirmed)
    return CrawlPlan(tuple(added), tuple(changed), tuple(retried), tuple(set_aside), tuple(unchanged), gone, missing)


def is_settled(known: KnownFile, file: FileRef, version: str, now: datetime) -> bool:
    """Whether nothing is left to do for a file: its state is of this revision and pipeline, and no retry is due."""
    if waits_for_batch(known, file, version, now):
        return True
    return _is_of(known, file, version) and not is_due(known, now)


def waits_for_batch(known: KnownFile, file: FileRef, version: str, now: datetime) -> bool:
    """Whether the model was asked about this revision in a batch that may still answer."""
    return (
        known.state == "pending"
        and known.next_try_at is not None
        and known.next_try_at > now
        and known.done_revision == file.revision
        and known.pipeline_version == version
    )


def next_try(attempts: int, now: datetime) -> datetime | None:
    """When to try again after that many failures in a row: 1, 4, 16 and 64 minutes later, then never."""
    if attempts >= MAX_ATTEMPTS:
        return None
    return now + FIRST_RETRY * int(4 ** max(0, attempts - 1))


def _is_of(known: KnownFile, file: FileRef, version: str) -> bool:
    return (
        known.state not in ("pending", "out_of_scope")
        and known.done_revision == file.revision
        and known.pipeline_version == version
    )


def _is_retry(known: KnownFile, file: FileRef, version: str) -> bool:
    return known.state in ("failed", "no_access") and _is_of(known, file, version)


def is_due(known: KnownFile, now: datetime) -> bool:
    """Whether the time of another try has come."""
    again = known.state in ("failed", "no_access", "indexed")
    return again and known.next_try_at is not None and known.next_try_at <= now


def set_aside_at_once(file: FileRef) -> SetAside | None:
    """How a file ends that is not even opened, else None: no text is expected in pictures, sound, film, archives and
    Google's forms; no optical recognition is done."""
    kind = file.mime_type.partition("/")[0]
    if kind in ("image", "audio", "video"):
        return SetAside(file, "skipped", kind)
    if file.mime_type in ARCHIVES:
        return SetAside(file, "skipped", "archive")
    if file.mime_type.startswith(GOOGLE_APPS) and file.mime_type.removeprefix(GOOGLE_APPS) not in GOOGLE_TEXTS:
        return SetAside(file, "skipped", f"google-{file.mime_type.removeprefix(GOOGLE_APPS).partition('.')[0]}")
    if file.mime_type == FOLDER_MIME_TYPE:
        return SetAside(file, "no_access", "folder-not-listed")
    return None


def _gone(
    listing: Listing, known: Mapping[str, KnownFile], now: datetime, confirmed: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that are no longer listed: those to be forgotten, and those that are kept for now."""
    if not listing.complete:
        return (), ()
    roots = {root.root_id for root in listing.roots}
    gone = {
        file_id: before
        for file_id, before in known.items()
        if file_id not in listing.files
        and before.file.root_id in roots
        and not any(folder.covers(before.file) for folder in listing.unlisted)
    }
    files = listing.standing + Counter(before.file.root_id for before in known.values())
    sizes = {root_id: RootSize(number) for root_id, number in files.items()}
    kept = kept_for_now(gone, sizes, now, listed=listing.sizes, confirmed=confirmed)
    return tuple(one for one in gone if one not in kept), tuple(one for one in gone if one in kept)
