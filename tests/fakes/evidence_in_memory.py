"""Evidence held in memory: for small collections, and as the measure of other providers."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from locator_search.model import Evidence, RetrievalQuery, SearchFilters
from locator_search.ports import Embedder
from locator_search.retrieval.calibration import background_of, calibration_of
from locator_search.retrieval.evidence_filters import accepts
from locator_search.retrieval.fusion import Found, WordScores
from locator_search.retrieval.hybrid import Candidates, Known, SearchSetup, retrieve
from locator_search.retrieval.query_terms import QueryTerm, alternatives_of, terms_of, weigh
from locator_search.retrieval.term_weights import damping, how_telling, weight
from locator_search.text.terms import analyse
from locator_search.text.variants.finding import find_variants

if TYPE_CHECKING:
    from locator_search.model import Vector

MOST_SAMPLED = 100
"""Pieces whose cosines say what those of unrelated texts are."""


@dataclass(frozen=True, slots=True)
class _Held:
    evidence: Evidence
    frequencies: dict[str, int]
    length: int
    embedding: Vector


class InMemoryEvidenceProvider:
    """An EvidenceProvider over what it is given. Finds single chunks; everything is compared. Thread-safe."""

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
            everything = dict(self._held)
        candidates = {key: held for key, held in everything.items() if accepts(filters, held.evidence)}
        if not query.strip() or not candidates or top_k < 1:
            return []
        question = self._embedder.embed([query], "query")[0]
        store = _Compared(query, question, list(everything.values()), candidates)
        asked = RetrievalQuery(query, filters=filters, threshold=0.0, limit=top_k, with_facets=False, unit="chunk")
        model = self._embedder.model_name
        background = background_of(np.stack([held.embedding for held in everything.values()][:MOST_SAMPLED]))
        return list(retrieve(store, asked, SearchSetup(model, calibration_of(model, background))).evidence)

    async def asearch(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """The same in a worker thread, so that an event loop is not blocked."""
        return await asyncio.to_thread(self.search, query, filters, top_k)


class _Compared:
    """A Searchable of which everything is known at once."""

    def __init__(self, query: str, embedding: Vector, everything: Sequence[_Held], held: Mapping[str, _Held]) -> None:
        self._held = held
        terms = terms_of(query, ())
        alternatives = alternatives_of(terms, query, find_variants(query))
        spellings = set(terms).union(*alternatives.values())
        frequencies = Counter(term for one in everything for term in spellings if term in one.frequencies)
        self._terms = weigh(terms, frequencies, {}, len(everything), alternatives, how_telling(query))
        mean_length = max(1.0, sum(one.length for one in everything) / len(everything))
        words = {key: _word_scores(one, self._terms, mean_length) for key, one in held.items()}
        self._chunks = len(everything)
        self._known = Known(
            {key: float(one.embedding @ embedding) for key, one in held.items()},
            {key: scores for key, scores in words.items() if scores.score},
        )

    def candidates(self) -> Candidates:
        cosines, words = self._known.cosines, self._known.words
        return Candidates(cosines, dict.fromkeys(words, 0.0), count=len(cosines), chunks=self._chunks)

    def known(self, keys: Sequence[str]) -> Known:
        return self._known

    def shown(self, chosen: Sequence[Found], keyword_weight: float) -> list[tuple[Evidence, Sequence[str]]]:
        held = [self._held[found.key] for found in chosen]
        return [(one.evidence, [term for term in self._spellings if term in one.frequencies]) for one in held]

    @property
    def _spellings(self) -> list[str]:
        return [one for term in self._terms for one in (term.term, *term.alternatives)]


def _word_scores(held: _Held, terms: Sequence[QueryTerm], mean_length: float) -> WordScores:
    counts = [max(held.frequencies.get(one, 0) for one in (term.term, *term.alternatives)) for term in terms]
    found = [(term, count) for term, count in zip(terms, counts, strict=True) if count]
    damped = damping(held.length, mean_length)
    bm25 = sum(term.idf * weight(count, damped) for term, count in found)
    return WordScores(bm25, bm25, share=sum(term.mass for term, _ in found))
