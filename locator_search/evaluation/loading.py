"""A corpus into an index: chunked, analysed and embedded as files are, without any call of a chat model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

from locator_search.evaluation.dataset import CorpusDocument
from locator_search.indexing.entry import EmbeddedFile, analyse_chunks, make_entry
from locator_search.model import Block, Chunk, Document, FileRef, FileSummary, IndexedChunk, IndexEntry
from locator_search.ports import Chunker, Embedder, IndexStore

DOCUMENTS_AT_ONCE = 256
"""Documents per transaction and per request for embeddings."""

NO_SUMMARY = FileSummary(summary="", keywords=())
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def load_corpus(
    documents: Iterable[CorpusDocument],
    index: IndexStore,
    chunker: Chunker,
    embedder: Embedder,
    on_loaded: Callable[[int], None],
) -> int:
    """Write all documents to an index; returns how many. `on_loaded` hears how many are in after each batch.

    Without a summary, the beginning of a document stands for the whole of it in the embedding space.
    """
    count = 0
    for batch in _batches(documents):
        index.replace_many(_entries(batch, chunker, embedder), pipeline_version="evaluation")
        count += len(batch)
        on_loaded(count)
    return count


def _batches(documents: Iterable[CorpusDocument]) -> Iterator[list[CorpusDocument]]:
    stream = iter(documents)
    while batch := list(islice(stream, DOCUMENTS_AT_ONCE)):
        yield batch


def _entries(batch: Sequence[CorpusDocument], chunker: Chunker, embedder: Embedder) -> list[IndexEntry]:
    chunked = [chunker.chunk(_readable(document)) for document in batch]
    # A document without any text begins with its title, which may be empty, too.
    texts = [text for document, chunks in zip(batch, chunked, strict=True) for text in _texts(document, chunks)]
    vectors = iter(embedder.embed(texts, "document"))
    entries = []
    for document, chunks in zip(batch, chunked, strict=True):
        own = [next(vectors) for _ in _texts(document, chunks)]
        terms = analyse_chunks(chunks)
        indexed = (IndexedChunk(*each) for each in zip(chunks, terms, own, strict=False))
        embedded = EmbeddedFile(own[0], tuple(indexed))
        entries.append(_entry(document, embedded, chunker, embedder))
    return entries


def _texts(document: CorpusDocument, chunks: Sequence[Chunk]) -> list[str]:
    return [chunk.text for chunk in chunks] or [document.title]


def _readable(document: CorpusDocument) -> Document:
    heading = (Block("heading", document.title, level=1),) if document.title.strip() else ()
    return Document((*heading, Block("paragraph", document.text)), "text/plain")


def _entry(document: CorpusDocument, embedded: EmbeddedFile, chunker: Chunker, embedder: Embedder) -> IndexEntry:
    file = FileRef(
        file_id=document.id,
        file_name=document.title,
        source="evaluation",
        mime_type="text/plain",
        modified_at=LONG_AGO,
        revision="1",
        link="",
    )
    content = hashlib.sha256(f"{document.title}\n{document.text}".encode("utf-8", "replace")).hexdigest()
    return make_entry(
        file,
        NO_SUMMARY,
        embedded,
        content_hash=content,
        text_key=content,
        parser_version="evaluation",
        chunker_version=chunker.version,
        embedding_model=embedder.model_name,
        chat_model="none",
    )
