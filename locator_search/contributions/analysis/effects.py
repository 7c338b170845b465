"""What an analysis needs done. Each effect names the type of its result.

What a model had a part in says who answered, and why it was not the model that was chosen. Where nobody wrote claims,
the analysis ends without any.
"""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.core.flow import Effect
from locator_search.core.model_results import ModelResult
from locator_search.model import Evidence, SearchFilters
from locator_search.ports.contributions.analyses import AnalysisKind, Aspect, ChangedClause


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """What a model is told about one piece of evidence. `id` holds within one analysis only."""

    id: str
    contribution: str
    meeting: str
    clause: str
    page: int | None
    text: str
    inserted: tuple[str, ...]
    deleted: tuple[str, ...]

    @classmethod
    def of(cls, number: int, evidence: Evidence) -> EvidenceCard:
        """The card of a piece of evidence at its place in the analysis, from 0."""
        return cls(
            id=card_id(number),
            contribution=evidence.contribution_number or "",
            meeting=evidence.meeting or "",
            clause=evidence.clause_number or "",
            page=evidence.page_number,
            text=evidence.text,
            inserted=tuple(change.text.strip() for change in evidence.changes if change.kind == "insert"),
            deleted=tuple(change.text.strip() for change in evidence.changes if change.kind == "delete"),
        )


def card_id(number: int) -> str:
    """E1 for the first piece of evidence."""
    return f"E{number + 1}"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A search the model asks for, as it says it: not yet to be trusted."""

    query: str
    contribution_number: str | None


@dataclass(frozen=True, slots=True)
class DraftCitation:
    """A citation as the model says it."""

    evidence_id: str
    quote: str


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A claim as the model says it."""

    aspect: Aspect
    text: str
    citations: tuple[DraftCitation, ...]


@dataclass(frozen=True)
class SearchEvidence(Effect[ModelResult[tuple[Evidence, ...]]]):
    """One search. `purpose` names the sentence that announces it."""

    query: str
    filters: SearchFilters
    top_k: int
    purpose: str


@dataclass(frozen=True)
class ProposeQueries(Effect[ModelResult[tuple[ToolCall, ...] | None]]):
    """What else the model wants to search for, knowing what was found so far."""

    kind: AnalysisKind
    contributions: tuple[str, ...]
    cards: tuple[EvidenceCard, ...]
    question: str = ""


@dataclass(frozen=True)
class WriteClaims(Effect[ModelResult[tuple[DraftClaim, ...] | None]]):
    """The claims of an analysis, on evidence. Without any there is nothing to ask."""

    kind: AnalysisKind
    contributions: tuple[str, ...]
    cards: tuple[EvidenceCard, ...]
    changes: tuple[ChangedClause, ...]
    question: str = ""

    def __post_init__(self) -> None:
        if not self.cards:
            raise ValueError("a model is asked for claims on evidence only")
