"""Meetings, their contributions, and the documents made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from locator_search.model import Document, ExtractionState
from locator_search.ports.contributions.archive import readable_name

ContributionState = Literal["listed", "archived", "normalised", "indexed", "skipped", "failed"]
"""How far a contribution has come, or that it is not taken further: `skipped` for good, `failed` until tried again."""

PageKind = Literal["exact", "word_marks", "rendition", "none"]
"""Where page numbers come from: the PDF itself; the marks Word left when it last laid the document out; a PDF made of
the document by LibreOffice. Word's marks are estimates; of a rendition, each block says whether its page is one."""

KNOWN_PAGES = frozenset({"exact", "rendition"})
"""Where pages come from that are known, but for those that are marked one by one."""

CONVERTIBLE = frozenset({"application/msword", "application/rtf", "application/vnd.oasis.opendocument.text"})
"""Types that become .docx through LibreOffice; a document that kept one was read without its tracked changes."""


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
    """A contribution as the store knows it.

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
