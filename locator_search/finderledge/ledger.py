"""FinderLedge, the library: a collection of documents, and what it is to LangChain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from locator_search.finderledge.collection import Collection
from locator_search.finderledge.langchain import retriever_over, vector_store_over

if TYPE_CHECKING:
    from locator_search.finderledge.langchain.retriever import FinderLedgeRetriever
    from locator_search.finderledge.langchain.vector_store import FinderLedgeVectorStore


class FinderLedge(Collection):
    """Documents of one collection, searched by meaning and by words. Thread-safe; a context manager.

    Arguments win over the environment (and `.env`), which wins over the defaults:

    - `vector_store_provider`: `pgvector` (default), `chroma` or `faiss`; `keyword_store_provider`: `bm25`
    - `embedding_provider`: `openai`, `ollama`, `local`, `huggingface` or `offline`; by default openai where a key is
      set, else offline, which compares words and not meaning (`notes` says so). `embedding_model_name`: a model of the
      provider
    - `persist_directory`: where everything is kept. Without it: the database of the product (DATABASE_URL, SUPABASE_*,
      else an embedded PostgreSQL under LOCATOR_HOME), in a schema for each `collection`
    - `chunk_size`, `chunk_overlap`: characters
    - `embeddings`: a LangChain `Embeddings` instead of a provider
    - any other setting of the product by its name in lower case: `openai_api_key`, `database_url`, ...

    Raises ConfigurationError for what cannot work (a missing package is named here, not at the first search),
    DimensionMismatch when the collection was made with another embedding model, StoreUnavailable without a database.
    """

    def as_retriever(
        self, search_type: str = "similarity", search_kwargs: Mapping[str, Any] | None = None, **arguments: Any
    ) -> FinderLedgeRetriever:
        """A LangChain retriever that calls `search` with these arguments, however they are given. Needs `langchain`.

        Beside those of `search` it takes LangChain's `filter` (the same as `vector_filter`) and `score_threshold`, the
        least `relevance_score`. With the `search_type` "mmr" it chooses among the first `fetch_k` (20) those that are
        unlike each other, the more so the lower `lambda_mult` (0.5) is. Raises ConfigurationError for other names.
        """
        return retriever_over(self, search_type, {**(search_kwargs or {}), **arguments})

    def as_vector_store(self) -> FinderLedgeVectorStore:
        """The same collection as a LangChain `VectorStore`, which never splits a document. Needs `langchain`."""
        return vector_store_over(self)
