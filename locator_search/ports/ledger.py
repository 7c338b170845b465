"""The stores of FinderLedge: a catalogue of documents and chunks, and vectors outside it where that is chosen.

The catalogue is the truth. It holds every chunk with its terms and its embedding; a document is there as a whole or not
at all. A vector outside it has a key that names its chunk and the version of its document, so that one without a chunk
in the catalogue (a write that was cut off, a former version) is never shown, and can be swept away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from locator_search.model import ChunkHit, IndexEntry, JsonValue

if TYPE_CHECKING:
    from locator_search.model import Vector

VERSION_LENGTH = 16
"""Characters of a content hash that tell the versions of a document apart."""


@dataclass(frozen=True, slots=True)
class CataloguedDocument:
    """One document as it was added: its text, put together from its chunks, and its metadata."""

    document_id: str
    text: str
    metadata: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class LedgerCounts:
    """How much a catalogue holds."""

    documents: int
    chunks: int


NO_METADATA: Mapping[str, JsonValue] = MappingProxyType({})


class LedgerView(Protocol):
    """The catalogue at one moment: whatever is asked of one view belongs together.

    Only documents whose metadata passes the filter `metadata` are searched (`retrieval.metadata_filters`).
    """

    def by_vectors(
        self, embedding: Vector, k: int, metadata: Mapping[str, JsonValue] = NO_METADATA
    ) -> dict[str, float]:
        """The ids of the `k` chunks with the highest cosine to a unit vector, with it, best first."""
        ...

    def by_words(self, text: str, k: int, metadata: Mapping[str, JsonValue] = NO_METADATA) -> dict[str, float]:
        """The ids of at most `k` chunks that hold a term of the text, with their BM25 scores, best first."""
        ...

    def chunks(self, chunk_ids: Sequence[str], text: str = "") -> dict[str, ChunkHit]:
        """Chunks by their ids, each with the terms of a text that it holds."""
        ...

    def vector_keys(
        self, *, documents: Sequence[str] | None = None, metadata: Mapping[str, JsonValue] | None = None
    ) -> list[str]:
        """The keys of the vectors of all chunks, or of those of some documents."""
        ...

    def chunk_ids(self, vector_keys: Sequence[str]) -> dict[str, str]:
        """The ids of the chunks with these keys; keys that are not in the catalogue are left out."""
        ...

    def vectors(self, vector_keys: Sequence[str]) -> dict[str, Vector]:
        """The embeddings kept of them."""
        ...

    def documents(self, document_ids: Sequence[str]) -> list[CataloguedDocument]:
        """The documents with these ids, in this order; unknown ones are left out."""
        ...

    def versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        """The content hashes of the documents that are there."""
        ...

    def document_ids(self) -> list[str]:
        """Every document."""
        ...

    def count(self) -> LedgerCounts:
        """Documents and chunks."""
        ...


class LedgerCatalogue(Protocol):
    """All documents of one collection."""

    def open(self, embedding_model: str) -> None:
        """Make the tables where there are none. Raises DimensionMismatch when they belong to another model."""
        ...

    def view(self) -> AbstractContextManager[LedgerView]:
        """The catalogue as it is now, for as long as the block runs."""
        ...

    def put(self, entries: Sequence[IndexEntry]) -> None:
        """Add documents or put them in the place of their former versions: all at one moment."""
        ...

    def remove(self, document_ids: Sequence[str]) -> int:
        """Remove documents with all their chunks, at one moment; returns how many were there."""
        ...


class ChunkVectors(Protocol):
    """Vectors by key in a store outside the catalogue. Nothing else is kept there. What was added outlives the process.

    Thread-safe within a process.
    """

    def add(self, vectors: Mapping[str, Vector]) -> None:
        """Add unit vectors; a key that is there already keeps its vector or gets the new one."""
        ...

    def remove(self, keys: Sequence[str]) -> None:
        """Remove vectors; unknown keys are ignored."""
        ...

    def nearest(self, vector: Vector, k: int, among: Sequence[str] | None = None) -> list[tuple[str, float]]:
        """The `k` keys (of these ones alone, where given) with the highest cosine to a unit vector, best first."""
        ...

    def keys(self) -> set[str]:
        """Every key."""
        ...

    def close(self) -> None:
        """Free what was opened."""
        ...


def vector_key(chunk_id: str, content_hash: str) -> str:
    """The key of the vector of one chunk of one version of a document."""
    return f"{chunk_id}@{content_hash[:VERSION_LENGTH]}"
