"""Searches people come back to: those they asked last, those they saved, and the one they are in the middle of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
class KeptHit:
    """A document as a search found it: the file shown, the versions of what was made of that (its name and folder among
    them), and the files folded under it."""

    file_id: str
    versions: Mapping[str, str]
    folded: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name the file had."""
        return self.versions.get("name", self.file_id)


@dataclass(frozen=True, slots=True)
class Look:
    """A saved search at one moment: the first documents, best first, of `hit_count`; what the search was
    made with, by name; how many files the index had for its owner, and when one was indexed last."""

    looked_at: datetime
    hit_count: int
    found: tuple[KeptHit, ...]
    made_with: Mapping[str, str]
    files: int
    newest: datetime | None


@dataclass(frozen=True, slots=True)
class FileNow:
    """A listed file as it is now. `versions` is empty where it is not searched. `first_seen_at` None: before that was
    kept."""

    readable: bool
    state: str
    first_seen_at: datetime | None
    modified_at: datetime
    indexed_at: datetime | None
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question that somebody may be shown, and the files its searches led to first that this person may read.

    `searches` count those of the last weeks that led to one of these. `shared` says that several people asked
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

    def keep_look(self, owner: str, search_id: str, look: Look, most: int) -> None:
        """Keep what a saved search found, unless it found the same the last time; the newest so many looks stay."""
        ...

    def looks(self, owner: str, search_id: str) -> list[Look]:
        """The looks at a search that are kept, newest first."""
        ...

    def files_now(self, file_ids: Sequence[str]) -> dict[str, FileNow]:
        """Of these files those that are still listed, by id. Of what the reader may not read, that alone is told."""
        ...

    def index_now(self) -> tuple[Mapping[str, str], int, datetime | None]:
        """The parts the index is made with, by name, how many of its files the reader may find, when one came last."""
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

    def parts_holding(self, terms: Collection[str]) -> dict[str, float]:
        """The part of all chunks that hold a term, in (0, 1], for each that one holds."""
        ...


class PageSteps(Protocol):
    """Keeps the steps of searches on pages for a day, each under a key that nobody guesses."""

    def keep(self, key: str, step: str) -> None:
        """Keep a step."""
        ...

    def step(self, key: str) -> str | None:
        """The step of a key, while it is kept."""
        ...
