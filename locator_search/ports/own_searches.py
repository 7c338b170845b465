"""Searches people come back to: those they asked last, those they saved, and the one they are in the middle of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class OwnSearch:
    """A question with the filters of the page, as its address says them. `search_id` is the same for the same search.

    Of a saved one, `seen` are the files that were hits when the person looked last; None where these were too many.
    """

    search_id: str
    question: str
    filters: str
    asked_at: datetime
    saved: bool
    seen: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question that somebody may be shown, and the files its searches led to that this person may read.

    `searches` count those of the last weeks whose first file is one of these. `shared` says that several people asked
    it; else it is the person's own.
    """

    question: str
    searches: int
    shared: bool
    file_ids: tuple[str, ...]


class OwnSearchStore(Protocol):
    """Keeps searches, each for the one who made it. `owner` is as of analyses; nobody sees those of another one."""

    def ask(self, owner: str, search_id: str, question: str, filters: str, most: int) -> None:
        """Keep what was asked now; of those that are not saved, only the newest so many stay."""
        ...

    def save(self, owner: str, search_id: str, question: str, filters: str, most: int) -> bool:
        """Keep a search for good; False where so many are saved already."""
        ...

    def see(self, owner: str, search_id: str, seen: Sequence[str] | None) -> None:
        """The person looks at a saved search, and these files are the hits."""
        ...

    def of(self, owner: str) -> list[OwnSearch]:
        """The searches of that owner, those asked last first."""
        ...

    def forget(self, owner: str, search_ids: Sequence[str]) -> int:
        """Forget searches of that owner; returns how many there were."""
        ...

    def asked(self, owner: str, days: int, fewest: int) -> list[AskedQuestion]:
        """Questions of so many last days that led whoever asks now to a file: own ones, and those that at least
        `fewest` people keep and that led to it at least as often; the most usual first. Saved searches do not count."""
        ...


class PageSteps(Protocol):
    """Keeps the steps of searches on pages for a day, each under a key that nobody guesses."""

    def keep(self, key: str, step: str) -> None:
        """Keep a step."""
        ...

    def step(self, key: str) -> str | None:
        """The step of a key, while it is kept."""
        ...
