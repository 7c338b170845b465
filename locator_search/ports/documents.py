"""The text of indexed files, read out of the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from locator_search.model import Chunk, Evidence

if TYPE_CHECKING:
    from locator_search.model import Vector


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """Some chunks of one file in reading order. `number` counts from 1 to `count`; a part may hold no chunk.

    `file` names the file as a whole: it carries no text, and its similarity is 1, because it was asked for by its id.
    """

    file: Evidence
    chunks: tuple[Chunk, ...]
    number: int
    count: int


class DocumentReader(Protocol):
    """Reads what the index keeps of a file. Never opens the file itself."""

    def part(self, file_id: str, number: int, length: int) -> DocumentPart | None:
        """The chunks that begin in the `number`-th stretch of `length` characters; None for a file not in the index.

        Every chunk is in exactly one part. Beyond the last part there are no chunks.
        """
        ...

    def embedding(self, file_id: str) -> Vector | None:
        """The embedding of a file as a whole, of the embedding model of the index; None for a file not in the index and
        for one without an embedding."""
        ...

    def named(self, file_name: str, most: int) -> list[str]:
        """The ids of the files of exactly this name, at most so many."""
        ...

    def names(self, most: int) -> list[tuple[str, str, str | None]]:
        """File id, name and owner of listed files, newest first; whether they may be shown, `readable` says."""
        ...

    def readable(self, file_ids: Sequence[str]) -> set[str]:
        """Those of the listed files that whoever asks may read."""
        ...
