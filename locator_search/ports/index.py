"""The searchable index and the care of its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Protocol

from locator_search.model import ChunkHit, FileRef, IndexEntry, JsonValue, Retrieval, RetrievalQuery

if TYPE_CHECKING:
    from locator_search.model import Vector


class IndexStore(Protocol):
    """The searchable index."""

    def replace(self, entry: IndexEntry, pipeline_version: str) -> None:
        """Write one file with chunks, terms, embeddings and its state `indexed` in one transaction.

        Raises DimensionMismatch when the index holds vectors of another model or dimension.
        """
        ...

    def replace_many(self, entries: Sequence[IndexEntry], pipeline_version: str) -> None:
        """Several files in one transaction; of entries with the same file id the last counts."""
        ...

    def refresh(self, file: FileRef, content_hash: str) -> bool:
        """Enter another revision, date, size, owner, link and location of a file whose content, name, type and folder
        are those of the index, and settle it at that revision; returns whether that was so."""
        ...

    def chunk_embeddings(self, content_hash: str, embedding_model: str) -> dict[str, Vector]:
        """The embeddings kept for chunks of that content under any file, by chunk text: a copy takes them over."""
        ...

    def refuse_another_model(self, embedding_model: str, dimensions: int) -> None:
        """Raise DimensionMismatch when the index holds vectors of another model or dimension."""
        ...

    def delete(self, file_ids: Sequence[str]) -> int:
        """Remove files with everything kept of them, their registry rows too; returns how many were there."""
        ...

    def retrieve(self, query: RetrievalQuery, query_embedding: Vector | None) -> Retrieval:
        """Hybrid, vector or keyword retrieval. Counts are exact. `query_embedding` is None in keyword mode."""
        ...


NO_METADATA: Mapping[str, JsonValue] = MappingProxyType({})


class ChunkSearch(Protocol):
    """Chunks by one arm alone, unfused and uncalibrated, for programs that do the rest themselves.

    Only files whose metadata contains `metadata` are searched: every given key with that value, objects within it
    likewise, and lists with at least those members.
    """

    def nearest_chunks(
        self, embedding: Vector, k: int, metadata: Mapping[str, JsonValue] = NO_METADATA
    ) -> list[ChunkHit]:
        """The `k` chunks with the highest cosine to a unit vector, best first. Raises DimensionMismatch."""
        ...

    def matching_chunks(self, text: str, k: int, metadata: Mapping[str, JsonValue] = NO_METADATA) -> list[ChunkHit]:
        """At most `k` chunks that hold a term of the text, by BM25, best first."""
        ...


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """What is wrong with the index, in figures that are 0, and what it is made of, in values that are one at most."""

    rows: int
    files_without_row: int
    rows_without_file: int
    vectors_not_unit: int
    dimensions: tuple[int, ...]
    embedding_models: tuple[str, ...]


class IndexInspector(Protocol):
    """Looks for damage in the index."""

    def inspect(self) -> IndexHealth:
        """One look at all rows and chunks."""
        ...


VectorGraph = Literal["not needed", "missing", "built"]
"""The index over vectors that a large collection is searched by; a small one is searched as fast without."""


@dataclass(frozen=True, slots=True)
class SchemaStatus:
    """The tables of the store: migrations applied and pending, rows by table (empty while some are pending)."""

    embedded: bool
    server_version: str
    size_bytes: int
    applied: tuple[str, ...]
    pending: tuple[str, ...]
    rows: Mapping[str, int]
    embedding_model: str | None
    vector_graph: VectorGraph = "not needed"


@dataclass(frozen=True, slots=True)
class BackupReport:
    """A backup that was written or restored: its size in bytes, and the files of the home in it."""

    file: Path
    bytes: int
    files: tuple[str, ...]
    with_secrets: bool


class Backup(Protocol):
    """Saves the whole index to one file, and restores it. Raises StoreError and ConfigurationError."""

    def save(self, file: Path, *, with_secrets: bool = False) -> BackupReport:
        """Write a backup while crawls and searches go on."""
        ...

    def restore(self, file: Path, *, replace: bool = False) -> BackupReport:
        """Make the index what the backup holds, as a whole or not at all; over one that is not empty with `replace`."""
        ...


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many remembered texts, answers and embeddings were deleted."""

    texts: int = 0
    answers: int = 0
    embeddings: int = 0


class StoreUpkeep(Protocol):
    """Looks after the tables themselves."""

    def forget_unused(self, now: datetime, after: timedelta) -> Forgotten:
        """Delete what is remembered of files that are gone, or may no longer be read, when it has not been needed for
        that long; 0: at once. What another file needs stays."""
        ...

    def last_run(self, name: str) -> datetime | None:
        """When work that is done now and then was done last."""
        ...

    def note_run(self, name: str, now: datetime) -> None:
        """It is done now."""
        ...

    def apply(self) -> list[str]:
        """Apply the migrations that are missing and return their names. Raises SchemaOutOfDate."""
        ...

    def schema(self) -> SchemaStatus:
        """The tables as they are, without changing them."""
        ...

    def build_vector_graph(self) -> VectorGraph:
        """Build the graph of neighbours that a large index is searched by, where it is missing; hinders nobody."""
        ...

    def clear_index_of_other_model(self, embedding_model: str, *, force: bool = False) -> int:
        """Empty an index made with another model, so that the next crawl rebuilds it; returns how many files it held,
        0 when it belongs to `embedding_model` already. With `force` in that case too: the embeddings of that model and
        their length are forgotten, and paid again."""
        ...
