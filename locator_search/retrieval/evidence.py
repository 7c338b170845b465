"""Evidence out of the index: the retrieval alone, without the branching search and without a chat model."""

from __future__ import annotations

import asyncio

from locator_search.model import Evidence, RetrievalMode, RetrievalQuery, SearchFilters
from locator_search.ports import Embedder, IndexStore

RANKING_ONLY = 0.0
"""The threshold of a ranking: every file that is found counts, the best come first."""


class IndexEvidenceProvider:
    """An EvidenceProvider over the index: one piece of evidence per file, its best chunk."""

    def __init__(self, index: IndexStore, embedder: Embedder, mode: RetrievalMode = "hybrid") -> None:
        self._index = index
        self._embedder = embedder
        self._mode = mode

    def search(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """At most `top_k` pieces of evidence, best first. A blank query finds nothing. Raises ModelError."""
        if not query.strip():
            return []
        embedding = None if self._mode == "keyword" else self._embedder.embed([query], "query")[0]
        asked = RetrievalQuery(
            query, filters=filters, threshold=RANKING_ONLY, limit=top_k, mode=self._mode, with_facets=False
        )
        return list(self._index.retrieve(asked, embedding).evidence)

    async def asearch(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """The same in a worker thread, so that an event loop is not blocked."""
        return await asyncio.to_thread(self.search, query, filters, top_k)
