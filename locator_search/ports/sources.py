"""Where files live, and how their text is read and cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from locator_search.model import Chunk, Document, Extraction, FileRef


class DocumentSource(Protocol):
    """A place where files live."""

    name: str

    def list_files(self) -> Iterator[FileRef]:
        """Every file in scope. Raises SourceError before the first file when a target folder cannot be listed."""
        ...

    def read(self, file: FileRef, directory: Path) -> Path:
        """The content of a file as a path: its own, or a copy in `directory`. Raises FileGone or AccessDenied."""
        ...


class TextExtractor(Protocol):
    """Reads text out of a file. Never raises for bad content: the state of the result says what happened."""

    version: str

    def extract(self, path: Path, mime_type: str | None = None) -> Extraction:
        """The text of one file, within limits of time and memory."""
        ...


class Chunker(Protocol):
    """Cuts a document into chunks."""

    version: str

    def chunk(self, document: Document) -> list[Chunk]:
        """Chunks in reading order; their spans cover every block with text."""
        ...
