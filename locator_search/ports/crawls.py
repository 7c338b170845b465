"""Crawls: the roots and files they list, how far they have come, what each run did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from locator_search.model import FileRef, FileState, SourceRoot


@dataclass(frozen=True, slots=True)
class ListedRoot:
    """How the listing of one root went: the files it showed and the folders it could not look into.

    A root that could not be listed itself has a `problem`, in a sentence; so has one whose `rules` who may read it are
    wrong.
    """

    root: SourceRoot
    files: int = 0
    unlisted: tuple[str, ...] = ()
    problem: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A listed file as the registry knows it.

    `done_revision` is the revision `state` speaks of; it differs from `file.revision` while work is waiting. A pending
    file with `next_try_at` waits for a batch of the model service, at the longest until then; an indexed one is asked
    about then, because something stands in for what a model should have made of it. A file that
    was not in the last listing and is kept nevertheless is missing since then.
    """

    file: FileRef
    state: FileState
    reason: str = ""
    done_revision: str | None = None
    pipeline_version: str = ""
    attempts: int = 0
    next_try_at: datetime | None = None
    content_hash: str | None = None
    missing_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Extent:
    """The progress of the work on the files of some roots.

    `waiting` counts those never looked at, changed since, to be forgotten, or failed and tried again later;
    `covered_until` is the newest modification time below the oldest of them, None when nothing is covered.
    """

    listed: int
    waiting: int
    covered_until: datetime | None


USUAL_PACE = 0.1
"""Seconds for a file as long as no crawl has told: about what office files take without a model."""
FORMER_FILES = 20
"""So many files does the pace of the last crawl count for, beside those done now."""


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """How far the work on the files of our roots has come: those that wait, those done within the last minute, and the
    names of the last ones that were indexed.

    `seconds` have gone since the first of that minute was listed or done; None where nothing moved. `pace` are the
    seconds for a file of the last crawl. Files `in_batches` of a model do not wait for a crawl, and no crawl is under
    way for hours because of them.
    """

    waiting: int
    done: int
    seconds: float | None
    latest: Sequence[str] = ()
    pace: float = USUAL_PACE
    in_batches: int = 0

    @property
    def files_per_minute(self) -> int:
        """The speed of the last minute, or of what has gone of it."""
        return round(60 * self.done / self.seconds) if self.seconds else 0

    @property
    def seconds_left(self) -> float | None:
        """By the last crawl, then more and more by the last minute; None while nothing moves."""
        if self.seconds is None:
            return None
        return self.waiting * (self.seconds + FORMER_FILES * self.pace) / (self.done + FORMER_FILES)


@dataclass(frozen=True, slots=True)
class CrawlRun:
    """One run over files and its doings. `states` counts all files of its roots by state, as it left them; `same_roots`
    is false where folders have been added or taken away since."""

    run_id: str
    started_at: datetime
    finished_at: datetime
    states: Mapping[FileState, int]
    indexed: int = 0
    skipped: int = 0
    failed: int = 0
    removed: int = 0
    model_calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    same_roots: bool = True

    @property
    def seconds(self) -> float:
        """The time it took."""
        return (self.finished_at - self.started_at).total_seconds()
