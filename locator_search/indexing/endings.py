"""What becomes of a file that is not indexed: its state, its reason, and when it is tried again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from locator_search.errors import LocatorError, SourceError
from locator_search.indexing.diff import ACCESS_RETRY, next_try
from locator_search.indexing.stages import FileResult, Stage, StageLog
from locator_search.model import Extraction, FileRef
from locator_search.ports import FileRegistry, IndexStore, KnownFile

SKIPPED = frozenset({"unsupported", "empty", "suspicious", "encrypted", "too-large"})
"""Extractions that end as expected for a file of that kind; the others are failures."""

LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class Endings:
    """Enters an ending into the registry and says so in a result. `version` is that of the pipeline."""

    registry: FileRegistry
    index: IndexStore
    now: datetime
    version: str
    log: StageLog[Stage]

    def no_access(self, file: FileRef, error: Exception) -> FileResult:
        """The file may not be read; permissions can change without a trace, so it is tried again every day."""
        self.registry.set_state(
            file.file_id,
            "no_access",
            reason="no-access",
            revision=file.revision,
            pipeline_version=self.version,
            next_try_at=self.now + ACCESS_RETRY,
        )
        return FileResult(file, "no_access", tuple(self.log.reports), _sentence(error), self.log.next_stage)

    def no_text(self, file: FileRef, known: KnownFile | None, sha256: str | None, extraction: Extraction) -> FileResult:
        """The content gives no text: final until content or parser change, or a person asks."""
        ending: Literal["skipped", "failed"] = "skipped" if extraction.state in SKIPPED else "failed"
        sentence = f"{extraction.state}: {extraction.reason}" if extraction.reason else extraction.state
        if known is not None and known.state != "pending":
            # What was indexed of an earlier revision is no longer true. Deleting forgets the file; list it anew.
            self.index.delete([file.file_id])
            self.registry.record_listing([file], self.now)
        self.registry.set_state(
            file.file_id,
            ending,
            reason=extraction.state if ending == "skipped" else sentence,
            revision=file.revision,
            pipeline_version=self.version,
            content_hash=sha256,
        )
        return FileResult(file, ending, tuple(self.log.reports), sentence, self.log.next_stage)

    def failure(self, file: FileRef, known: KnownFile | None, error: Exception) -> FileResult:
        """Something else went wrong: tried again later, ever more rarely."""
        reason = _sentence(error)
        attempts = (known.attempts if known is not None else 0) + 1
        self.registry.set_state(
            file.file_id,
            "failed",
            reason=reason,
            revision=file.revision,
            pipeline_version=self.version,
            next_try_at=next_try(attempts, self.now) or self._once_a_day(error),
        )
        return FileResult(file, "failed", tuple(self.log.reports), reason, self.log.next_stage)

    def _once_a_day(self, error: Exception) -> datetime | None:
        """A source that is out of reach for long is no reason to give its files up."""
        return self.now + ACCESS_RETRY if isinstance(error, SourceError) and error.retryable else None


def _sentence(error: Exception) -> str:
    words = error.message if isinstance(error, LocatorError) else f"{type(error).__name__}: {error}"
    return " ".join(words.split())[:LONGEST_REASON]
