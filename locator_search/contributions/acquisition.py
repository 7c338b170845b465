"""Meetings and their contributions out of an archive: names, sizes and times first, bodies when they are needed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from locator_search.contributions.numbers import ContributionNumber, contribution_number, meeting_id_of, meeting_name
from locator_search.contributions.tdoc_list import listed_contributions, with_listing
from locator_search.core.errors import ConfigurationError, LocatorError, SourceError, SourceUnavailable
from locator_search.core.temporary import temporary_folder
from locator_search.indexing.reading import content_of
from locator_search.ports import (
    ArchiveEntry,
    Clock,
    Contribution,
    ContributionFile,
    ContributionStore,
    Meeting,
    MeetingArchive,
    TextExtractor,
)

_DOCUMENT_FOLDERS = ("docs", "tdocs", "documents")
_TDOC_LIST = re.compile(r"tdoc.?list|^tdocs?[ _]by", re.IGNORECASE)
_UNSAFE = re.compile(r"[^\w.#-]+")
_LONGEST_NAME = 100
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


class ArchiveUnavailable(SourceUnavailable):
    """The archive as a whole does not answer: whatever is asked of it next would wait in vain."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """One meeting brought up to date.

    `changed` are the ids of contributions to work on; `others` counts files that are no contribution. `tdoc_list` is
    the name of the list that was read, `problem` why one could not be.
    """

    meeting: Meeting
    contributions: int
    files: int
    changed: tuple[str, ...]
    others: int
    tdoc_list: str | None = None
    problem: str = ""


def find_meetings(archive: MeetingArchive) -> list[Meeting]:
    """The meetings below the start folder, newest number last; or the one meeting it is. Raises SourceError."""
    found = [
        _meeting(entry.path) for entry in archive.list_folder(archive.start) if entry.is_folder and _is_meeting(entry)
    ]
    if not found and meeting_name(_last(archive.start)):
        found = [_meeting(archive.start)]
    if not found:
        raise SourceError(
            f"{archive.name}/{archive.start} holds no meeting.",
            hint="Let CONTRIBUTIONS_ARCHIVE_URL name a folder of meetings (TSGS1_111_..., SA1#111), or one of them.",
        )
    return sorted(found, key=_meeting_order)


def chosen_meetings(found: Sequence[Meeting], wanted: Collection[str], last: int) -> list[Meeting]:
    """The meetings that are named (SA1#111 or SA1-111, in any case), or the newest `last`.

    Raises ConfigurationError for one that the archive does not have.
    """
    if not wanted:
        return list(found[-last:])
    by_id = {meeting.meeting_id.casefold(): meeting for meeting in found}
    missing = [name for name in wanted if meeting_id_of(name).casefold() not in by_id]
    if missing:
        raise ConfigurationError(
            f"The archive has no meeting {', '.join(missing)}.",
            hint=f"It has {', '.join(meeting.meeting_id for meeting in found[-10:])}.",
        )
    return [by_id[meeting_id_of(name).casefold()] for name in wanted]


@dataclass(frozen=True, eq=False)
class Acquisition:
    """Lists meetings and fetches bodies. `folder` is where bodies are kept, below `original`."""

    archive: MeetingArchive
    store: ContributionStore
    extractor: TextExtractor
    clock: Clock
    folder: Path

    def sync(self, meeting: Meeting) -> SyncReport:
        """List a meeting and enter what it has. Fetches its TDoc list, and no contribution. Raises SourceError."""
        entries = self._entries(meeting)
        numbered = [(entry, number) for entry in entries if (number := contribution_number(entry.name)) is not None]
        lists = [entry for entry in entries if _is_tdoc_list(entry.name)]
        newest = max(lists, key=lambda entry: entry.modified_at or _BEFORE_ALL, default=None)
        listed, problem = self._read_list(newest, meeting) if newest else ({}, "")
        contributions = _contributions(meeting, (number for _, number in numbered), listed)
        files = [
            ContributionFile(entry.path, f"{meeting.meeting_id}/{number}", entry.size, entry.modified_at)
            for entry, number in numbered
        ]
        synced = replace(meeting, synced_at=self.clock.now())
        changed = self.store.record_meeting(synced, contributions, files)
        return SyncReport(
            meeting=synced,
            contributions=len(contributions),
            files=len(files),
            changed=tuple(changed),
            others=len(entries) - len(files) - len(lists),
            tdoc_list=newest.name if newest and not problem else None,
            problem=problem,
        )

    def fetch(self, contribution_id: str) -> list[ContributionFile]:
        """The files of a contribution with their bodies here, fetched where they are not yet.

        Raises SourceError for what is about this contribution, ArchiveUnavailable when nothing can be had.
        """
        try:
            return [self._fetched(file) for file in self.store.files(contribution_id)]
        except SourceUnavailable:
            self._make_sure_of_archive()
            raise

    def _make_sure_of_archive(self) -> None:
        try:
            self.archive.list_folder(self.archive.start)
        except SourceUnavailable as error:
            raise ArchiveUnavailable(error.message, error.hint) from None

    def _fetched(self, file: ContributionFile) -> ContributionFile:
        if file.stored_as and (self.folder / file.stored_as).is_file():
            return file
        stored_as = f"original/{_stored_name(file)}"
        target = self.folder / stored_as
        self.archive.download(file.path, target, file.size)
        fetched = replace(file, stored_as=stored_as, sha256=content_of(target).sha256)
        self.store.record_body(fetched)
        return fetched

    def _entries(self, meeting: Meeting) -> list[ArchiveEntry]:
        """The files beside the documents folder, and in it; where there is none, those of the meeting itself."""
        top = self.archive.list_folder(meeting.folder)
        folders = [entry for entry in top if entry.is_folder and entry.name.lower() in _DOCUMENT_FOLDERS]
        inside = [entry for folder in folders for entry in self.archive.list_folder(folder.path)]
        return [entry for entry in (*top, *inside) if not entry.is_folder]

    def _read_list(self, entry: ArchiveEntry, meeting: Meeting) -> tuple[dict[str, Contribution], str]:
        """The contributions of the list, or the problem with it: without it a meeting has only its files."""
        with temporary_folder() as directory:
            path = Path(directory) / "list.xlsx"
            try:
                self.archive.download(entry.path, path, entry.size)
                extraction = self.extractor.extract(path)
            except LocatorError as error:
                return {}, f"{entry.name}: {error.message}"
        if not extraction.readable:
            return {}, f"{entry.name}: {extraction.reason}"
        listed = listed_contributions(extraction.document, meeting.meeting_id)
        return listed, "" if listed else f"{entry.name} has no column of contribution numbers and titles."


def _contributions(
    meeting: Meeting, numbers: Iterable[ContributionNumber], listed: dict[str, Contribution]
) -> Sequence[Contribution]:
    """The contributions of the TDoc list, and those of which only files exist; a revision names the one it revises."""
    found = dict(listed)
    for number in numbers:
        contribution = Contribution(
            contribution_id=f"{meeting.meeting_id}/{number}",
            meeting_id=meeting.meeting_id,
            number=str(number),
            revision_of=_revised(number),
        )
        found[str(number)] = with_listing(contribution, listed, number.base)
    return list(found.values())


def _revised(number: ContributionNumber) -> str | None:
    if number.revision == 0:
        return None
    return str(number._replace(revision=number.revision - 1))


def _meeting(folder: str) -> Meeting:
    name = _last(folder)
    parsed = meeting_name(name)
    if parsed is None:
        raise SourceError(f"{name} is not named like a meeting.")
    return Meeting(str(parsed), parsed.group, folder, name)


def _is_meeting(entry: ArchiveEntry) -> bool:
    return meeting_name(entry.name) is not None


def _is_tdoc_list(name: str) -> bool:
    return _TDOC_LIST.search(name) is not None and name.lower().endswith((".xlsx", ".xls"))


def _meeting_order(meeting: Meeting) -> tuple[str, int, str]:
    digits = re.match(r"\d+", meeting.meeting_id.partition("#")[2])
    return meeting.group, int(digits[0]) if digits else 0, meeting.meeting_id


def _last(path: str) -> str:
    return PurePosixPath(path).name


def _stored_name(file: ContributionFile) -> str:
    """A name of our own: whatever the archive calls it, it stays in its folder, and two files stay two."""
    meeting = _UNSAFE.sub("_", file.contribution_id.partition("/")[0])
    stem, dot, suffix = _UNSAFE.sub("_", file.name).strip(".").rpartition(".")
    digest = hashlib.sha256(file.path.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{meeting}/{(stem or suffix)[:_LONGEST_NAME]}-{digest}{dot if stem else ''}{suffix[:10] if stem else ''}"
