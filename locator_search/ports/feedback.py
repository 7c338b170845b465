"""People's judgements of results, and the documents they judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


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
