"""The needs of a search besides the index: access checks and logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, runtime_checkable

from locator_search.core.model_results import ModelResult
from locator_search.model import Evidence, RetrievalQuery, SearchCoverage, SearchFilters, SearchOutcome, UnreadFile


class EvidenceProvider(Protocol):
    """Anything that answers a query with evidence."""

    def search(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """At most `top_k` pieces of evidence, best first."""
        ...

    async def asearch(self, query: str, filters: SearchFilters, top_k: int = 10) -> list[Evidence]:
        """The same without blocking an event loop."""
        ...


@runtime_checkable
class NotedEvidenceProvider(EvidenceProvider, Protocol):
    """An EvidenceProvider that goes on without its embedding model, and says so."""

    def look(self, query: str, filters: SearchFilters, top_k: int = 10) -> ModelResult[list[Evidence]]:
        """The evidence of `search`, and who embedded the query; without the model, words alone are searched. Raises
        StoreError."""
        ...


class AccessChecker(Protocol):
    """Asks the source, at query time, whether files still exist, may be read and are unchanged."""

    def check(self, evidence: Sequence[Evidence], *, names_alone: bool = False) -> list[Evidence]:
        """The evidence that may be shown, with `verified` and `freshness` filled in; gone or forbidden are left out.

        `names_alone` are shown of files whose content may not be read, too.
        """
        ...


class UnreadReader(Protocol):
    """Knows the files whose text is not in the index by their names."""

    def matching(self, query: RetrievalQuery, limit: int) -> list[UnreadFile]:
        """At most `limit` of those whose name, with the folder, is similar enough to the query, and of those the query
        says the whole name of, which come first. The filters of the query hold."""
        ...

    def coverage(self) -> SearchCoverage:
        """How many files are listed, and how many are searched."""
        ...


class SearchLog(Protocol):
    """Keeps what was asked and how it ended."""

    def record(
        self,
        question: str,
        outcome: SearchOutcome,
        surface: str,
        seconds: float,
        steps: Mapping[str, float] | None = None,
    ) -> int:
        """Store one finished search, the seconds from the question, or the last answer, to its end, and those of its
        `steps` by their kind, where somebody measured them; returns its id."""
        ...

    def feedback(self, search_id: int, file_id: str, useful: bool) -> None:
        """Store what a person thought of one result."""
        ...

    def opened(self, search_id: int, file_id: str) -> None:
        """Store that a person opened one result."""
        ...


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A question, or the opening of a file. `file_name` is with its folder, as it was then."""

    at: datetime
    person: str
    kind: Literal["asked", "opened"]
    surface: str
    question: str
    file_id: str
    file_name: str


class AuditLog(Protocol):
    """Keeps questions and openings for administrators, for a time."""

    def asked(self, question: str, surface: str, file_id: str = "") -> None:
        """Who reads asked a question, or for what is like a file. Raises AccessDenied where nobody is named."""
        ...

    def opened(self, file_id: str, surface: str) -> None:
        """Who reads was shown the text of a file, or the file itself. Raises as `asked` does."""
        ...

    def entries(self, since: datetime | None = None) -> Sequence[AuditEntry]:
        """Everything kept from that time on, oldest first. Raises AccessDenied for people who are no administrators."""
        ...
