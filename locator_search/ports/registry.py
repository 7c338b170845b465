"""Every listed file with its one state, and what was read out of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from locator_search.model import CoverageCounts, Extraction, FileRef, FileState


class ExtractionMemo(Protocol):
    """Remembers what was read out of a content, by (content hash, parser version)."""

    def get(self, content_hash: str, parser_version: str) -> Extraction | None:
        """The remembered extraction, or None."""
        ...

    def put(self, content_hash: str, parser_version: str, extraction: Extraction) -> None:
        """Remember one extraction (good or bad: a poison file is tried once)."""
        ...

    def attempts(self, content_hash: str, parser_version: str) -> int:
        """Count one more attempt, committed before the work begins, and return the count (1 for the first)."""
        ...


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What the registry knows of one listed file.

    `done_revision` is the revision `state` speaks of; it differs from `file.revision` while work is waiting. A pending
    file with `next_try_at` waits for a batch of the model service, at the longest until then.
    """

    file: FileRef
    state: FileState
    reason: str = ""
    done_revision: str | None = None
    pipeline_version: str = ""
    attempts: int = 0
    next_try_at: datetime | None = None
    content_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Extent:
    """How far the work on the files of a source has come.

    `waiting` counts those never looked at, changed since, to be forgotten, or failed and tried again later;
    `covered_until` is the newest modification time below the oldest of them, None when nothing is covered.
    """

    listed: int
    waiting: int
    covered_until: datetime | None


class FileRegistry(Protocol):
    """Every listed file with its one state (table `file_state`)."""

    def known(self, source: str | None = None, file_ids: Sequence[str] | None = None) -> dict[str, KnownFile]:
        """Known files by id: all, those of one source, or those named."""
        ...

    def record_listing(self, files: Iterable[FileRef], seen_at: datetime) -> None:
        """Insert or refresh listed files; keeps their state; new ones, and those let go, are `pending`."""
        ...

    def let_go(self, file_ids: Sequence[str]) -> None:
        """Listed files are gone from their source: `out_of_scope` until they are deleted, or listed again."""
        ...

    def due(self, source: str, pipeline_version: str, now: datetime, limit: int) -> dict[str, KnownFile]:
        """At most `limit` files by id with something to be done now: new, changed, let go, of another pipeline, or
        due for another try. Reads no others."""
        ...

    def extent(self, source: str) -> Extent:
        """How far the work on the files of a source has come."""
        ...

    def set_state(
        self,
        file_id: str,
        state: FileState,
        *,
        reason: str = "",
        revision: str | None = None,
        pipeline_version: str = "",
        content_hash: str | None = None,
        next_try_at: datetime | None = None,
    ) -> None:
        """Say what became of a file at a revision; failed ones count one more attempt, others reset the count."""
        ...

    def coverage(self) -> CoverageCounts:
        """Counts by state and reason."""
        ...
