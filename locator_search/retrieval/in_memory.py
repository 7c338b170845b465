"""Evidence held in memory: for trying things out, for small collections, and as the measure of other providers."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from locator_search.model import Evidence, SearchFilters
from locator_search.ports import Embedder
from locator_search.retrieval.bm25 import damping, weight
from locator_search.retrieval.calibration import KEYWORD_CALIBRATION, shipped_calibration
from locator_search.retrieval.evidence_filters import accepts
from locator_search.retrieval.fusion import ArmScores, fuse, keyword_weight
from locator_search.retrieval.query_terms import QueryTerm, alternatives_of, terms_of, weigh
from locator_search.retrieval.telling import how_telling
from locator_search.text.snippets import make_snippet
from locator_search.text.terms import analyse
from locator_search.text.variants.finding import find_variants

if TYPE_CHECKING:
    from locator_search.model import Vector


@dataclass(frozen=True, slots=True)
class _Held:
    evidence: Evidence
    frequencies: dict[str, int]
    length: int
    embedding: Vector


@dataclass(frozen=True, slots=True)
class _Keyword:
    """What the keyword arm says of one piece: its BM25 score, and the share of the query's idf mass found in it."""

    score: float
    share: float


class InMemoryEvidenceProvider:
    """An EvidenceProvider over what it is given. Ranks single chunks by BM25 and cosine, fused. Thread-safe."""

    name = "memory"

    def __init__(self, embedder: Embedder, evidence: Sequence[Evidence] = ()) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._held: dict[str, _Held] = {}
        self.add(evidence)

    def add(self, evidence: Sequence[Evidence]) -> None:
        """Take in evidence; of pieces with the same `chunk_id` the last counts. Raises ModelError."""
        readable = [item for item in evidence if item.text.strip()]
        if not readable:
            return
        embeddings = self._embedder.embed([item.text for item in readable], "document")
        with self._lock:
            for item, embedding in zip(readable, embeddings, strict=True):
                terms = analyse(item.text)
                counts = dict(zip(terms.terms, terms.frequencies, strict=True))
                key = item.chunk_id or f"{item.file_id}#{len(self._held)}"
                self._held[key] = _Held(replace(item, chunk_id=key), counts, terms.length, embedding)

    def search(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """At most `top_k` pieces of evidence, best first. A blank query finds nothing. Raises ModelError."""
        with self._lock:
            everything = list(self._held.values())
        candidates = {str(held.evidence.chunk_id): held for held in everything if accepts(filters, held.evidence)}
        if not query.strip() or not candidates or top_k < 1:
            return []
        question = self._embedder.embed([query], "query")[0]
        cosines = {key: float(held.embedding @ question) for key, held in candidates.items()}
        keywords = _keyword_arm(query, everything, candidates)
        arms = [ArmScores(key, cosines[key], None, keywords[key].score or None, None) for key in candidates]
        ranked = fuse(arms, keyword_weight(self._embedder.model_name))[:top_k]
        return [
            self._found(candidates[key].evidence, query, score, cosines[key], keywords[key]) for key, score in ranked
        ]

    async def asearch(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """The same in a worker thread, so that an event loop is not blocked."""
        return await asyncio.to_thread(self.search, query, filters, top_k)

    def _found(self, item: Evidence, query: str, score: float, cosine: float, keyword: _Keyword) -> Evidence:
        by_vector = shipped_calibration(self._embedder.model_name).similarity(cosine)
        by_keyword = KEYWORD_CALIBRATION.similarity(keyword.share)
        snippet = make_snippet(item.text, query)
        return replace(
            item,
            score=score,
            cosine=cosine,
            similarity=max(by_vector, by_keyword),
            similarity_source="vector" if by_vector >= by_keyword else "keyword",
            snippet=snippet.text,
            highlights=tuple(snippet.highlights),
        )


def _keyword_arm(query: str, everything: Sequence[_Held], candidates: dict[str, _Held]) -> dict[str, _Keyword]:
    terms = terms_of(query, ())
    alternatives = alternatives_of(terms, query, find_variants(query))
    spellings = set(terms).union(*alternatives.values())
    frequencies = Counter(term for held in everything for term in spellings if term in held.frequencies)
    weighed = weigh(terms, frequencies, {}, len(everything), alternatives, how_telling(query))
    mean_length = max(1.0, sum(held.length for held in everything) / len(everything))
    return {key: _keyword(held, weighed, mean_length) for key, held in candidates.items()}


def _keyword(held: _Held, terms: Sequence[QueryTerm], mean_length: float) -> _Keyword:
    counts = [max(held.frequencies.get(one, 0) for one in (term.term, *term.alternatives)) for term in terms]
    found = [(term, count) for term, count in zip(terms, counts, strict=True) if count]
    damped = damping(held.length, mean_length)
    score = sum(term.idf * weight(count, damped) for term, count in found)
    return _Keyword(score, sum(term.mass for term, _ in found))
