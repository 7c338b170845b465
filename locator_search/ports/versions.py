"""Facts that tell whether two files are versions or copies of one document, and states of the index that are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt


class TermCounts(NamedTuple):
    """How often a text holds each of its terms. The number of a term is the store's matter, and the same in all texts;
    one that stands here several times adds up."""

    terms: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


class DocumentKeys(NamedTuple):
    """The identity of a file: the key of its text, equal for equal texts, and that of its document, equal for the
    copies and versions of one document."""

    text: str
    document: str


class VersionReader(Protocol):
    """Reads what the index knows about the contents of files."""

    def keys(self, file_ids: Sequence[str]) -> Mapping[str, DocumentKeys]:
        """The text and the document of each file, by file id; without those that are documents of their own."""
        ...

    def term_counts(self, file_ids: Sequence[str]) -> Mapping[str, TermCounts]:
        """The keyword terms of each file with their occurrences, by file id. Of a long file, those of its beginning."""
        ...


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
