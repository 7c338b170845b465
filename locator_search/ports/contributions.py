"""3GPP contributions: what they are, the archive they lie in, what converts them, and where they are kept.

A meeting (SA1#111) has contributions (S1-254001), a contribution has files in the archive (S1-254001.zip), a file
holds documents (S1-254001.docx). Everything shown or cited is a document.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

from locator_search.model import Chunk, Document, ExtractionState

ContributionState = Literal["listed", "archived", "normalised", "indexed", "skipped", "failed"]
"""How far a contribution has come, or that it is not taken further: `skipped` for good, `failed` until tried again."""

RequestKind = Literal["sync", "index"]
"""What may be asked for on a surface: list the newest meetings (target ""), or fetch and index a contribution."""

PageKind = Literal["exact", "word_marks", "rendition", "none"]
"""Where page numbers come from: the PDF itself; the marks Word left when it last laid the document out; a PDF made of
the document by LibreOffice. All but `exact` are estimates."""


def readable_name(path: str) -> str:
    """The last part of a path. FTP servers send bytes, which we take for Latin-1; most of them were UTF-8."""
    name = path.rsplit("/", 1)[-1]
    try:
        return name.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return name


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """One line of a folder's listing. `path` starts at the root of the archive, without a leading `/`, and is handed
    back to it letter by letter.

    `modified_at` is UTC where the archive says so, else the archive's own time taken as UTC. `raw` is the line itself.
    """

    path: str
    is_folder: bool
    size: int | None = None
    modified_at: datetime | None = None
    raw: str = ""

    @property
    def name(self) -> str:
        """The last part of the path, for people."""
        return readable_name(self.path)


class MeetingArchive(Protocol):
    """The place where meetings keep their contributions. Names in it are untrusted."""

    name: str
    """How it is shown to people, without credentials."""
    start: str
    """The folder whose subfolders are meetings, or the folder of one meeting."""

    def list_folder(self, path: str) -> list[ArchiveEntry]:
        """What a folder holds. Raises FileGone, AccessDenied, SourceUnavailable or SourceError."""
        ...

    def download(self, path: str, target: Path, size: int | None = None) -> None:
        """Write one file to `target`, which appears only when it is whole. A download that broke off goes on where it
        ended. `size` is what the listing said. Raises as `list_folder`, and UnreadableFile beyond the limit of size."""
        ...

    def close(self) -> None:
        """Close connections."""
        ...


@dataclass(frozen=True, slots=True)
class Meeting:
    """One meeting of a group. `meeting_id` is how people cite it (SA1#111); `folder` is where the archive keeps it."""

    meeting_id: str
    group: str
    folder: str
    name: str = ""
    synced_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Contribution:
    """One contribution of one meeting.

    `contribution_id` is unique over all meetings: meeting, `/` and number. `number` is the number with its revision as
    the archive has it (S1-254001, S1-254001r01). `title` to `revised_to` come from the meeting's TDoc list, and are
    empty where there is none; `details` are its other columns by name.
    """

    contribution_id: str
    meeting_id: str
    number: str
    title: str = ""
    source: str = ""
    agenda_item: str = ""
    kind: str = ""
    status: str = ""
    revision_of: str | None = None
    revised_to: str | None = None
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ContributionFile:
    """One file of a contribution in the archive, identified by its full path there.

    `stored_as` is the path of its body in the store of originals once it was downloaded, `sha256` its hash.
    """

    path: str
    contribution_id: str
    size: int | None = None
    modified_at: datetime | None = None
    stored_as: str | None = None
    sha256: str | None = None

    @property
    def name(self) -> str:
        """The last part of the path, for people."""
        return readable_name(self.path)


@dataclass(frozen=True, slots=True)
class NormalisedDocument:
    """One document of a contribution in the form everything after it works on.

    - `document_id`: the contribution's id, `/` and `source_file`.
    - `source_file`: the file in the archive, and in a ZIP `!` and the member: `S1-254001.zip!S1-254001.docx`.
    - `document`: the text as changed (kept and inserted); tracked changes are in its blocks.
    - `stored_as`: path of the normalised file (docx or pdf) in the store, None where there is only text.
    - `pages`: where `Block.page` comes from.
    - `state`, `reason`: as of the extraction; only `ok`, `partial` and mostly `suspicious` have text.
    - `converted`: whether LibreOffice made the docx out of a .doc.
    - `cover`: the fields of its cover page where it is a change request (`contributions.cover_page`).
    """

    document_id: str
    contribution_id: str
    meeting_id: str
    contribution_number: str
    source_file: str
    document: Document
    content_hash: str
    state: ExtractionState = "ok"
    reason: str = ""
    pages: PageKind = "none"
    stored_as: str | None = None
    converted: bool = False
    normaliser_version: str = ""
    cover: Mapping[str, str] = field(default_factory=dict)

    @property
    def readable(self) -> bool:
        """Whether there is text to cut, index and cite."""
        return self.state in ("ok", "partial") or (self.state == "suspicious" and bool(self.document.blocks))

    @property
    def file_name(self) -> str:
        """The name of the document itself, without file and folders around it."""
        return self.source_file.replace("!", "/").rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class DocumentState:
    """How the reading of one document went, without its text; fields as of NormalisedDocument."""

    contribution_id: str
    source_file: str
    state: ExtractionState
    reason: str = ""
    pages: PageKind = "none"
    converted: bool = False


@dataclass(frozen=True, slots=True)
class KnownContribution:
    """What the store knows of a contribution.

    `reason` of one that was skipped or failed is `code` or `code: what the program said`, as of files; a failure that
    was not foreseen has no code. `pipeline_version` is that of the index it is in; `chunk_count` counts its chunks
    there. `attempts` counts failures in a row. `cover` is the cover page of its first document that has one.
    """

    contribution: Contribution
    state: ContributionState
    reason: str = ""
    pipeline_version: str = ""
    chunk_count: int = 0
    attempts: int = 0
    updated_at: datetime | None = None
    cover: Mapping[str, str] = field(default_factory=dict)


class Converter(Protocol):
    """Turns office documents into other formats, in a process of its own."""

    @property
    def version(self) -> str:
        """Changes when the result may change; `none` where no converter is installed."""
        ...

    @property
    def available(self) -> bool:
        """Whether there is anything to convert with."""
        ...

    def convert(self, path: Path, to: Literal["docx", "pdf"], directory: Path) -> Path:
        """The converted file, in `directory`. Content decides what is accepted (Word, RTF), never the name.

        Raises UnsupportedFileType for anything else, UnreadableFile when it fails, takes too long or makes nothing.
        """
        ...


@dataclass(frozen=True, slots=True)
class PackageMember:
    """One document of a file: the file itself, or a member of a ZIP.

    `name` is as the ZIP has it, for people; `path` is where the body lies now, None where it could not be had, which
    `state` and `reason` explain.
    """

    name: str
    path: Path | None
    state: ExtractionState = "ok"
    reason: str = ""


class Unpacker(Protocol):
    """Takes files of the archive apart."""

    def unpack(self, path: Path, name: str, directory: Path) -> list[PackageMember]:
        """The documents of a file, bodies in `directory` under names of our own. Never raises for bad content."""
        ...


class ChunkingStrategy(Protocol):
    """Cuts a normalised document into chunks. Another `version` means other chunks: everything is cut anew."""

    @property
    def version(self) -> str:
        """Stored with every chunk."""
        ...

    def chunk(self, document: NormalisedDocument) -> list[Chunk]:
        """Chunks in reading order, with spans into `document.document.text`."""
        ...


class ContributionStore(Protocol):
    """Meetings, contributions, files and normalised documents (tables `contribution_*`)."""

    def record_meeting(
        self, meeting: Meeting, contributions: Sequence[Contribution], files: Sequence[ContributionFile]
    ) -> list[str]:
        """Enter or refresh a meeting with all its contributions and files in one transaction; what is no longer listed
        stays. Returns the ids of contributions that are new or of which a file changed: those are `listed` again."""
        ...

    def meetings(self) -> list[Meeting]:
        """All meetings, by id."""
        ...

    def contributions(
        self, meeting_id: str | None = None, contribution_ids: Iterable[str] | None = None
    ) -> list[KnownContribution]:
        """All contributions, those of one meeting, or those named; by meeting and number."""
        ...

    def files(self, contribution_id: str) -> list[ContributionFile]:
        """The files of a contribution, by path."""
        ...

    def record_body(self, file: ContributionFile) -> None:
        """Enter where the body of a file is kept, and its hash."""
        ...

    def replace_documents(self, contribution_id: str, documents: Sequence[NormalisedDocument]) -> list[str]:
        """These are the documents of a contribution now; returns the ids of those that are no more."""
        ...

    def documents(self, contribution_id: str) -> list[NormalisedDocument]:
        """The documents of a contribution, by id."""
        ...

    def document(self, document_id: str) -> NormalisedDocument | None:
        """One document, None where there is none."""
        ...

    def document_states(self, contribution_ids: Iterable[str]) -> list[DocumentState]:
        """How the documents of contributions were read, by contribution and file."""
        ...

    def set_state(
        self,
        contribution_id: str,
        state: ContributionState,
        *,
        reason: str = "",
        pipeline_version: str = "",
        chunk_count: int = 0,
    ) -> None:
        """Say what became of a contribution; failures count one more attempt, anything else resets the count."""
        ...


class ContributionRequests(Protocol):
    """What people asked for on a surface that fetches and converts nothing itself; the sensor turns it into runs."""

    def add(self, kind: RequestKind, targets: Iterable[str]) -> None:
        """Ask for something; what is asked for already stays as it is."""
        ...

    def waiting(self, kind: RequestKind) -> list[str]:
        """What is asked for and not settled, oldest first."""
        ...

    def settle(self, kind: RequestKind, targets: Iterable[str]) -> None:
        """It was done, or it could not be done: either way nobody need ask again."""
        ...
