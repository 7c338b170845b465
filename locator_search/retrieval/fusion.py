"""Two rankings into one, and their hits as evidence with similarity, snippet and reasons. Pure.

Scores divided by their maximum and weighted are at least as good as reciprocal ranks on every set measured; the
weight belongs to the embedding model, because a weak model must not pull down a good keyword ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from locator_search.model import Evidence, Fusion, Placement, RetrievalQuery
from locator_search.retrieval.calibration import Calibration
from locator_search.text.snippets import Snippet, make_snippet
from locator_search.text.stopwords import GRAMMATICAL_WORDS
from locator_search.text.terms import PAIR, bare

RANK_CONSTANT = 60
"""k of reciprocal rank fusion: Cormack, Clarke, Buettcher, SIGIR 2009."""


@dataclass(frozen=True, slots=True)
class WordScores:
    """Scores by words: the score it is ordered by, the two parts of it, the share of the question's
    idf mass it holds, and of a file the chunk with the highest BM25 (None where only the name holds a term)."""

    score: float
    bm25: float
    name_idf: float = 0.0
    share: float = 0.0
    ordinal: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One file or chunk, by its key, with what vectors and words say of it; None where they say nothing.

    Ranks count from 1. `share` is that of the idf mass, 1 for a file the question names. `preferred` is 1 for a file
    that holds what the question quotes, 2 for one whose name is the question; such files come before all others, but
    for those that the owner's dictionary has `placed` first.
    """

    key: str
    cosine: float | None = None
    words: WordScores | None = None
    vector_rank: int | None = None
    keyword_rank: int | None = None
    share: float | None = None
    preferred: int = 0
    placed: Placement | None = None

    @property
    def tier(self) -> int:
        """1 for what the owner's dictionary puts first, -1 for what it puts last, else 0."""
        return 0 if self.placed is None else 1 if self.placed.first else -1

    @property
    def keyword_score(self) -> float | None:
        """The score of the keyword ranking."""
        return self.words.score if self.words else None


KEYWORD_WEIGHTS: Mapping[str, float] = MappingProxyType({"offline-hashed-ngrams-2": 0.8})
"""The share of the words in the fused score, by embedding model, where it was measured (docs/decisions/0023).

The offline stand-in knows the same words and less of them: at 0.8, question sets lose 0.005 at most to BM25 alone, at
0.6 a hundredth and more.
"""
USUAL_KEYWORD_WEIGHT = 0.6
"""Beside a model that was trained: measured with a small English one on SciFact, best between 0.6 and 0.7."""


def keyword_weight(embedding_model: str) -> float:
    """The share of the words in the fused score beside an embedding model, in [0, 1]."""
    return KEYWORD_WEIGHTS.get(embedding_model, USUAL_KEYWORD_WEIGHT)


def fuse(
    found: Sequence[Found], weight: float, fusion: Fusion = "scores", background: float = 0.0
) -> list[tuple[Found, float]]:
    """The hits with their fused scores, best first within each tier. A score is in [0, 1], plus `preferred`.

    `weight` in [0, 1] is that of the words. `background` is the cosine of texts that have nothing in common: what lies
    above it counts, because cosines that all lie between 0.77 and 0.91 say nothing when they are divided by the
    largest. Scores are divided by the largest of their kind; ranks count as (k + 1) / (k + rank), so that the first of
    both rankings has the score 1. What is equal stays in the order given.
    """
    top_cosine = max((one.cosine for one in found if one.cosine is not None), default=0.0) - background
    top_keyword = max((one.keyword_score for one in found if one.keyword_score is not None), default=0.0)

    def relevance(one: Found) -> float:
        if fusion == "ranks":
            return weight * _by_rank(one.keyword_rank) + (1 - weight) * _by_rank(one.vector_rank)
        above = one.cosine - background if one.cosine is not None else None
        return weight * _share(one.keyword_score, top_keyword) + (1 - weight) * _share(above, top_cosine)

    scores = ((one, one.preferred + relevance(one)) for one in found)
    return sorted(scores, key=lambda scored: (-scored[0].tier, -scored[1]))


