"""Analyses of contributions: claims with their citations, and where they are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from locator_search.core.usage import NOTHING_USED, Usage
from locator_search.locales import Language
from locator_search.model import Evidence
from locator_search.text.statements.doubts import Doubt

AnalysisKind = Literal["single", "comparison", "revisions"]
"""One contribution; several beside each other; what a newer revision says otherwise than an older one."""

Aspect = Literal["answer", "problem", "proposal", "affected_clauses", "changes", "common", "difference", "conflict"]
"""The subject of a claim; `answer` is to the question a person asked along with the analysis."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A claim's pointer to evidence. `evidence` is its place in `Analysis.evidence`; `quote` stands there word for word
    (in the text or in what was deleted), "" where the whole passage is meant."""

    evidence: int
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an analysis.

    - `citations`: those that hold. Those that named no evidence or quoted what is not there are in `refused`.
    - `unverified`: numbers and names in the text that the quoted sentences do not contain.
    - `doubts`: what of it the quoted sentences do not say.
    - `nearest`: of a claim that is not supported, the place in `Analysis.evidence` of the passage nearest to it.
    """

    aspect: Aspect
    text: str
    citations: tuple[Citation, ...] = ()
    refused: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    nearest: int | None = None

    @property
    def supported(self) -> bool:
        """Whether sentences are quoted that say what the claim says."""
        return bool(self.citations) and not self.unverified and not self.doubts


@dataclass(frozen=True, slots=True)
class Edit:
    """Sentences that read otherwise than before: `before` is "" where they are new, `after` where they were deleted."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangedClause:
    """Changes of one clause of one contribution, found without a model from tracked changes or revisions.

    `evidence` are places in `Analysis.evidence`.
    """

    contribution_number: str
    clause_number: str | None
    page_number: int | None
    edits: tuple[Edit, ...]
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """One search of an analysis, and how much it found. `purpose` is why it was made, for people."""

    query: str
    purpose: str
    found: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A contribution an analysis was asked for and is not about; `reason` says why, in the language of the analysis."""

    contribution_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of an analysis.

    `provider` is where the evidence comes from; `notes` say what is missing and why. `question` is what the person
    wanted to know besides, "" for nothing. `covers` are the fields of the cover pages found in the evidence, by
    contribution number; `left_out` are contributions nothing could be found of.
    """

    kind: AnalysisKind
    contribution_ids: tuple[str, ...]
    language: Language
    claims: tuple[Claim, ...]
    changes: tuple[ChangedClause, ...]
    evidence: tuple[Evidence, ...]
    queries: tuple[AskedQuery, ...]
    provider: str
    chat_model: str
    notes: tuple[str, ...] = ()
    usage: Usage = NOTHING_USED
    question: str = ""
    covers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptAnalysis:
    """An analysis in the store."""

    analysis_id: str
    created_at: datetime
    analysis: Analysis


class AnalysisStore(Protocol):
    """Keeps analyses, each for the one who asked for it. `owner` is "" where nobody signs in."""

    def save(self, analysis: Analysis, owner: str) -> str:
        """Keep an analysis; returns its id, which nobody can guess."""
        ...

    def get(self, analysis_id: str, owner: str | None) -> KeptAnalysis:
        """One analysis of that owner, or of anybody where `owner` is None: who asks has proven otherwise that they may.

        Raises AccessDenied for that of another owner and for one that does not exist, in the same words.
        """
        ...

    def latest(self, owner: str, limit: int = 20) -> Sequence[KeptAnalysis]:
        """The newest analyses of that owner."""
        ...
