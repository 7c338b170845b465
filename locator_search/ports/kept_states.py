"""States of the main index that are kept under a name, to be searched again later."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class KeptState:
    """The index as it was at one moment: how many documents it had, and how many bytes its copy takes."""

    name: str
    kept_at: datetime
    documents: int
    bytes: int


class KeptStates(Protocol):
    """Keeps copies of the index beside it. Names have 1 to 50 bytes of UTF-8 without control characters."""

    def keep(self, name: str, now: datetime) -> KeptState:
        """Copy the index as it is at this moment; crawls and searches go on. Raises ConfigurationError for a name that
        is none, or is taken, StoreError."""
        ...

    def all(self) -> list[KeptState]:
        """The states that are kept, newest first."""
        ...

    def find(self, name: str) -> KeptState:
        """The state of that name. Raises ConfigurationError where there is none."""
        ...

    def drop(self, name: str) -> KeptState:
        """Remove a state; returns what it was. Raises ConfigurationError where there is none."""
        ...

    def schema(self, state: KeptState) -> str:
        """Where its tables are, brought up to date. Raises SchemaOutOfDate where a newer program kept it."""
        ...
