"""Files as their source lists them, and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

FOLDER_MIME_TYPE = "inode/directory"
"""The type of a listed entry that stands for a folder whose files could not be listed."""

FileState = Literal["pending", "indexed", "skipped", "failed", "out_of_scope", "no_access"]
"""The state of a listed file. `pending`: listed, and not yet looked at in any revision."""


@dataclass(frozen=True, slots=True)
class FileRef:
    """Identity and metadata of one file at its source, without its content.

    `revision` is opaque and changes when the content, the name or the place may have changed; where it holds a `/`, the
    part before it changes with the content alone. `location` is what the source needs to read the file again (for a
    local file the path inside its root). `folder_path` is readable, with `/` between names, and begins with the name of
    the crawled folder. `parent_ids` are the folders it lies in, where the source gives them ids. `root_id` is the
    source root it belongs to. `last_editor` and `drive` (a shared one) are names; None where the source
    says none. `readers` are who may read it, in order: user:MAIL, group:MAIL, domain:NAME or anyone,
    those until a time as `core.reader.until` writes them; where permissions are not looked at, and where nobody may, it
    has none.
    """

    file_id: str
    file_name: str
    source: str
    mime_type: str
    modified_at: datetime
    revision: str
    link: str
    folder_path: str = ""
    location: str = ""
    size: int | None = None
    owner: str | None = None
    last_editor: str | None = None
    drive: str | None = None
    parent_ids: tuple[str, ...] = ()
    root_id: str = ""
    readers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileSummary:
    """A model's words about a file: a summary within the length asked for and one to five keywords."""

    summary: str
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open span of days: `start` belongs to it, `end` does not. `label` is how a person would say it."""

    start: date
    end: date
    label: str = ""


@dataclass(frozen=True, slots=True)
class CoverageCounts:
    """Listed files by state; the sums equal the listing."""

    listed: int
    by_state: Mapping[FileState, int]
    by_reason: Mapping[str, int]

    @property
    def complete(self) -> bool:
        """Whether every listed file is in exactly one state."""
        return sum(self.by_state.values()) == self.listed
