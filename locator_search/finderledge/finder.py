"""Searches one or both stores and fuses what they found by reciprocal ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from locator_search.core.clock import deadline
from locator_search.core.errors import ConfigurationError
from locator_search.finderledge.documents import kind_of, storable_metadata
from locator_search.finderledge.metrics import SearchCounter
from locator_search.finderledge.stores import BM25DocumentStore, Filter, VectorDocumentStore
from locator_search.llm.question_models import embed_question
from locator_search.locales.model_failures import without_embedding_model
from locator_search.model import ChunkHit, JsonValue
from locator_search.ports.ledger import NO_METADATA, LedgerCatalogue, vector_key
from locator_search.retrieval.fusion import RANK_CONSTANT, Found, WordScores, fuse
from locator_search.retrieval.hybrid import Known, listed
from locator_search.retrieval.metadata_filters import jsonpath_of

if TYPE_CHECKING:
    from locator_search.model import Vector

SearchMode = Literal["hybrid", "vector", "keyword"]
MODES: tuple[SearchMode, ...] = ("hybrid", "vector", "keyword")
EQUAL_WEIGHTS = 0.5
USUAL_TOP_K = 5
USUAL_SECONDS = 20.0
FEWEST_CANDIDATES = 20
"""Chunks that each store is asked for at least, so that the fusion has something to weigh."""
LONGEST_QUERY = 10_000
"""Characters."""
MOST = 10_000
"""Chunks one search may ask a store for."""
MOST_LOOKS = 5
"""Times one search looks again because what it found was changed meanwhile."""

Versions = dict[str, str]
"""Content hashes by document id."""


@dataclass(frozen=True, slots=True)
class Question:
    """The question of a search: how many chunks in the end, how many of each store, and of which documents."""

    query: str
    mode: SearchMode
    top_k: int
    k_vector: int
    k_keyword: int
    vector_filter: Filter = field(default_factory=dict)
    filter_keyword: bool = True

    @classmethod
    def asked(
        cls,
        query: str,
        mode: SearchMode,
        *,
        top_k: int | None,
        k: int | None,
        k_vector: int | None,
        k_keyword: int | None,
        vector_filter: Filter | None,
        filter_keyword: bool,
    ) -> Question:
        """A question with the usual numbers where none are given. `k` is another name of `top_k`."""
        if top_k is not None and k is not None:
            raise ConfigurationError("top_k and k mean the same.", hint="Give one of them.")
        shown = next((number for number in (top_k, k) if number is not None), USUAL_TOP_K)
        _require_count("top_k", shown)
        candidates = min(MOST, max(FEWEST_CANDIDATES, 4 * shown))
        return cls(
            query=query,
            mode=mode,
            top_k=shown,
            k_vector=candidates if k_vector is None else k_vector,
            k_keyword=candidates if k_keyword is None else k_keyword,
            vector_filter=plain_filter(vector_filter),
            filter_keyword=filter_keyword,
        )

    def __post_init__(self) -> None:
        if not isinstance(self.query, str):
            raise ConfigurationError(f"A query is a text, not {kind_of(self.query)}.")
        if len(self.query) > LONGEST_QUERY:
            raise ConfigurationError(
                f"The query has {len(self.query):,} characters; at most {LONGEST_QUERY:,} are searched for.",
                hint="Ask for what matters in it.",
            )
        if self.mode not in MODES:
            raise ConfigurationError(f"search_mode must be one of {', '.join(MODES)}, not {self.mode!r}.")
        for name in ("top_k", "k_vector", "k_keyword"):
            _require_count(name, getattr(self, name))


@dataclass(frozen=True, slots=True)
class FoundChunk:
    """One chunk that was found, with its relevance in [0, 1] and the reasons for it."""

    chunk: ChunkHit
    relevance: float
    explain: dict[str, JsonValue]


class Finder:
    """Asks the stores of one catalogue, all at the same moment of it. A search has so many `seconds`."""

    def __init__(
        self,
        catalogue: LedgerCatalogue,
        vector_store: VectorDocumentStore,
        keyword_store: BM25DocumentStore,
        seconds: float = USUAL_SECONDS,
    ) -> None:
        self._seconds = seconds
        self._catalogue = catalogue
        self._vector_store = vector_store
        self._keyword_store = keyword_store
        self.counter = SearchCounter()

    def search(self, question: Question) -> list[FoundChunk]:
        """At most `top_k` chunks, best first; a blank query finds none. Where the embedding model of a hybrid search
        fails, it is a keyword search, which `explain` and the log say. Raises ModelError or StoreError."""
        if not question.query.strip():
            return []
        with self.counter.search(question.mode) as counted, deadline(self._seconds):
            found = self._found(question)
            counted += found
        return found

    def _found(self, question: Question) -> list[FoundChunk]:
        without_vectors = ""
        embedding: Vector | None = None
        if question.mode == "hybrid":
            with self.counter.arm("embedding"):
                embedded = embed_question(self._vector_store.embeddings, question.query)
            embedding = embedded.value
            if embedded.failure is not None:
                self.counter.without_model()
                question = replace(question, mode="keyword")
                without_vectors = without_embedding_model(embedded.failure, "en")
        elif question.mode == "vector":
            with self.counter.arm("embedding"):
                embedding = self._vector_store.embed_query(question.query)
        for _ in range(MOST_LOOKS):
            found, versions = self._look(question, embedding)
            if embedding is None or self._vector_store.in_catalogue or versions == self._versions(versions):
                break  # otherwise a document left the vector store after the catalogue was read, and is only half found
        if not without_vectors:
            return found
        return [replace(one, explain={**one.explain, "note": without_vectors}) for one in found]

    def _look(self, question: Question, embedding: Vector | None) -> tuple[list[FoundChunk], Versions]:
        """The chunks found at one moment of the catalogue, and the versions of all documents either store found."""
        cosines: Mapping[str, float] = {}
        words: Mapping[str, float] = {}
        with self._catalogue.view() as view:
            if embedding is not None:
                with self.counter.arm("vector"):
                    cosines = self._vector_store.get_relevant_documents(
                        view, embedding, question.k_vector, question.vector_filter
                    )
            if question.mode != "vector":
                with self.counter.arm("keyword"):
                    words = self._keyword_store.get_relevant_documents(
                        view, question.query, question.k_keyword, keyword_filter(question)
                    )
            ranked = blended(question, cosines, words)[: question.top_k]
            chunks = view.chunks([one.key for one, _ in ranked], question.query if words else "")
            found = [
                FoundChunk(chunks[one.key], relevance, explain(question, one, chunks[one.key].matched_terms))
                for one, relevance in ranked
            ]
            if self._vector_store.in_catalogue:
                return found, {}
            return found, view.versions([chunk_id.rpartition("#")[0] for chunk_id in (*cosines, *words)])

    def _versions(self, document_ids: Iterable[str]) -> Versions:
        with self._catalogue.view() as view:
            return view.versions(list(document_ids))

    def nearest(self, vector: Vector, k: int, metadata: Filter | None = None) -> list[tuple[ChunkHit, float]]:
        """The `k` chunks nearest to a unit vector of the width of the index, best first, with their cosines."""
        _require_count("k", k)
        with self._catalogue.view() as view:
            cosines = self._vector_store.get_relevant_documents(view, vector, k, plain_filter(metadata))
            chunks = view.chunks(list(cosines))
        return [(chunks[chunk_id], cosine) for chunk_id, cosine in cosines.items()]

    def vectors(self, chunk_ids: Sequence[str]) -> dict[str, Vector]:
        """The embeddings kept of chunks, by their ids; those that are gone meanwhile are left out."""
        with self._catalogue.view() as view:
            versions = view.versions([chunk_id.rpartition("#")[0] for chunk_id in chunk_ids])
            keys = {
                vector_key(chunk_id, versions[document_id]): chunk_id
                for chunk_id in chunk_ids
                if (document_id := chunk_id.rpartition("#")[0]) in versions
            }
            return {keys[key]: vector for key, vector in view.vectors(list(keys)).items()}


def keyword_filter(question: Question) -> Filter:
    """The filter of the keyword store: that of the vector store, unless it was switched off."""
    return question.vector_filter if question.filter_keyword or question.mode == "keyword" else NO_METADATA


def blended(question: Question, cosines: Mapping[str, float], words: Mapping[str, float]) -> list[tuple[Found, float]]:
    """The chunks of both rankings (cosines and BM25 scores by chunk id, best first) with their relevance. Pure.

    The relevance of a hybrid search is the reciprocal rank fusion (k = 60: Cormack, Clarke, Buettcher, SIGIR 2009)
    over its largest possible value, 2/61, which the first of both rankings has. That of a vector search is the cosine,
    0 where it is negative; that of a keyword search is the BM25 score over that of the first.
    """
    found = listed(Known(cosines, {chunk_id: WordScores(bm25, bm25) for chunk_id, bm25 in words.items()}))
    if question.mode == "hybrid":
        return fuse(found, EQUAL_WEIGHTS, "ranks")
    if question.mode == "keyword":
        return fuse(found, 1.0)
    return [(one, min(1.0, max(0.0, one.cosine or 0.0))) for one in found]


def explain(question: Question, found: Found, matched_terms: Sequence[str]) -> dict[str, JsonValue]:
    """Rank and score of a chunk in each ranking, the raw fusion, and the filter."""
    told: dict[str, JsonValue] = {"mode": question.mode}
    if found.vector_rank is not None:
        told["vector"] = {"rank": found.vector_rank, "cosine": found.cosine}
    if found.keyword_rank is not None:
        terms: list[JsonValue] = [*matched_terms]
        told["keyword"] = {"rank": found.keyword_rank, "bm25": found.keyword_score, "matched_terms": terms}
    if question.mode == "hybrid":
        ranks = [rank for rank in (found.vector_rank, found.keyword_rank) if rank is not None]
        told["rrf"] = sum(1 / (RANK_CONSTANT + rank) for rank in ranks)
        told["rank_constant"] = RANK_CONSTANT
    if question.vector_filter:
        by_words = question.mode != "vector" and bool(keyword_filter(question))
        told["filter"] = dict(question.vector_filter)
        told["filtered"] = [*(["vector"] if question.mode != "keyword" else []), *(["keyword"] if by_words else [])]
    return told


def _require_count(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
        raise ConfigurationError(f"{name} is a number from 1 to {MOST}, not {value!r}.")


def plain_filter(metadata: object) -> Filter:
    """A filter with values as they are kept. Raises ConfigurationError for what is none."""
    if metadata is None:
        return NO_METADATA
    if not isinstance(metadata, Mapping):
        raise ConfigurationError(f"vector_filter is a dictionary, not {kind_of(metadata)}.")
    plain = storable_metadata(metadata)
    jsonpath_of(plain)
    return plain
