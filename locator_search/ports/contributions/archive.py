"""Where meetings keep their contributions, and what makes one form of their documents."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

from locator_search.model import ExtractionState


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
        """The entries of a folder. Raises FileGone, AccessDenied, SourceUnavailable or SourceError."""
        ...

    def download(self, path: str, target: Path, size: int | None = None) -> None:
        """Write one file to `target`, which appears only when it is whole. A download that broke off goes on where it
        ended. `size` is what the listing said. Raises as `list_folder`, and UnreadableFile beyond the limit of size."""
        ...

    def close(self) -> None:
        """Close connections."""
        ...


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
