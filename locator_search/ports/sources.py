"""Where files live, and how their text is read and cut."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from locator_search.core.reader import access_key_of
from locator_search.model import Chunk, Document, Extraction, FileRef, SourceRoot, UnlistedFolder


class Sweep(Protocol):
    """One full listing."""

    @property
    def roots(self) -> Sequence[SourceRoot]:
        """The roots by the names they have now. To be asked after the last file."""
        ...

    @property
    def unlisted(self) -> Sequence[UnlistedFolder]:
        """Roots and folders that could not be looked into. To be asked after the last file."""
        ...

    def files(self) -> Iterator[FileRef]:
        """Every file in scope. Raises SourceError when the source stops answering as a whole."""
        ...


class GroupStore(Protocol):
    """The groups that lists of readers name, `group:` and a mail address, and who is in them."""

    def named(self) -> list[str]:
        """The groups that stand in the list of readers of a file."""
        ...

    def unknown(self) -> list[str]:
        """Those of them whose members are not known."""
        ...

    def keep(self, name: str, members: Sequence[str]) -> None:
        """A group has these members, as of now."""
        ...

    def forget(self, name: str) -> None:
        """Nobody can tell who is in a group."""
        ...

    def unread_files(self) -> int:
        """How many listed files nobody may read."""
        ...


class DocumentSource(Protocol):
    """A place where files live."""

    name: str

    @property
    def roots(self) -> Sequence[SourceRoot]:
        """The roots that are crawled, as the settings name them. Asks nothing."""
        ...

    def places(self) -> Mapping[str, str]:
        """Where roots lie on this machine, as the beginning of what used to be the locations of their files."""
        ...

    def sweep(self) -> Sweep:
        """A full listing, to be begun."""
        ...

    def read(self, file: FileRef, directory: Path) -> Path:
        """The content of a file as a path: its own, or a copy in `directory`. Raises FileGone or AccessDenied."""
        ...


def mark_of(
    root_id: str,
    revision: str,
    mime_type: str,
    folder_path: str,
    file_name: str,
    location: str,
    readers: tuple[str, ...],
) -> str:
    """All that a listing says of a file of some id and that may change without the rest, in one text. The registry
    makes the same of what it knows."""
    return f"{root_id}\n{revision}\n{mime_type}\n{folder_path}\n{file_name}\n{location}\n{access_key_of(readers)}"


class SweepBeside(Sweep, Protocol):
    """One full listing beside what is known. Its files are those that do not stand."""

    def by_folder(self) -> Iterator[Sequence[FileRef]]:
        """Its files, some at a time, and none at most steps. Raises as `files` does."""
        ...


@runtime_checkable
class SourceBeside(Protocol):
    """A source that tells by a mark (`mark_of`) whether a file is as it is known, before it makes anything of it."""

    def sweep_beside(self, differing: Callable[[str, Mapping[str, str]], Collection[str]]) -> SweepBeside:
        """A full listing, to be begun. `differing` is told a root and the marks of some of its files by id, each file
        once, and says which of them do not stand."""
        ...


class TextExtractor(Protocol):
    """Reads text out of a file. Never raises for bad content: the state of the result says what happened."""

    version: str

    def extract(
        self,
        path: Path,
        mime_type: str | None = None,
        *,
        begun: Callable[[], None] = lambda: None,
        guarded: bool = False,
    ) -> Extraction:
        """The text of one file, within limits of time and memory.

        `begun` is called when a worker process holds the file, before it is opened; what it raises ends the reading.
        `guarded` puts one more process between the worker and this one, for a file that may take its reader along.
        Raises ReadingInterrupted when no worker starts, or when one is ended from outside.
        """
        ...


class Chunker(Protocol):
    """Cuts a document into chunks."""

    version: str

    def chunk(self, document: Document) -> list[Chunk]:
        """Chunks in reading order; their spans cover every block with text."""
        ...
