"""The effects of the Drive search. Each names the type of its result.

The result of a model says who answered: the model, its stand-in, words alone, or nobody (a value of None), and why it
was not the model. No effect for a model carries the text of a file: summaries and metadata only.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from locator_search.core.model_results import ModelResult
from locator_search.drive_search.flow import AskUser, Effect
from locator_search.model import (
    Choice,
    Evidence,
    FacetName,
    Retrieval,
    RetrievalQuery,
    SearchFilters,
    SearchOutcome,
    UnreadMatches,
)


@dataclass(frozen=True, slots=True)
class FileCard:
    """The facts about one file that a model sees when it ranks."""

    id: str
    file_name: str
    summary: str
    keywords: tuple[str, ...]
    modified_at: datetime
    folder_path: str

    @classmethod
    def of(cls, evidence: Evidence) -> FileCard:
        """The card of the file a piece of evidence comes from."""
        return cls(
            id=evidence.file_id,
            file_name=evidence.file_name,
            summary=evidence.summary,
            keywords=evidence.keywords,
            modified_at=evidence.modified_at,
            folder_path=evidence.folder_path,
        )


@dataclass(frozen=True, slots=True)
class RewrittenQuery:
    """The question said better for retrieval."""

    query: str
    keywords: tuple[str, ...]


@dataclass(frozen=True)
class ExtractKeywords(Effect[ModelResult[tuple[str, ...] | None]]):
    """One to five search keywords, proper nouns first."""

    question: str


@dataclass(frozen=True)
class Retrieve(Effect[ModelResult[Retrieval]]):
    """One round of retrieval: embed question and keywords, ask the index."""

    query: RetrievalQuery


@dataclass(frozen=True)
class CountHits(Effect[int]):
    """How many of the hits of a query pass narrower filters, exactly."""

    query: RetrievalQuery
    filters: SearchFilters


@dataclass(frozen=True)
class Verify(Effect[tuple[Evidence, ...]]):
    """Ask the source which of these files still exist and may be shown."""

    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class BeginAnew(Effect[bool]):
    """The source did not confirm that the person may read these files: the search begins anew, as if they were not.
    What came before it counts no more."""

    closed: tuple[str, ...]


@dataclass(frozen=True)
class FindUnread(Effect[UnreadMatches]):
    """Files whose text is not in the index and whose names fit `query`, or are named whole by the `question` as it was
    asked, under the filters the person set."""

    query: RetrievalQuery
    question: str
    set_by_person: SearchFilters


@dataclass(frozen=True)
class Rerank(Effect[ModelResult[tuple[str, ...] | None]]):
    """File ids in the order of the person's intent, as the model says it: not yet to be trusted."""

    question: str
    files: tuple[FileCard, ...]


@dataclass(frozen=True)
class WordQuestion(Effect[ModelResult[str | None]]):
    """One narrowing question about the facet that splits the hits best."""

    question: str
    facet: FacetName | None
    choices: tuple[Choice, ...]
    summaries: tuple[str, ...]


@dataclass(frozen=True)
class AskPerson(AskUser):
    """The narrowing question, with everything found so far. Results in a choice's label, its number, or free text."""

    so_far: SearchOutcome


@dataclass(frozen=True)
class Rewrite(Effect[ModelResult[RewrittenQuery | None]]):
    """Say the question better, knowing what the best hits are about."""

    question: str
    keywords: tuple[str, ...]
    summaries: tuple[str, ...]


@dataclass(frozen=True)
class RelaxKeywords(Effect[ModelResult[tuple[str, ...] | None]]):
    """Nothing was found: fewer keywords. `telling` is how much of the question each of them makes up, in [0, 1]."""

    question: str
    keywords: tuple[str, ...]
    telling: tuple[float, ...]


@dataclass(frozen=True)
class Record(Effect[int]):
    """Store how the search ended; results in its id in the search log."""

    question: str
    outcome: SearchOutcome
    surface: str
