"""The two stores of a ledger. Documents are visible in both from one moment on, and gone from both at one moment.

The catalogue in PostgreSQL decides: it holds documents, chunks, keyword terms and embeddings. A vector store outside it
(Chroma, FAISS) is filled before the catalogue commits and emptied afterwards; what it holds beyond the catalogue is
not shown, and swept away when the ledger is opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from locator_search.core.errors import UnreadableFile
from locator_search.finderledge.loader import LoadedDocument
from locator_search.model import FileSummary, IndexedChunk, IndexEntry, JsonValue
from locator_search.ports.ledger import ChunkVectors, LedgerCatalogue, LedgerView, vector_key
from locator_search.text.cutting import truncate_at_sentence
from locator_search.text.terms import analyse

if TYPE_CHECKING:
    from locator_search.model import Chunk, Vector
    from locator_search.ports import Chunker, Embedder

NO_CHAT_MODEL = "none"
SUMMARY_LENGTH = 200
COPIED_AT_ONCE = 1_000
Filter = Mapping[str, JsonValue]


class VectorDocumentStore:
    """Splits documents, embeds their chunks, and finds the nearest. `outside` is Chroma or FAISS, None for pgvector."""

    def __init__(self, embeddings: Embedder, outside: ChunkVectors | None) -> None:
        self.embeddings = embeddings
        self._outside = outside

    @property
    def in_catalogue(self) -> bool:
        """Whether the catalogue holds the only copy of the vectors (pgvector)."""
        return self._outside is None

    def prepare(self, document: LoadedDocument, splitter: Chunker) -> IndexEntry:
        """A document with its chunks, terms and embeddings. Raises ExtractionError where it has no text, ModelError."""
        content = document.read()
        chunks = [chunk for chunk in splitter.chunk(content) if chunk.text.strip()]
        if not chunks:
            raise UnreadableFile(f"{document.file.file_name} holds no text.")
        texts = [f"{document.title}\n{chunk.text}".strip() for chunk in chunks]
        vectors = self.embeddings.embed(texts, "document")
        return IndexEntry(
            file=document.file,
            content_hash=version_of(document, splitter),
            parser_version="",
            chunker_version=splitter.version,
            summary=FileSummary(truncate_at_sentence(content.text.strip(), SUMMARY_LENGTH), ()),
            embedding=_middle(vectors),
            embedding_model=self.embeddings.model_name,
            chat_model=NO_CHAT_MODEL,
            chunks=tuple(_indexed(*each) for each in zip(chunks, texts, vectors, strict=True)),
            name_terms=analyse(document.file.file_name),
            metadata=document.metadata,
        )

    def add_documents(self, entries: Sequence[IndexEntry]) -> None:
        """Keep the vectors; nobody sees them before the catalogue holds their chunks."""
        if self._outside is not None:
            self._outside.add({key: vector for entry in entries for key, vector in _vectors(entry)})

    def forget(self, keys: Sequence[str]) -> None:
        """Drop vectors whose chunks the catalogue no longer holds."""
        if self._outside is not None and keys:
            self._outside.remove(keys)

    def embed_query(self, query: str) -> Vector:
        """The vector of a query. Raises ModelError."""
        vector: Vector = self.embeddings.embed([query], "query")[0]
        return vector

    def get_relevant_documents(self, view: LedgerView, embedding: Vector, k: int, metadata: Filter) -> dict[str, float]:
        """The ids of the `k` chunks nearest to a vector with their cosines, best first, of documents with that
        metadata."""
        if self._outside is None:
            return view.by_vectors(embedding, k, metadata)
        among = view.vector_keys(metadata=metadata) if metadata else None
        asked = k
        while True:
            found = self._outside.nearest(embedding, asked, among)
            ids = view.chunk_ids([key for key, _ in found])
            if len(ids) >= k or len(found) < asked:
                return dict([(ids[key], cosine) for key, cosine in found if key in ids][:k])
            asked *= 2  # some hits belong to documents that are being written, or were never committed

    def match(self, catalogue: LedgerCatalogue) -> None:
        """Bring a store outside the catalogue in line with it: sweep what it has beyond, copy what it lacks."""
        if self._outside is None:
            return
        with catalogue.view() as view:
            wanted, kept = set(view.vector_keys()), self._outside.keys()
            missing = sorted(wanted - kept)
            for start in range(0, len(missing), COPIED_AT_ONCE):
                self._outside.add(view.vectors(missing[start : start + COPIED_AT_ONCE]))
            self.forget(sorted(kept - wanted))

    def close(self) -> None:
        """Free what was opened."""
        if self._outside is not None:
            self._outside.close()


class BM25DocumentStore:
    """Documents, chunks and keyword terms: the catalogue. What it commits is found by words and by vectors."""

    def __init__(self, catalogue: LedgerCatalogue) -> None:
        self._catalogue = catalogue

    def add_documents(self, entries: Sequence[IndexEntry]) -> None:
        """Commit documents, in the place of their former versions. Raises StoreError."""
        self._catalogue.put(entries)

    def remove_documents(self, document_ids: Sequence[str]) -> int:
        """Remove documents with everything kept of them; returns how many were there."""
        return self._catalogue.remove(document_ids)

    def get_relevant_documents(self, view: LedgerView, query: str, k: int, metadata: Filter) -> dict[str, float]:
        """The ids of at most `k` chunks that hold words of a query, with their BM25 scores, best first, of documents
        with that metadata."""
        return view.by_words(query, k, metadata)


def version_of(document: LoadedDocument, splitter: Chunker) -> str:
    """The content hash under which a document is kept: of its own version and of the way it is split."""
    return hashlib.sha256(f"{document.version} {splitter.version}".encode()).hexdigest()


def _indexed(chunk: Chunk, text: str, vector: Vector) -> IndexedChunk:
    return IndexedChunk(chunk, analyse(text), vector)


def _middle(vectors: Vector) -> Vector:
    """The vector of a whole document: the direction its chunks have in common."""
    middle = vectors.mean(axis=0)
    length = float(np.linalg.norm(middle))
    unit: Vector = middle / np.float32(length) if length > 1e-6 else vectors[0]
    return unit


def _vectors(entry: IndexEntry) -> Iterator[tuple[str, Vector]]:
    for indexed in entry.chunks:
        if indexed.embedding is not None:
            yield vector_key(f"{entry.file.file_id}#{indexed.chunk.ordinal}", entry.content_hash), indexed.embedding
