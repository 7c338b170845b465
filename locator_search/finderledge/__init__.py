"""FinderLedge: documents in, hybrid search over them out, in a few lines of Python and without Dagster.

`FinderLedge` is the whole of it for most programs. Its parts go by the names of its design: `EmbeddingModelFactory`,
`VectorDocumentStore`, `BM25DocumentStore`, `Finder`, `DocumentLoader`. `Document` is LangChain's where that is
installed. Names are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from locator_search.finderledge.embeddings import EmbeddingModelFactory
    from locator_search.finderledge.finder import Finder
    from locator_search.finderledge.ledger import FinderLedge
    from locator_search.finderledge.loader import DocumentLoader
    from locator_search.finderledge.metrics import SearchMetrics
    from locator_search.finderledge.stores import BM25DocumentStore, VectorDocumentStore

__all__ = [
    "BM25DocumentStore",
    "Document",
    "DocumentLoader",
    "EmbeddingModelFactory",
    "Finder",
    "FinderLedge",
    "SearchMetrics",
    "VectorDocumentStore",
]

_HOMES = {
    "BM25DocumentStore": "stores",
    "DocumentLoader": "loader",
    "EmbeddingModelFactory": "embeddings",
    "Finder": "finder",
    "FinderLedge": "ledger",
    "SearchMetrics": "metrics",
    "VectorDocumentStore": "stores",
}


def __getattr__(name: str) -> object:
    if name == "Document":
        from locator_search.finderledge.documents import document_class

        return document_class()
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
