"""Meetings and contributions as they are kept, and what people asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from locator_search.ports.contributions.documents import (
    Contribution,
    ContributionFile,
    ContributionState,
    DocumentState,
    KnownContribution,
    Meeting,
    NormalisedDocument,
)

RequestKind = Literal["sync", "index"]
"""The kinds of requests: list the newest meetings (target ""), or fetch and index a contribution."""


class ContributionStore(Protocol):
    """Meetings, contributions, files and normalised documents (tables `contribution_*`)."""

    def record_meeting(
        self, meeting: Meeting, contributions: Sequence[Contribution], files: Sequence[ContributionFile]
    ) -> list[str]:
        """Enter or refresh a meeting with all its contributions and files in one transaction; what is no longer listed
        stays. Returns the ids of contributions that are new or of which a file changed: those are `listed` again."""
        ...

    def meetings(self) -> list[Meeting]:
        """All meetings, by id."""
        ...

    def contributions(
        self, meeting_id: str | None = None, contribution_ids: Iterable[str] | None = None
    ) -> list[KnownContribution]:
        """All contributions, those of one meeting, or those named; by meeting and number."""
        ...

    def files(self, contribution_id: str) -> list[ContributionFile]:
        """The files of a contribution, by path."""
        ...

    def record_body(self, file: ContributionFile) -> None:
        """Enter where the body of a file is kept, and its hash."""
        ...

    def replace_documents(self, contribution_id: str, documents: Sequence[NormalisedDocument]) -> list[str]:
        """These are the documents of a contribution now; returns the ids of those that are no more."""
        ...

    def documents(self, contribution_id: str) -> list[NormalisedDocument]:
        """The documents of a contribution, by id."""
        ...

    def document(self, document_id: str) -> NormalisedDocument | None:
        """One document, None where there is none."""
        ...

    def document_states(self, contribution_ids: Iterable[str]) -> list[DocumentState]:
        """How the documents of contributions were read, by contribution and file."""
        ...

    def set_state(
        self,
        contribution_id: str,
        state: ContributionState,
        *,
        reason: str = "",
        pipeline_version: str = "",
        chunk_count: int = 0,
    ) -> None:
        """Say what became of a contribution; failures count one more attempt, anything else resets the count."""
        ...


class ContributionRequests(Protocol):
    """Requests made on a surface that fetches and converts nothing itself; the sensor turns them into runs."""

    def add(self, kind: RequestKind, targets: Iterable[str]) -> None:
        """Ask for something; what is asked for already stays as it is."""
        ...

    def waiting(self, kind: RequestKind) -> list[str]:
        """Requests that are not settled, oldest first."""
        ...

    def settle(self, kind: RequestKind, targets: Iterable[str]) -> None:
        """Settle requests that were carried out, or could not be."""
        ...
