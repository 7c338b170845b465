"""How documents of meetings are cut into chunks."""

from __future__ import annotations

from typing import Protocol

from locator_search.model import Chunk
from locator_search.ports.contributions.documents import NormalisedDocument


class ChunkingStrategy(Protocol):
    """Cuts a normalised document into chunks. Another `version` means other chunks: everything is cut anew."""

    @property
    def version(self) -> str:
        """Stored with every chunk."""
        ...

    def chunk(self, document: NormalisedDocument) -> list[Chunk]:
        """Chunks in reading order, with spans into `document.document.text`."""
        ...
