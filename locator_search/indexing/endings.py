"""Ends the work on a file that cannot be indexed: its state, its reason, and when it is tried again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from locator_search.core.errors import LocatorError
from locator_search.core.masking import mask
from locator_search.indexing.diff import ACCESS_RETRY, next_try
from locator_search.indexing.reading import Quarantined
from locator_search.indexing.stages import FileResult, Stage, StageLog
from locator_search.model import Extraction, FileRef
from locator_search.ports import FileRegistry, KnownFile

SKIPPED = frozenset({"unsupported", "empty", "suspicious", "encrypted", "too-large"})
"""Extractions that end as expected for a file of that kind; the others are failures."""

LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class Endings:
    """Enters an ending into the registry and says so in a result. `version` is that of the pipeline."""

    registry: FileRegistry
    now: datetime
    version: str
    log: StageLog[Stage]

    def no_access(self, file: FileRef, error: Exception) -> FileResult:
        """The file may not be read, so its text may not be found; tried again every day, because permissions can change
        without a trace. What was read and paid stays remembered.
        """
        self.registry.set_state(
            file.file_id,
            "no_access",
            reason="no-access",
            revision=file.revision,
            pipeline_version=self.version,
            next_try_at=self.now + ACCESS_RETRY,
        )
        return FileResult(file, "no_access", tuple(self.log.reports), _sentence(error), self.log.next_stage)

    def no_text(self, file: FileRef, sha256: str | None, extraction: Extraction) -> FileResult:
        """The content gives no text, and what was indexed of an earlier one is no longer true: final until content or
        parser change, or a person asks.
        """
        ending: Literal["skipped", "failed"] = "skipped" if extraction.state in SKIPPED else "failed"
        sentence = f"{extraction.state}: {extraction.reason}" if extraction.reason else extraction.state
        self.registry.set_state(
            file.file_id,
            ending,
            reason=extraction.state if ending == "skipped" else sentence,
            revision=file.revision,
            pipeline_version=self.version,
            content_hash=sha256,
            withdraw=True,
        )
        return FileResult(file, ending, tuple(self.log.reports), sentence, self.log.next_stage)

    def failure(self, file: FileRef, known: KnownFile | None, error: Exception) -> FileResult:
        """Something else went wrong: tried again later, ever more rarely. The text of an earlier content stays as long
        as another try is to come.
        """
        reason, next_try_at = _sentence(error), self._next_try(file, known, error)
        self.registry.set_state(
            file.file_id,
            "failed",
            reason=reason,
            revision=file.revision,
            pipeline_version=self.version,
            next_try_at=next_try_at,
            withdraw=next_try_at is None,
        )
        return FileResult(file, "failed", tuple(self.log.reports), reason, self.log.next_stage)

    def _next_try(self, file: FileRef, known: KnownFile | None, error: Exception) -> datetime | None:
        """A file that is not at fault is never given up: in the end it is tried once a day. One that has changed begins
        anew.
        """
        if isinstance(error, Quarantined):
            return self.now + ACCESS_RETRY
        attempts = (known.attempts if known is not None and known.done_revision == file.revision else 0) + 1
        once_a_day = None if _is_its_own_fault(error) else self.now + ACCESS_RETRY
        return next_try(attempts, self.now) or once_a_day


def _is_its_own_fault(error: Exception) -> bool:
    """Whether the file itself is to blame, and not a silent service, an ended process, a full disk or short memory."""
    if isinstance(error, LocatorError):
        return not error.retryable
    return not isinstance(error, OSError | MemoryError)


def _sentence(error: Exception) -> str:
    words = error.message if isinstance(error, LocatorError) else mask(f"{type(error).__name__}: {error}")
    return " ".join(words.split())[:LONGEST_REASON]
