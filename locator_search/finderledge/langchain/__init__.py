"""A ledger as LangChain's retriever and vector store. The optional extra `[langchain]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from locator_search.core.errors import ConfigurationError

if TYPE_CHECKING:
    from locator_search.finderledge.collection import Collection
    from locator_search.finderledge.langchain.retriever import FinderLedgeRetriever
    from locator_search.finderledge.langchain.vector_store import FinderLedgeVectorStore


def retriever_over(ledger: Collection, search_type: str, search_kwargs: Mapping[str, Any]) -> FinderLedgeRetriever:
    """A retriever that searches a ledger with these arguments. Raises ConfigurationError for unknown ones."""
    _require_langchain()
    from locator_search.finderledge.langchain.retriever import FinderLedgeRetriever

    return FinderLedgeRetriever(ledger=ledger, search_type=search_type, search_kwargs=dict(search_kwargs))


def vector_store_over(ledger: Collection) -> FinderLedgeVectorStore:
    """A ledger as a vector store."""
    _require_langchain()
    from locator_search.finderledge.langchain.vector_store import FinderLedgeVectorStore

    return FinderLedgeVectorStore(ledger)


def _require_langchain() -> None:
    try:
        import langchain_core  # noqa: F401 - whether it is there
    except ImportError:
        raise ConfigurationError(
            "A retriever or vector store for LangChain needs a package that is not installed.",
            hint="Run `pip install 'document-locator[langchain]'`.",
        ) from None