def _by_rank(rank: int | None) -> float:
    return (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank) if rank is not None else 0.0


def _share(score: float | None, top: float) -> float:
    return max(0.0, score) / top if score is not None and top > 0 else 0.0


SNIPPET_LENGTH = 160
"""Characters."""

PREFERRED = {1: "phrase", 2: "name"}
"""Why a file comes before all others: it holds what the question quotes, or the question is its name."""

PLACED: Mapping[bool, Literal["placed_first", "placed_last"]] = MappingProxyType(
    {True: "placed_first", False: "placed_last"}
)
"""Keys of `explain`: the phrase of the question for which the owner's dictionary places the file."""

Similarities = dict[Literal["vector", "keyword"], float]


@dataclass(frozen=True, slots=True)
class Scales:
    """The scales that turn cosines, and shares of a question's idf mass, into similarities."""

    vector: Calibration
    keyword: Calibration

    def similarities(self, cosine: float | None, share: float | None) -> Similarities:
        """The similarity by vectors and that by words, where there is one."""
        found: Similarities = {}
        if cosine is not None:
            found["vector"] = self.vector.similarity(cosine)
        if share is not None:
            found["keyword"] = self.keyword.similarity(share)
        return found

    def least_cosine(self, threshold: float) -> float:
        """The cosine from which a file is a hit; at a threshold of 0 whatever is found is one."""
        return self.vector.raw_at(threshold) if threshold > 0 else -1.0

    def least_share(self, threshold: float) -> float:
        """The same of a share."""
        return self.keyword.raw_at(threshold) if threshold > 0 else 0.0

    def reach(self, threshold: float, cosine: float | None, share: float) -> bool:
        """Whether one of them reaches the threshold."""
        near = cosine is not None and cosine >= self.least_cosine(threshold)
        return near or (share > 0 and share >= self.least_share(threshold))


def explained(
    evidence: Evidence,
    found: Found,
    score: float,
    scales: Scales,
    how: Mapping[str, object],
    matched: Sequence[str],
    query: RetrievalQuery | None,
) -> Evidence:
    """The evidence as it was found. `how` says how the rankings were fused, `matched` which terms it holds.

    Without a `query` the snippet is the beginning of the text.
    """
    reached = scales.similarities(found.cosine, found.share)
    source = max(reached, key=lambda way: reached[way])
    readable = evidence.text or evidence.summary
    snippet = Snippet(readable[:SNIPPET_LENGTH], ())
    if query is not None:
        marked = f"{query.query} {query.also_marked}".strip()
        snippet = make_snippet(readable, marked, SNIPPET_LENGTH, query.matching)
    return replace(
        evidence,
        similarity=reached[source],
        similarity_source=source,
        score=score,
        cosine=found.cosine,
        snippet=snippet.text,
        highlights=tuple(snippet.highlights),
        explain={
            **how,
            "score": score,
            "similarity_source": source,
            **_by_vectors_and_words(found, reached),
            **({"preferred": PREFERRED[found.preferred]} if found.preferred else {}),
            **({PLACED[found.placed.first]: found.placed.phrase} if found.placed else {}),
            "matched_terms": _readable(matched),
        },
    )


def _by_vectors_and_words(found: Found, reached: Similarities) -> dict[str, object]:
    told: dict[str, object] = {}
    if "vector" in reached:
        told["vector"] = {"rank": found.vector_rank, "cosine": found.cosine, "similarity": reached["vector"]}
    if "keyword" in reached:
        told["keyword"] = {
            "rank": found.keyword_rank,
            "score": found.keyword_score,
            "bm25": found.words.bm25 if found.words else 0.0,
            "name_idf": found.words.name_idf if found.words else 0.0,
            "share": found.share,
            "similarity": reached["keyword"],
        }
    return told


def _readable(terms: Sequence[str]) -> list[str]:
    """The terms for people, without the する of any sentence; pairs of characters, such as the 費精 of 経費精算, only
    where no word says it better."""
    words = [term for term in terms if not term.startswith(PAIR)]
    return [term for term in dict.fromkeys(bare(term) for term in words or terms) if term not in GRAMMATICAL_WORDS]
