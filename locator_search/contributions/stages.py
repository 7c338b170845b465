"""The stages a contribution goes through, and how one pass ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from locator_search.indexing.stages import Fact, StageReport
from locator_search.ports import Contribution, DocumentState

ContributionStage = Literal["contribution_archive", "normalized_docx", "contribution_chunks", "contribution_index"]
CONTRIBUTION_STAGES: tuple[ContributionStage, ...] = (
    "contribution_archive",
    "normalized_docx",
    "contribution_chunks",
    "contribution_index",
)

Ending = Literal["indexed", "unchanged", "stopped", "skipped", "failed"]
"""How one pass over a contribution ended. `stopped`: after the last stage asked for."""


@dataclass(frozen=True, slots=True)
class ContributionResult:
    """One pass over one contribution. `reason` is `code` or `code: what the program said` of one that was skipped or
    failed, which an unforeseen failure has no code for. `failed_stage` is the stage that did not finish, where one did
    not; `documents` are those that were read in this pass."""

    contribution: Contribution
    ending: Ending
    stages: tuple[StageReport[ContributionStage], ...] = ()
    reason: str = ""
    failed_stage: ContributionStage | None = None
    documents: tuple[DocumentState, ...] = ()

    @property
    def key(self) -> str:
        """Identifies the contribution wherever results are shown."""
        return self.contribution.contribution_id

    @property
    def name(self) -> str:
        """Its name for people."""
        return self.contribution.number

    def fact(self, stage: ContributionStage, name: str) -> Fact | None:
        """One fact of one stage, None when that stage was not reached."""
        return next((report.facts.get(name) for report in self.stages if report.stage == stage), None)
