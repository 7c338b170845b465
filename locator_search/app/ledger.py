"""The parts that only FinderLedge needs, put together: catalogue, vector stores outside it, files on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from locator_search.adapters.local_files.names import path_of
from locator_search.adapters.local_files.source import LocalFolderSource, file_at

if TYPE_CHECKING:
    from locator_search.adapters.postgres import Database
    from locator_search.config.settings import Settings
    from locator_search.model import FileRef
    from locator_search.ports.ledger import ChunkVectors, LedgerCatalogue

LANGSMITH_SWITCHES = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGCHAIN_TRACING")


def langsmith_records() -> bool:
    """Whether LangSmith, which comes with LangChain, was told to send away what passes through LangChain."""
    return any(os.environ.get(name, "").strip().lower() in ("true", "1") for name in LANGSMITH_SWITCHES)


def ledger_catalogue(database: Database) -> LedgerCatalogue:
    """The catalogue of the collection in a database's schema."""
    from locator_search.adapters.ledger_stores.catalogue import PostgresLedgerCatalogue

    return PostgresLedgerCatalogue(database)


def chunk_vectors(provider: str, folder: Path, dimensions: int) -> ChunkVectors | None:
    """The vector store outside the catalogue; None for pgvector. Raises ConfigurationError without its package."""
    if provider == "chroma":
        from locator_search.adapters.ledger_stores.chroma_vectors import ChromaVectors

        return ChromaVectors(folder / "chroma")
    if provider == "faiss":
        from locator_search.adapters.ledger_stores.faiss_vectors import FaissVectors

        return FaissVectors(folder / "faiss", dimensions)
    return None


def local_files(folder: Path, settings: Settings) -> Iterator[FileRef]:
    """Every file below a folder, without what the product writes itself. Raises SourceError."""
    return LocalFolderSource([folder], home=settings.home).list_files()


def local_file(path: Path) -> FileRef:
    """One file, under the id it has in a listing of its folder. Raises SourceError."""
    return file_at(path)


def local_path(file: FileRef) -> Path:
    """Where a local file lies."""
    return Path(path_of(file.link))
