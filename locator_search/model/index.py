"""What is written into the index, and what comes back chunk by chunk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from locator_search.model.files import FileRef, FileSummary, Period
from locator_search.model.texts import Chunk, Terms
from locator_search.model.values import JsonValue, Vector


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk ready for the index: its keyword terms and its embedding (float32, unit length)."""

    chunk: Chunk
    terms: Terms
    embedding: Vector


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """Everything the index keeps of one file; written in one transaction.

    `metadata` is what a program that fills the index of its own keeps beside a file, to filter and to find it again.
    """

    file: FileRef
    content_hash: str
    parser_version: str
    chunker_version: str
    summary: FileSummary
    embedding: Vector
    embedding_model: str
    chat_model: str
    chunks: tuple[IndexedChunk, ...]
    name_terms: Terms
    document_period: Period | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """One chunk that a search of one arm found. `metadata` is that of its file.

    `score`: the cosine (-1 to 1) or the BM25 score (above 0); higher is better. `matched_terms` are those of the text
    searched for that the chunk holds, without repeats; none where vectors were compared.
    """

    chunk_id: str
    file_id: str
    ordinal: int
    text: str
    metadata: Mapping[str, JsonValue]
    score: float
    matched_terms: tuple[str, ...] = ()
    page: int | None = None
    heading_path: tuple[str, ...] = ()
