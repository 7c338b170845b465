"""Evidence in a prompt."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.contributions.analysis.edits import edits_of
from locator_search.model import Evidence
from locator_search.ports.contributions.analyses import Edit


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """One piece of evidence as a model is told about it. `id` holds within one analysis only."""

    id: str
    contribution: str
    meeting: str
    clause: str
    page: int | None
    text: str
    changes: tuple[Edit, ...]

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
            changes=tuple(edits_of(evidence)),
        )


def card_id(number: int) -> str:
    """E1 for the first piece of evidence."""
    return f"E{number + 1}"
