"""A collection of documents: add them, remove them, search them, and hand the result to a language model."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from locator_search.app.ledger import chunk_vectors, ledger_catalogue
from locator_search.app.locator import Locator
from locator_search.core.errors import ConfigurationError
from locator_search.finderledge.configuration import folder_of, ledger_settings, schema_of
from locator_search.finderledge.context import joined_context
from locator_search.finderledge.documents import as_document, make_document, storable_text
from locator_search.finderledge.embeddings import EmbeddingModelFactory
from locator_search.finderledge.finder import Finder, Question, SearchMode
from locator_search.finderledge.loader import DocumentLoader, OnSkip, loaded_texts
from locator_search.finderledge.metrics import SearchMetrics
from locator_search.finderledge.notes import notes_on
from locator_search.finderledge.splitter import SentenceSplitter, WholeText
from locator_search.finderledge.stores import BM25DocumentStore, Filter, VectorDocumentStore
from locator_search.finderledge.tool import tool_schema
from locator_search.finderledge.writer import LedgerWriter

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from locator_search.finderledge.loader import Addable

logger = logging.getLogger(__name__)


class Collection:
    """Documents of one collection, searched by meaning and by words; `FinderLedge` says what its arguments mean."""

    def __init__(
        self,
        vector_store_provider: str | None = None,
        keyword_store_provider: str | None = None,
        embedding_provider: str | None = None,
        embedding_model_name: str | None = None,
        persist_directory: str | Path | None = None,
        chunk_size: int | None = None,
        chunk_overlap: int | None = None,
        *,
        collection: str | None = None,
        embeddings: object | None = None,
        **kwargs: Any,
    ) -> None:
        arguments = {
            "vector_store_provider": vector_store_provider,
            "keyword_store_provider": keyword_store_provider,
            "embedding_provider": embedding_provider,
            "embedding_model_name": embedding_model_name,
            "persist_directory": persist_directory,
            "chunk_size": chunk_size,
            "chunk_overlap": chunk_overlap,
            "collection": collection,
        }
        self.settings = ledger_settings(arguments, kwargs)
        self.splitter = SentenceSplitter(self.settings.finderledge_chunk_size, self.settings.finderledge_chunk_overlap)
        self._closed = False
        self._locator = Locator(self.settings, schema=schema_of(self.settings))
        try:
            self._open(embeddings)
        except BaseException:
            self._locator.close()
            raise
        self.notes = notes_on(self.settings, self.embeddings.model_name, arguments)
        for note in self.notes:
            logger.warning(note)

    def _open(self, embeddings: object | None) -> None:
        locator, settings = self._locator, self.settings
        self.embeddings = EmbeddingModelFactory.create_embeddings(locator, embeddings)
        outside = chunk_vectors(
            settings.finderledge_vector_store_provider, folder_of(settings), self.embeddings.dimensions
        )
        self._catalogue = ledger_catalogue(locator.database)
        self._catalogue.open(self.embeddings.model_name)
        self.vector_store = VectorDocumentStore(self.embeddings, outside)
        self.keyword_store = BM25DocumentStore(self._catalogue)
        self.finder = Finder(self._catalogue, self.vector_store, self.keyword_store, settings.locator_search_seconds)
        self.loader = DocumentLoader(locator)
        self._writer = LedgerWriter(
            self._catalogue, self.vector_store, self.keyword_store, lambda: locator.locks, schema_of(settings)
        )
        self._writer.match()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Free connections and worker processes; an embedded PostgreSQL stops with its last user."""
        if not self._closed:
            self._closed = True
            self.vector_store.close()
            self._locator.close()

    # Documents in and out

    def add_document(self, path_or_doc: Addable, *, on_skip: OnSkip | None = None) -> list[str]:
        """Add a file, every file below a folder, a Document, or a list of these; returns their (parent) ids.

        Adding the same again changes nothing and costs nothing; a changed file, or a Document with the same id, takes
        the place of its former version at one moment, in both stores. Documents without an id get one from their text
        and metadata. A file in a folder that cannot be read is left out, logged, and told to `on_skip(path, reason)`.

        Raises ConfigurationError for what cannot be added (nothing of a list is, then), SourceError and
        UnreadableFile for a file that was named, ModelError, StoreError.
        """
        self._require_open()
        return self._writer.put(self.loader.load(path_or_doc, on_skip), self.splitter, on_skip)

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: Sequence[Mapping[str, Any]] | None = None,
        ids: Sequence[str | None] | None = None,
        *,
        split: bool = True,
    ) -> list[str]:
        """Add texts as documents, with metadata and ids beside them; returns the ids. Without `split`, each is one
        chunk, however long. Raises as `add_document`."""
        self._require_open()
        return self._writer.put(loaded_texts(texts, metadatas, ids), self.splitter if split else WholeText(), None)

    def remove_document(self, doc_id: str) -> bool:
        """Remove a document with all its chunks from both stores at one moment; False when there was none."""
        return self.remove_documents([doc_id]) > 0

    def remove_documents(self, doc_ids: Sequence[str]) -> int:
        """Remove several documents at one moment; returns how many there were."""
        self._require_open()
        return self._writer.remove([storable_text(doc_id) for doc_id in doc_ids])

    def get_documents(self, doc_ids: Sequence[str]) -> list[Document]:
        """Whole documents by their ids, in this order, with the metadata they were added with; unknown ids are left
        out."""
        self._require_open()
        with self._catalogue.view() as view:
            kept = view.documents([storable_text(doc_id) for doc_id in doc_ids])
        return [make_document(document.text, dict(document.metadata), document.document_id) for document in kept]

    def document_ids(self) -> list[str]:
        """The ids of all documents."""
        self._require_open()
        with self._catalogue.view() as view:
            return view.document_ids()

    def status(self) -> dict[str, Any]:
        """How much the ledger holds, and what stands behind it."""
        self._require_open()
        with self._catalogue.view() as view:
            counts = view.count()
        return {
            "collection": self.settings.finderledge_collection,
            "documents": counts.documents,
            "chunks": counts.chunks,
            "embedding_model": self.embeddings.model_name,
            "vector_store": self.settings.finderledge_vector_store_provider,
            "keyword_store": "bm25",
            "notes": list(self.notes),
        }

    # Search

    def search(
        self,
        query: str,
        search_mode: SearchMode = "hybrid",
        top_k: int | None = None,
        k_vector: int | None = None,
        k_keyword: int | None = None,
        vector_filter: Filter | None = None,
        *,
        k: int | None = None,
        filter_keyword: bool = True,
        explain: bool = False,
    ) -> list[Document]:
        """The chunks that answer a query best, as Documents, best first; none for a blank query.

        At most `top_k` (or `k`, as LangChain says; 5), out of `k_vector` and `k_keyword` candidates of the two stores
        (by default four times as many, at least 20). `vector_filter` is metadata that a document must have, and holds
        for the keyword store too unless `filter_keyword` is False.

        The metadata of each is that of its document and `relevance_score` in [0, 1], `document_id`, `chunk_index`, and
        `page` and `heading_path` where known. The score of a hybrid search is the reciprocal rank fusion (k = 60) over
        its largest possible value, that of the first of both rankings; of a vector search, the cosine (negative: 0);
        of a keyword search, BM25 over that of the best chunk. `explain` adds rank and score in each store, the terms
        that matched, the raw fusion and the filter. Where the embedding model fails, a hybrid search is a keyword
        search, and `explain` has a `note` that says why.

        Raises ConfigurationError for arguments that make no sense, ModelError, StoreError.
        """
        self._require_open()
        found = self.finder.search(
            Question.asked(
                query,
                search_mode,
                top_k=top_k,
                k=k,
                k_vector=k_vector,
                k_keyword=k_keyword,
                vector_filter=vector_filter,
                filter_keyword=filter_keyword,
            )
        )
        return [as_document(chunk, explain=explain) for chunk in found]

    def explain(self, query: str, **search_arguments: Any) -> list[dict[str, Any]]:
        """Why `search` finds what it finds: for each result its `chunk_id`, `relevance_score` and reasons."""
        results = self.search(query, **search_arguments, explain=True)
        return [
            {
                "chunk_id": result.id,
                "relevance_score": result.metadata["relevance_score"],
                **result.metadata["explain"],
            }
            for result in results
        ]

    def metrics(self) -> SearchMetrics:
        """How many searches there were since the collection was opened here, what they found, and what they took:
        together, at most, and by arm. Blank queries are none. It may be asked after `close`, too."""
        return self.finder.counter.figures()

    def get_context(
        self, query: str, max_tokens: int | None = None, separator: str = "\n\n", **search_arguments: Any
    ) -> str:
        """The results of `search` as one text for a language model, best first.

        `max_tokens` (estimated on the safe side, separators included) is never passed, and no sentence is cut to keep
        it: the text ends with the last whole sentence that fits.
        """
        found = self.search(query, **search_arguments)
        return joined_context([document.page_content for document in found], separator, max_tokens)

    # For agents

    def as_tool_schema(self) -> dict[str, Any]:
        """The search as a function a model may call, in the form of OpenAI; its arguments are those of `search`."""
        return tool_schema()

    # The same without blocking an event loop

    async def aadd_document(self, path_or_doc: Addable, *, on_skip: OnSkip | None = None) -> list[str]:
        """`add_document` in a worker thread."""
        return await asyncio.to_thread(self.add_document, path_or_doc, on_skip=on_skip)

    async def aremove_document(self, doc_id: str) -> bool:
        """`remove_document` in a worker thread."""
        return await asyncio.to_thread(self.remove_document, doc_id)

    async def asearch(self, query: str, **search_arguments: Any) -> list[Document]:
        """`search` in a worker thread."""
        return await asyncio.to_thread(self.search, query, **search_arguments)

    async def aget_context(self, query: str, **arguments: Any) -> str:
        """`get_context` in a worker thread."""
        return await asyncio.to_thread(self.get_context, query, **arguments)

    def _require_open(self) -> None:
        if self._closed:
            raise ConfigurationError("This ledger is closed.", hint="Open it again with FinderLedge(...).")
