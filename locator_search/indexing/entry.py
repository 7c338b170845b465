"""The index entry of one file: what is embedded, which words find it, and everything put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from locator_search.model import (
    SUMMARY_STATE,
    TEXT_STATE,
    Chunk,
    Extraction,
    FileRef,
    FileSummary,
    IndexedChunk,
    IndexEntry,
    JsonValue,
    StandIn,
    Terms,
)
from locator_search.ports import Embedder, NormalisedDocument
from locator_search.text.dates import period_in_name
from locator_search.text.terms import analyse

if TYPE_CHECKING:
    from locator_search.model import Vector


NO_METADATA: Mapping[str, JsonValue] = {}


def of_text(extraction: Extraction | NormalisedDocument) -> dict[str, JsonValue]:
    """What the index keeps of how a file was read: nothing where all is well."""
    return {} if extraction.state == "ok" else {TEXT_STATE: extraction.state}


def of_summary(*, stands_in: bool) -> dict[str, JsonValue]:
    """What the index keeps of who wrote the summary: nothing where it was the chosen model."""
    return {SUMMARY_STATE: "stand-in"} if stands_in else {}


@dataclass(frozen=True, slots=True)
class EmbeddedFile:
    """The embedding of a file as a whole, and its chunks with theirs."""

    embedding: Vector | None
    chunks: tuple[IndexedChunk, ...]


def file_text(summary: FileSummary, file_name: str) -> str:
    """What stands for the whole file in the embedding space: summary, keywords and name."""
    return "\n".join((summary.summary, " ".join(summary.keywords), file_name))


def analyse_chunks(chunks: Sequence[Chunk]) -> list[Terms]:
    """The keyword terms of each chunk."""
    return [analyse(chunk.text) for chunk in chunks]


def embed_file(
    file: FileRef,
    summary: FileSummary,
    chunks: Sequence[Chunk],
    terms: Sequence[Terms],
    kept: Mapping[str, Vector],
    embedder: Embedder,
) -> EmbeddedFile:
    """Embed the file and those chunks whose text has no kept embedding. Each chunk comes with its `terms`.

    Raises ModelError.
    """
    missing = list(dict.fromkeys(chunk.text for chunk in chunks if chunk.text not in kept))
    embeddings = embedder.embed([file_text(summary, file.file_name), *missing], "document")
    by_text = {**kept, **dict(zip(missing, embeddings[1:], strict=True))}
    indexed = (IndexedChunk(chunk, each, by_text[chunk.text]) for chunk, each in zip(chunks, terms, strict=True))
    return EmbeddedFile(embeddings[0], tuple(indexed))


def without_embeddings(chunks: Sequence[Chunk], terms: Sequence[Terms], kept: Mapping[str, Vector]) -> EmbeddedFile:
    """A file of which the model gave no embeddings: words find it, and those of its chunks that are known already."""
    indexed = (IndexedChunk(chunk, each, kept.get(chunk.text)) for chunk, each in zip(chunks, terms, strict=True))
    return EmbeddedFile(None, tuple(indexed))


def make_entry(
    file: FileRef,
    summary: FileSummary,
    embedded: EmbeddedFile,
    *,
    content_hash: str,
    parser_version: str,
    chunker_version: str,
    embedding_model: str,
    chat_model: str,
    metadata: Mapping[str, JsonValue] = NO_METADATA,
    summary_key: str | None = None,
    stand_in: StandIn | None = None,
) -> IndexEntry:
    """Everything the index keeps of a file."""
    return IndexEntry(
        file=file,
        content_hash=content_hash,
        parser_version=parser_version,
        chunker_version=chunker_version,
        summary=summary,
        embedding=embedded.embedding,
        embedding_model=embedding_model,
        chat_model=chat_model,
        chunks=embedded.chunks,
        name_terms=analyse(" ".join((*_names(file.file_name), *summary.keywords, file.folder_path))),
        document_period=period_in_name(file.file_name),
        metadata=metadata,
        summary_key=summary_key,
        stand_in=stand_in,
    )


def _names(file_name: str) -> tuple[str, ...]:
    """The name as people say it, with and without its suffix: `A-100.pdf` is document number A-100."""
    return tuple(dict.fromkeys((file_name, PurePath(file_name).stem)))
