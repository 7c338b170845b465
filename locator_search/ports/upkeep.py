"""Upkeep of the store: tables, backups, health, forgetting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """The health of the index: figures that are 0 where nothing is wrong, and the versions and models it is made of."""

    rows: int
    files_without_row: int
    rows_without_file: int
    vectors_not_unit: int
    dimensions: tuple[int, ...]
    embedding_models: tuple[str, ...]


class IndexInspector(Protocol):
    """Looks for damage in the index."""

    def inspect(self) -> IndexHealth:
        """One look at all rows and chunks."""
        ...


VectorGraph = Literal["not needed", "missing", "built"]
"""The index over vectors that a large collection is searched by; a small one is searched as fast without."""


@dataclass(frozen=True, slots=True)
class SchemaStatus:
    """The tables of the store: migrations applied and pending, rows by table (empty while some are pending)."""

    embedded: bool
    server_version: str
    size_bytes: int
    applied: tuple[str, ...]
    pending: tuple[str, ...]
    rows: Mapping[str, int]
    embedding_model: str | None
    vector_graph: VectorGraph = "not needed"


@dataclass(frozen=True, slots=True)
class BackupReport:
    """A backup that was written or restored: its size in bytes, and the files of the home in it."""

    file: Path
    bytes: int
    files: tuple[str, ...]


class Backup(Protocol):
    """Saves the whole index to one file, and restores it. Raises StoreError and ConfigurationError."""

    def save(self, file: Path, *, with_secrets: bool = False) -> BackupReport:
        """Write a backup while crawls and searches go on."""
        ...

    def restore(self, file: Path, *, replace: bool = False) -> BackupReport:
        """Make the index what the backup holds, as a whole or not at all; over one that is not empty with `replace`."""
        ...


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many remembered texts, answers and embeddings were deleted."""

    texts: int = 0
    answers: int = 0
    embeddings: int = 0


class StoreUpkeep(Protocol):
    """Looks after the tables themselves."""

    def forget_unused(self, now: datetime, after: timedelta) -> Forgotten:
        """Delete what is remembered of files that are gone, or may no longer be read, when it has not been needed for
        that long; 0: at once. What another file needs stays."""
        ...

    def forget_runs(self, before: datetime) -> int:
        """Delete from the history of crawls what ended before; returns how many runs it was."""
        ...

    def last_run(self, name: str) -> datetime | None:
        """The last time a periodic task was done."""
        ...

    def note_run(self, name: str, now: datetime) -> None:
        """Record that a periodic task is done now."""
        ...

    def apply(self) -> list[str]:
        """Apply the migrations that are missing and return their names. Raises SchemaOutOfDate."""
        ...

    def require_current(self) -> None:
        """Raise SchemaOutOfDate unless the tables are those of this program, StoreUnavailable where nobody answers."""
        ...

    def settle_documents(self) -> int:
        """Say what documents the files are that an older program indexed, from the texts that are kept; returns how
        many these were."""
        ...

    def schema(self) -> SchemaStatus:
        """The tables as they are, without changing them."""
        ...

    def build_vector_graph(self) -> VectorGraph:
        """Build the graph of neighbours that a large index is searched by, where it is missing; hinders nobody."""
        ...

    def clear_index_of_other_model(self, embedding_model: str, *, force: bool = False) -> int:
        """Take the embeddings of another model out of the index, so that the next crawl makes those of
        `embedding_model`; words find the files meanwhile. Returns how many there are, 0 when the index belongs to that
        model already. With `force` in that case too: what is remembered of the model is forgotten, and paid again."""
        ...
