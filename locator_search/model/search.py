"""The branching search: what it decided and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from locator_search.core.usage import NOTHING_USED, Usage
from locator_search.model.retrieval import Evidence, FacetName, Variant

Branch = Literal["relax", "show", "rerank", "refine", "narrow"]

OutcomeKind = Literal["found", "not_found", "too_many", "needs_answer"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One button under a narrowing question: what it reads, how many hits remain, and the filter behind it: a value of
    a facet, or with `but_not` what has none of these values. Without a facet it shows all hits."""

    label: str
    count: int
    facet: FacetName | None
    value: str = ""
    but_not: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One retrieval of a search and the branch it led to. `note` says in words what was changed for it."""

    round: int
    branch: Branch
    query: str
    keywords: tuple[str, ...]
    threshold: float
    hit_count: int
    top_similarity: float | None
    note: str = ""
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """How a search ended, with the whole decision path and what models took for it.

    `closest`: where nothing was found, the files nearest to the question, which are below the usual similarity.
    `did_you_mean`: the question with words of the index in the place of odd ones; it was not searched.
    """

    outcome: OutcomeKind
    message: str
    evidence: tuple[Evidence, ...] = ()
    rounds: tuple[Round, ...] = ()
    narrowing_question: str | None = None
    choices: tuple[Choice, ...] = ()
    notes: tuple[str, ...] = ()
    closest: tuple[Evidence, ...] = ()
    did_you_mean: tuple[str, ...] = ()
    usage: Usage = NOTHING_USED
