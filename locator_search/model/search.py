"""The branching search: what it decided and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from locator_search.core.usage import NOTHING_USED, Usage
from locator_search.model.files import FileRef, FileState
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
class UnreadFile:
    """A file whose name fits a question and whose text is not in the index, with the reason, and the time of the next
    try where there is one. `named`: the question says its whole name.

    For the person, `sentence` says why and what comes next. `verified` is None where the source could not be asked.
    """

    file: FileRef
    state: FileState
    reason: str
    next_try_at: datetime | None
    named: bool
    is_due: bool = False
    sentence: str = ""
    verified: bool | None = None


@dataclass(frozen=True, slots=True)
class SearchCoverage:
    """How many files are listed, and of how many the text is searched."""

    listed: int
    searchable: int

    @property
    def unread(self) -> int:
        """Files whose text is not searched."""
        return self.listed - self.searchable


@dataclass(frozen=True, slots=True)
class UnreadMatches:
    """The files that a search could not look into: those whose names fit, those named first, and how many there are."""

    files: tuple[UnreadFile, ...]
    coverage: SearchCoverage


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """How a search ended, with the whole decision path and what models took for it.

    `closest`: where nothing was found, the files nearest to the question, which are below the usual similarity.
    `did_you_mean`: the question with words of the index in the place of odd ones; it was not searched.
    `unread`: files whose names fit and whose text is not in the index.
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
    unread: tuple[UnreadFile, ...] = ()
    coverage: SearchCoverage | None = None
    usage: Usage = NOTHING_USED
