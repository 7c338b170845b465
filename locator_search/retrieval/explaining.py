"""Turns hits into evidence, with similarity, snippet and reasons. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from locator_search.model import Evidence, RetrievalQuery
from locator_search.retrieval.calibration import Calibration
from locator_search.retrieval.fusion import Found
from locator_search.text.snippets import Snippet, make_snippet
from locator_search.text.terms import PAIR, bare

SNIPPET_LENGTH = 160
"""Characters."""

PREFERRED = {1: "phrase", 2: "name"}
"""Why a file comes before all others: it holds what the question quotes, or the question is its name."""

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
    """The terms for people: pairs of characters, such as the 費精 of 経費精算, only where no word says it better."""
    words = [term for term in terms if not term.startswith(PAIR)]
    return list(dict.fromkeys(bare(term) for term in words or terms))
