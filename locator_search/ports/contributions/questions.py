"""Questions that people keep, to put them to other contributions again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SavedQuestion:
    """A question a person keeps, to put it to other contributions again."""

    name: str
    question: str


class SavedQuestions(Protocol):
    """Keeps questions, each for the one who asks it. `owner` is as of analyses."""

    def save(self, owner: str, saved: SavedQuestion) -> None:
        """Keep a question under its name, in the place of another one of that name."""
        ...

    def of(self, owner: str) -> list[SavedQuestion]:
        """The questions of that owner, by name."""
        ...

    def delete(self, owner: str, name: str) -> bool:
        """Forget a question; False where there is none of that name."""
        ...
