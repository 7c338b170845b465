"""The index entry of one file: what is embedded, which words find it, and everything put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING

from locator_search.core.computing import COMPUTING
from locator_search.core.errors import BadModelOutput, LocatorError, ModelUnavailable
from locator_search.indexing.memo import MemoisedEmbedder
from locator_search.indexing.model_outages import CircuitBreaker, after_refusal, is_about_one_file, unavailable
from locator_search.model import (
    ANCHORS,
    SUMMARY_STATE,
    TEXT_STATE,
    Chunk,
    Document,
    Extraction,
    FileRef,
    FileSummary,
    IndexedChunk,
    IndexEntry,
    JsonValue,
    StandIn,
    Terms,
)
from locator_search.ports import Clock, Embedder, NormalisedDocument
from locator_search.text.dates.files import period_of_file
from locator_search.text.file_types import GOOGLE_DOC, TABLES
from locator_search.text.terms import analyse

if TYPE_CHECKING:
    from locator_search.model import Vector


ENTRY_VERSION = "4"
"""The version of the way an index entry is put together; a new one indexes every file anew."""
MOST_ANCHORS = 1_000
"""Headings of one document whose ids are kept."""
NO_METADATA: Mapping[str, JsonValue] = {}


def of_text(extraction: Extraction | NormalisedDocument) -> dict[str, JsonValue]:
    """Metadata about the reading of a file: nothing where all is well."""
    return {} if extraction.state == "ok" else {TEXT_STATE: extraction.state}


def of_headings(file: FileRef, document: Document) -> dict[str, JsonValue]:
    """Metadata about the headings of a Google Doc: their ids by their texts, where a text occurs once. An uploaded Word
    file may bring ids along, but opens in a viewer that knows none."""
    if file.mime_type != GOOGLE_DOC:
        return {}
    headings = [block for block in document.blocks if block.kind == "heading"]
    once = Counter(block.text for block in headings)
    anchors: dict[str, JsonValue] = {
        block.text: block.anchor for block in headings if block.anchor and once[block.text] == 1
    }
    return {ANCHORS: dict(islice(anchors.items(), MOST_ANCHORS))} if anchors else {}


def of_summary(*, stands_in: bool) -> dict[str, JsonValue]:
    """Metadata about the writer of the summary: nothing where it was the chosen model."""
    return {SUMMARY_STATE: "stand-in"} if stands_in else {}


@dataclass(frozen=True, slots=True)
class EmbeddedFile:
    """The embedding of a file as a whole, and its chunks with theirs.

    With `stand_in` the model gave none: words find the file, and `problem` says in a sentence why.
    """

    embedding: Vector | None
    chunks: tuple[IndexedChunk, ...]
    problem: str = ""
    stand_in: StandIn | None = None


def file_text(summary: FileSummary, file_name: str) -> str:
    """The text that is embedded for the whole file: summary, keywords and name."""
    return "\n".join((summary.summary, " ".join(summary.keywords), file_name))


def analyse_chunks(chunks: Sequence[Chunk]) -> list[Terms]:
    """The keyword terms of each chunk."""
    with COMPUTING:
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


class FileEmbedder:
    """Never costs a file: where the model gives no embeddings, words find it, and chunks that are known already."""

    def __init__(self, embedder: Embedder, clock: Clock) -> None:
        self._embedder = embedder
        self._clock = clock
        self._breaker = CircuitBreaker(clock)

    @property
    def is_out(self) -> bool:
        """Whether the model is not asked at present, because it kept failing."""
        return self._breaker.is_open

    def embed(
        self,
        file: FileRef,
        summary: FileSummary,
        chunks: Sequence[Chunk],
        terms: Sequence[Terms],
        kept: Mapping[str, Vector],
        attempts: int,
    ) -> EmbeddedFile:
        """As `embed_file`. `attempts`: vain ones so far. Raises BudgetExhausted, ConfigurationError and StoreError."""
        try:
            return self._breaker.ask(lambda: embed_file(file, summary, chunks, terms, kept, self._embedder))
        except (LocatorError, UnicodeError) as error:
            if isinstance(error, LocatorError) and not is_about_one_file(error):
                raise
            known = (IndexedChunk(chunk, each, kept.get(chunk.text)) for chunk, each in zip(chunks, terms, strict=True))
            return EmbeddedFile(None, tuple(known), str(error), self._ask_later(attempts, error))

    def without_asking(
        self,
        file: FileRef,
        summary: FileSummary,
        chunks: Sequence[Chunk],
        terms: Sequence[Terms],
        kept: Mapping[str, Vector],
    ) -> EmbeddedFile:
        """The embeddings that are kept or remembered. Where one is missing, words find the file until another pass,
        which is due at once, has asked the model. One that remembers nothing computes faster than that."""
        if not isinstance(self._embedder, MemoisedEmbedder):
            return embed_file(file, summary, chunks, terms, kept, self._embedder)
        whole = file_text(summary, file.file_name)
        missing = [whole, *(chunk.text for chunk in chunks if chunk.text not in kept)]
        known = {**kept, **self._embedder.recall(missing, "document")}
        indexed = (IndexedChunk(chunk, each, known.get(chunk.text)) for chunk, each in zip(chunks, terms, strict=True))
        is_complete = all(text in known for text in missing)
        waits = None if is_complete else StandIn("unavailable", 0, self._clock.now())
        return EmbeddedFile(known[whole] if is_complete else None, tuple(indexed), stand_in=waits)

    def _ask_later(self, attempts: int, error: Exception) -> StandIn:
        """A wrong answer of an embedding model is no fault of the file; a refused request may be."""
        now = self._clock.now()
        if isinstance(error, ModelUnavailable | BadModelOutput):
            return unavailable(attempts, now)
        return StandIn("refused", attempts + 1, after_refusal(attempts + 1, now))


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
    text_key: str | None = None,
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
        name_terms=terms_of_name(file.file_name, *summary.keywords, file.folder_path),
        document_period=period_of_file(file.file_name, file.folder_path, _beginning(file, embedded.chunks)),
        metadata=metadata,
        summary_key=summary_key,
        stand_in=stand_in,
        text_key=text_key,
    )


def _beginning(file: FileRef, chunks: Sequence[IndexedChunk]) -> str:
    """The text in which a file may say what time it is of; rows of a table are about anything."""
    return "" if file.mime_type in TABLES or not chunks else chunks[0].chunk.text


def terms_of_name(file_name: str, *beside: str) -> Terms:
    """The terms of a name as people say it, with and without its suffix (`A-100.pdf` is document number A-100), and of
    what stands beside it: keywords, folder."""
    names = dict.fromkeys((file_name, PurePath(file_name).stem))
    return analyse(" ".join((*names, *beside)))
