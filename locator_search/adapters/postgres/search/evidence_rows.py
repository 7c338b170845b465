"""What both arms said of a file, and its row, as Evidence with an explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from locator_search.adapters.postgres.search.keyword_search import KeywordScores
from locator_search.adapters.postgres.server.file_rows import file_evidence
from locator_search.model import Evidence, RetrievalQuery
from locator_search.retrieval.calibration import Calibration
from locator_search.retrieval.fusion import ArmScores
from locator_search.text.snippets import Snippet, make_snippet
from locator_search.text.terms import PAIR, bare

SNIPPET_LENGTH = 160
"""Characters."""

PREFERRED = {1: "phrase", 2: "name"}
"""Why a file comes before all others: it holds what the question quotes, or the question is its name."""

Similarities = dict[Literal["vector", "keyword"], float]


@dataclass(frozen=True, slots=True)
class Found:
    """One hit: its scores in both arms. `share` and `words` are None where the keyword arm did not find it."""

    arms: ArmScores
    share: float | None = None
    words: KeywordScores | None = None

    def ranked(self, vector_rank: int | None, keyword_rank: int | None) -> Found:
        """The same with its rank in each arm."""
        return replace(self, arms=replace(self.arms, vector_rank=vector_rank, keyword_rank=keyword_rank))


def similarities(
    cosine: float | None, share: float | None, calibration: Calibration, by_keyword: Calibration
) -> Similarities:
    """The calibrated similarity of each arm that found something."""
    found: Similarities = {}
    if cosine is not None:
        found["vector"] = calibration.similarity(cosine)
    if share is not None:
        found["keyword"] = by_keyword.similarity(share)
    return found


def make_evidence(
    row: Mapping[str, Any],
    found: Found,
    score: float,
    reached: Similarities,
    query: RetrievalQuery | None,
    how: Mapping[str, object],
) -> Evidence:
    """Evidence for one file, of a row of `result_rows_sql`; `how` says how the rankings were fused.

    Without a `query` the snippet is the beginning of the text.
    """
    source = max(reached, key=lambda arm: reached[arm])
    text = row["text"] or ""
    readable = text or row["summary"]
    snippet = Snippet(readable[:SNIPPET_LENGTH], ())
    if query is not None:
        marked = f"{query.query} {query.also_marked}".strip()
        snippet = make_snippet(readable, marked, SNIPPET_LENGTH, query.matching)
    return replace(
        file_evidence(row),
        similarity=reached[source],
        similarity_source=source,
        score=score,
        cosine=found.arms.cosine,
        text=text,
        snippet=snippet.text,
        highlights=tuple(snippet.highlights),
        chunk_id=row["chunk_id"],
        heading_path=tuple(row["heading_path"] or ()),
        page_number=row["page"],
        clause_number=row["clause"],
        explain={
            **how,
            "score": score,
            "similarity_source": source,
            **_arms(found, reached),
            **({"preferred": PREFERRED[found.arms.preferred]} if found.arms.preferred else {}),
            "matched_terms": _readable(row["matched"]),
        },
    )


def _arms(found: Found, reached: Similarities) -> dict[str, object]:
    arms: dict[str, object] = {}
    if "vector" in reached:
        arms["vector"] = {
            "rank": found.arms.vector_rank,
            "cosine": found.arms.cosine,
            "similarity": reached["vector"],
        }
    if "keyword" in reached:
        arms["keyword"] = {
            "rank": found.arms.keyword_rank,
            "score": found.arms.keyword_score,
            "bm25": found.words.bm25 if found.words else 0.0,
            "name_idf": found.words.name_idf if found.words else 0.0,
            "share": found.share,
            "similarity": reached["keyword"],
        }
    return arms


def _readable(terms: Sequence[str]) -> list[str]:
    """The terms for people: pairs of characters, such as the 費精 of 経費精算, only where no word says it better."""
    words = [term for term in terms if not term.startswith(PAIR)]
    return list(dict.fromkeys(bare(term) for term in words or terms))
