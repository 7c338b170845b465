"""The searchable index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from locator_search.model import FileRef, IndexEntry, Retrieval, RetrievalQuery, SearchFilters

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

    def count_among(self, file_ids: Sequence[str], filters: SearchFilters) -> int:
        """How many documents those of these files are that pass."""
        ...

    def retrieve(self, query: RetrievalQuery, query_embedding: Vector | None) -> Retrieval:
        """Hybrid, vector or keyword retrieval of files or of chunks. Counts are exact. `query_embedding` is None in
        keyword mode."""
        ...
