"""Files and index entries for tests: name only what the test is about."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from locator_search.model import Chunk, FileRef, FileSummary, IndexedChunk, IndexEntry, JsonValue, Period
from locator_search.text.terms import analyse

if TYPE_CHECKING:
    from locator_search.model import Vector

DIMENSIONS = 1536
MODEL = "model-of-the-tests"
NOON = datetime(2024, 9, 10, 12, 0, tzinfo=UTC)


def file_ref(
    file_id: str = "file-1",
    file_name: str = "報告書.txt",
    *,
    source: str = "local_folder",
    mime_type: str = "text/plain",
    modified_at: datetime = NOON,
    revision: str = "1",
    folder_path: str = "会社",
    size: int | None = 100,
    owner: str | None = None,
    root_id: str = "",
) -> FileRef:
    return FileRef(
        file_id=file_id,
        file_name=file_name,
        source=source,
        mime_type=mime_type,
        modified_at=modified_at,
        revision=revision,
        link=f"file:///{file_id}",
        folder_path=folder_path,
        location=f"/somewhere/{file_id}",
        size=size,
        owner=owner,
        root_id=root_id,
    )


def unit_vector(seed: str | int, dimensions: int = DIMENSIONS) -> Vector:
    """A random direction that depends on the seed alone; two of them are nearly at right angles."""
    number = int.from_bytes(hashlib.blake2b(str(seed).encode(), digest_size=8).digest(), "big")
    vector = np.random.default_rng(number).standard_normal(dimensions).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def vector_at(cosine: float, to: Vector, seed: str | int = "other") -> Vector:
    """A unit vector with this cosine to `to`."""
    other = unit_vector(seed, len(to))
    across = other - (other @ to) * to
    across /= np.linalg.norm(across)
    vector = cosine * to + np.sqrt(max(0.0, 1 - cosine**2)) * across
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def index_entry(
    file: FileRef | None = None,
    texts: Sequence[str] = ("本文",),
    *,
    embedding: Vector | None = None,
    chunk_embeddings: Sequence[Vector] | None = None,
    summary: str = "要約",
    keywords: tuple[str, ...] = ("キーワード",),
    period: Period | None = None,
    embedding_model: str = MODEL,
    content_hash: str | None = None,
    metadata: Mapping[str, JsonValue] | None = None,
    text_key: str | None = None,
) -> IndexEntry:
    """An entry whose chunks are `texts`; vectors are random directions unless given. Without a `text_key` it is a
    document of its own."""
    file = file or file_ref()
    vectors = chunk_embeddings or [unit_vector(f"{file.file_id} {number}") for number in range(len(texts))]
    return IndexEntry(
        file=file,
        content_hash=content_hash or hashlib.sha256("\n".join(texts).encode()).hexdigest(),
        parser_version="parser-1",
        chunker_version="chunker-1",
        summary=FileSummary(summary, keywords),
        embedding=embedding if embedding is not None else unit_vector(file.file_id),
        embedding_model=embedding_model,
        chat_model="offline-chat",
        chunks=tuple(
            IndexedChunk(Chunk(number, text, 0, len(text)), analyse(text), vector)
            for number, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ),
        name_terms=analyse(" ".join((file.file_name, *keywords, file.folder_path))),
        document_period=period,
        metadata=metadata or {},
        text_key=text_key,
    )
