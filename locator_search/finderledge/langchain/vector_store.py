"""A ledger as a LangChain vector store: documents are kept whole, and come out as they went in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from langchain_core.vectorstores.utils import maximal_marginal_relevance

from locator_search.finderledge.collection import Collection
from locator_search.finderledge.embeddings import GivenEmbeddings, unit_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from locator_search.model import ChunkHit, Vector
    from locator_search.ports import Embedder


class LedgerEmbeddings(Embeddings):
    """The embedding model of a ledger, as LangChain calls it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Unit vectors, one per text."""
        vectors: list[list[float]] = self._embedder.embed(texts, "document").tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """One unit vector."""
        vector: list[float] = self._embedder.embed([text], "query")[0].tolist()
        return vector


class FinderLedgeVectorStore(VectorStore):
    """Searches by vectors alone; the hybrid search is that of the ledger. `filter` is metadata a document must have."""

    def __init__(self, ledger: Collection) -> None:
        self.ledger = ledger

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        **kwargs: Any,
    ) -> Self:
        """A ledger with these texts; `kwargs` are the arguments of FinderLedge."""
        store = cls(Collection(embeddings=embedding, **kwargs))
        store.add_texts(texts, metadatas, ids=ids)
        return store

    @property
    def embeddings(self) -> Embeddings:
        """The embedding model."""
        embedder = self.ledger.embeddings
        if isinstance(embedder, GivenEmbeddings) and isinstance(embedder.given, Embeddings):
            return embedder.given
        return LedgerEmbeddings(embedder)

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        **kwargs: Any,  # noqa: ARG002 - LangChain's signature
    ) -> list[str]:
        """Add texts, or put them in the place of those with the same ids."""
        return self.ledger.add_texts(list(texts), metadatas, ids, split=False)

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> bool:  # noqa: ARG002 - LangChain's signature
        """Remove documents, all of them without `ids`; those that are not there count as removed."""
        self.ledger.remove_documents(self.ledger.document_ids() if ids is None else ids)
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """The documents with these ids, in this order; missing ones are left out."""
        return self.ledger.get_documents(ids)

    def similarity_search(
        self, query: str, k: int = 4, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """The `k` documents nearest to a text, best first."""
        return [document for document, _ in self.similarity_search_with_score(query, k, filter, **kwargs)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        """The same with their cosines, -1 to 1."""
        vector = self.ledger.embeddings.embed([query], "query")[0].tolist()
        return self.similarity_search_with_score_by_vector(vector, k, filter, **kwargs)

    def similarity_search_by_vector(
        self, embedding: list[float], k: int = 4, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """The `k` documents nearest to a vector, best first."""
        found = self.similarity_search_with_score_by_vector(embedding, k, filter, **kwargs)
        return [document for document, _ in found]

    def similarity_search_with_score_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        filter: Mapping[str, Any] | None = None,
        score_threshold: float | None = None,
        **kwargs: Any,  # noqa: ARG002 - LangChain's signature
    ) -> list[tuple[Document, float]]:
        """The same with their cosines, none below `score_threshold`."""
        found = self.ledger.finder.nearest(self._unit(embedding), k, filter)
        return [
            (_document(chunk), cosine)
            for chunk, cosine in found
            if score_threshold is None or cosine >= score_threshold
        ]

    def max_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Of the `fetch_k` documents nearest to a text, `k` that are unlike each other, the more so the lower
        `lambda_mult` in [0, 1] is."""
        vector = self.ledger.embeddings.embed([query], "query")[0].tolist()
        return self.max_marginal_relevance_search_by_vector(vector, k, fetch_k, lambda_mult, filter, **kwargs)

    def max_marginal_relevance_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,  # noqa: ARG002 - LangChain's signature
    ) -> list[Document]:
        """The same for a vector."""
        wanted = self._unit(embedding)
        found = [chunk for chunk, _ in self.ledger.finder.nearest(wanted, max(k, fetch_k), filter)]
        vectors = self.ledger.finder.vectors([chunk.chunk_id for chunk in found])
        kept = [chunk for chunk in found if chunk.chunk_id in vectors]
        chosen = maximal_marginal_relevance(
            wanted, [vectors[chunk.chunk_id].tolist() for chunk in kept], lambda_mult, k
        )
        return [_document(kept[place]) for place in chosen]

    def _unit(self, embedding: list[float]) -> Vector:
        vector: Vector = unit_rows([embedding], 1, self.ledger.embeddings.model_name)[0]
        return vector

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        return lambda cosine: min(1.0, max(0.0, cosine))


def _document(hit: ChunkHit) -> Document:
    return Document(page_content=hit.text, metadata=dict(hit.metadata), id=hit.file_id)
