"""Evidence: out of the index (the retrieval alone, without branching and without a chat model), and out of any store
that somebody writes a provider for.

    class OurStore(AsyncEvidenceProvider):
        async def search(self, query, filters=None, top_k=10):
            return [cited_evidence(text=..., document_id=..., contribution_number=..., score=...) ...]
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from locator_search.core.model_results import KEYWORDS_ONLY, ModelResult
from locator_search.llm.question_models import embed_question, retrieve_or_words
from locator_search.model import Evidence, Matching, RetrievalMode, RetrievalQuery, SearchFilters, TrackedChange, Unit
from locator_search.ports import Embedder, EvidenceProvider, IndexStore
from locator_search.retrieval.evidence_filters import filters_as_mapping
from locator_search.text.snippets import make_snippet
from locator_search.text.variants.finding import without_words

RANKING_ONLY = 0.0
"""The threshold of a ranking: every file that is found counts, the best come first."""


class IndexEvidenceProvider:
    """A NotedEvidenceProvider over the index: one piece of evidence per file, its best chunk; or any chunks, several of
    one file, for questions about few files. `matching` is asked at every search."""

    name = "pgvector"

    def __init__(
        self,
        index: IndexStore,
        embedder: Embedder,
        mode: RetrievalMode = "hybrid",
        matching: Callable[[], Matching] = Matching,
        unit: Unit = "file",
    ) -> None:
        self._index = index
        self._embedder = embedder
        self._mode = mode
        self._matching = matching
        self._unit = unit

    def search(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """At most `top_k` pieces of evidence, best first. A blank query finds nothing. Raises ModelError."""
        if not query.strip() or top_k < 1:
            return []
        asked = self._asked(query, filters, top_k)
        text = without_words(query, asked.matching.ignored)
        embedding = None if self._mode == "keyword" else self._embedder.embed([text], "query")[0]
        return list(self._index.retrieve(asked, embedding).evidence)

    def look(self, query: str, filters: SearchFilters, top_k: int = 10) -> ModelResult[list[Evidence]]:
        """As `search`, and who embedded the query: in a hybrid search, words alone do where the model cannot."""
        if self._mode != "hybrid":
            model = KEYWORDS_ONLY if self._mode == "keyword" else self._embedder.model_name
            return ModelResult(self.search(query, filters, top_k), model)
        if not query.strip() or top_k < 1:
            return ModelResult([], self._embedder.model_name)
        asked = self._asked(query, filters, top_k)
        embedded = embed_question(self._embedder, query, asked.matching.ignored)
        looked = retrieve_or_words(self._index, asked, embedded)
        return ModelResult(list(looked.value.evidence), looked.model, looked.failure)

    def _asked(self, query: str, filters: SearchFilters, top_k: int) -> RetrievalQuery:
        return RetrievalQuery(
            query,
            filters=filters,
            threshold=RANKING_ONLY,
            limit=top_k,
            mode=self._mode,
            with_facets=False,
            matching=self._matching(),
            unit=self._unit,
        )

    async def asearch(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """The same in a worker thread, so that an event loop is not blocked."""
        return await asyncio.to_thread(self.search, query, filters, top_k)


TIME_NOT_KNOWN = datetime(1970, 1, 1, tzinfo=UTC)


class AsyncEvidenceProvider(ABC):
    """The base of a provider of one's own: one coroutine. `provider_of` makes it fit where a provider is expected."""

    name = "custom"

    @abstractmethod
    async def search(
        self, query: str, filters: Mapping[str, Sequence[str]] | None = None, top_k: int = 10
    ) -> list[Evidence]:
        """At most `top_k` pieces of evidence, best first, scores in [0, 1].

        `filters` map `meeting`, `contribution_number`, `clause_number` and `document_id` to lists of alternatives.
        """


class _Awaited:
    """An EvidenceProvider over an AsyncEvidenceProvider."""

    def __init__(self, provider: AsyncEvidenceProvider) -> None:
        self.name = provider.name
        self._provider = provider

    def search(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        return _run(self.asearch(query, filters, top_k))

    async def asearch(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        return await self._provider.search(query, filters_as_mapping(filters) or None, top_k)


def provider_of(provider: EvidenceProvider | AsyncEvidenceProvider) -> EvidenceProvider:
    """The provider itself, or an asynchronous one behind the synchronous port."""
    return _Awaited(provider) if isinstance(provider, AsyncEvidenceProvider) else provider


def _run(search: Coroutine[Any, Any, list[Evidence]]) -> list[Evidence]:
    """The result of a coroutine, inside an event loop (a notebook, a web server) as well as outside."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(search)
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, search).result()


def cited_evidence(
    *,
    text: str,
    document_id: str,
    contribution_number: str,
    meeting: str = "",
    clause_number: str | None = None,
    page_number: int | None = None,
    score: float,
    source_file: str = "",
    chunk_id: str | None = None,
    query: str = "",
    link: str = "",
    heading_path: tuple[str, ...] = (),
    page_is_estimated: bool = False,
    changes: Sequence[TrackedChange] = (),
) -> Evidence:
    """Evidence of a contribution, where nothing else is known of its file. `score` is put into [0, 1]."""
    score = min(1.0, max(0.0, score))
    snippet = make_snippet(text, query)
    return Evidence(
        file_id=document_id,
        file_name=source_file.replace("!", "/").rpartition("/")[2] or document_id,
        summary="",
        link=link,
        mime_type="",
        modified_at=TIME_NOT_KNOWN,
        similarity=score,
        score=score,
        text=text,
        snippet=snippet.text,
        highlights=tuple(snippet.highlights),
        chunk_id=chunk_id,
        heading_path=heading_path,
        page_number=page_number,
        clause_number=clause_number,
        contribution_number=contribution_number,
        meeting=meeting,
        source_file=source_file,
        page_is_estimated=page_is_estimated,
        changes=tuple(changes),
    )
