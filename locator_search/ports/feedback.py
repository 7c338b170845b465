"""Searches as they are remembered: what people thought of the results, and what questions took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Judgement:
    """The grade of one file as a result of one question: 2 useful, 1 opened, 0 not useful."""

    question: str
    file_id: str
    grade: int


@dataclass(frozen=True, slots=True)
class IndexedText:
    """The text of one file as the index holds it."""

    file_id: str
    file_name: str
    text: str


class FeedbackReader(Protocol):
    """Reads what people thought, and the files themselves, out of the database."""

    def judgements(self) -> list[Judgement]:
        """One judgement per question and indexed file, in the order of the questions: the last opinion, else that the
        file was opened."""
        ...

    def texts(self) -> Iterator[IndexedText]:
        """All indexed files, one by one, ordered by file id."""
        ...


Work = Literal["questions", "summaries", "embeddings", "live", "x", "posts", "contributions", "other"]
"""Kinds of work that cost something: the models of a search, of a crawl, of the other systems; posts bought from X."""


@dataclass(frozen=True, slots=True)
class QuestionFigures:
    """The searches of one day, of all days where `day` is None. Seconds are those of searches that were measured."""

    day: date | None
    questions: int
    unanswered: int
    median_seconds: float | None
    p95_seconds: float | None


@dataclass(frozen=True, slots=True)
class WorkFigures:
    """One kind of work on one day (UTC): calls of models, or posts bought."""

    day: date
    work: Work
    calls: int
    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class QuestionUsage:
    """A question, how often it was asked of one system, whether it found nothing the last time, and all that it took.

    An analysis of contributions without a question goes by their numbers. No person stands here.
    """

    system: Literal["search", "x", "contributions"]
    question: str
    times: int
    asked_at: datetime
    unanswered: bool
    seconds: float | None
    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Questions and costs of the last days, oldest day first. Of questions, those asked last, those that cost most,
    and those that found nothing, the most frequent first."""

    total: QuestionFigures
    days: Sequence[QuestionFigures]
    work: Sequence[WorkFigures]
    newest: Sequence[QuestionUsage]
    dearest: Sequence[QuestionUsage]
    unanswered: Sequence[QuestionUsage]


class UsageReader(Protocol):
    """Figures about all questions and their costs."""

    def report(self, days: int) -> UsageReport:
        """Everything of so many days up to today. Raises AccessDenied for people who are no administrators."""
        ...
