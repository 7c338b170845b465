"""The five stages a file goes through, what is reported of stages in general, and the groups of the last one: one
transaction of eight files costs less than half of eight transactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from time import perf_counter
from typing import Generic, Literal, TypeVar

from locator_search.core.errors import (
    BudgetExhausted,
    ConfigurationError,
    DimensionMismatch,
    QuotaUsedUp,
    ReadingStopped,
    SchemaOutOfDate,
    StoreUnavailable,
)
from locator_search.model import FileRef, IndexEntry

StageName = TypeVar("StageName", bound=str)
Stage = Literal["drive_file", "extracted_text", "file_summary", "file_embedding", "drive_file_index"]
STAGES: tuple[Stage, ...] = ("drive_file", "extracted_text", "file_summary", "file_embedding", "drive_file_index")

NOT_ABOUT_ONE_FILE = (
    BudgetExhausted,
    ConfigurationError,
    QuotaUsedUp,
    ReadingStopped,
    StoreUnavailable,
    SchemaOutOfDate,
    DimensionMismatch,
)
"""Errors that every other file would meet, too."""

MOST_FILES = 8
MOST_CHUNKS = 200
"""Long files wait for no others, so that no transaction becomes long because of its company."""
LONGEST_WAIT_SECONDS = 1.0

Ending = Literal["indexed", "unchanged", "stopped", "skipped", "failed", "no_access", "gone", "postponed"]
"""How one pass over a file ended. `stopped`: after the last stage asked for; `gone`: removed since it was listed;
`postponed`: to be read when no other file is."""

Fact = str | int | float | bool


@dataclass(frozen=True, slots=True)
class StageReport(Generic[StageName]):
    """One finished stage: how long it took and what there is to know about it. `told_before`: nothing new."""

    stage: StageName
    seconds: float
    facts: Mapping[str, Fact]
    told_before: bool = False


@dataclass(frozen=True, slots=True)
class FileResult:
    """One pass over one file. `failed_stage` is the stage that did not finish, where one did not.

    `reason` is a sentence; of a file that was left alone (`unchanged`) it is the state it is in.
    """

    file: FileRef
    ending: Ending
    stages: tuple[StageReport[Stage], ...] = ()
    reason: str = ""
    failed_stage: Stage | None = None

    @property
    def key(self) -> str:
        """The id of the file."""
        return self.file.file_id

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.file.file_name

    def without_what_was_told(self) -> FileResult:
        """Of a pass that fills in what a model owed: only what it made is news, not what was remembered."""
        first = next((place for place, report in enumerate(self.stages) if report.facts.get("cached") is False), 3)
        told = (replace(report, told_before=place < first) for place, report in enumerate(self.stages))
        return replace(self, stages=tuple(told))

    def fact(self, stage: Stage, name: str) -> Fact | None:
        """One fact of one stage, None when that stage was not reached."""
        return next((report.facts.get(name) for report in self.stages if report.stage == stage), None)


@dataclass
class StageLog(Generic[StageName]):
    """Collects reports while something is taken through the stages of `order`."""

    order: tuple[StageName, ...]
    reports: list[StageReport[StageName]] = field(default_factory=list)

    @property
    def next_stage(self) -> StageName:
        """The stage under way, or the one that comes next."""
        return self.order[min(len(self.reports), len(self.order) - 1)]

    @contextmanager
    def stage(self, stage: StageName) -> Iterator[dict[str, Fact]]:
        """Times a stage and takes its facts; a stage that raises is not reported."""
        started = perf_counter()
        facts: dict[str, Fact] = {}
        yield facts
        self.reports.append(StageReport(stage, round(perf_counter() - started, 4), facts))


@dataclass(eq=False)
class _Ready:
    """A file that is ready, and what becomes of it."""

    entry: IndexEntry
    written: Future[None] = field(default_factory=Future)


class GroupedWrites:
    """Files that several threads have ready are written together. Each waits a moment for those that are under way,
    and until it is written; the thread that makes a group complete writes it.
    """

    def __init__(self, write: Callable[[Sequence[IndexEntry]], None]) -> None:
        self._write_in_one = write
        self._lock = Lock()
        self._ready: list[_Ready] = []
        self._under_way = 0

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """A file is worked on that may be ready in the end."""
        with self._lock:
            self._under_way += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1
                group = self._complete_group()
            self._write(group)

    def write(self, entry: IndexEntry) -> None:
        """Returns when the file is written. Raises what went wrong with it, and not what did with another file."""
        mine = _Ready(entry)
        with self._lock:
            self._ready.append(mine)
            group = self._complete_group()
        if not group and not wait([mine.written], LONGEST_WAIT_SECONDS).done:
            with self._lock:
                if mine in self._ready:
                    group = self._taken()
        self._write(group)
        mine.written.result()

    def _complete_group(self) -> list[_Ready]:
        """Those that are ready, if there are enough of them or no others will follow; else nothing."""
        chunks = sum(len(each.entry.chunks) for each in self._ready)
        complete = len(self._ready) >= min(MOST_FILES, self._under_way) or chunks >= MOST_CHUNKS
        return self._taken() if complete else []

    def _taken(self) -> list[_Ready]:
        group, self._ready = self._ready, []
        return group

    def _write(self, group: Sequence[_Ready]) -> None:
        """In one transaction, or one by one where one of them spoils it."""
        if not group:
            return
        try:
            self._write_in_one([each.entry for each in group])
        except NOT_ABOUT_ONE_FILE as error:
            _fail(group, error)
        except BaseException as error:  # nobody may be left waiting
            if len(group) > 1 and isinstance(error, Exception):
                for each in group:
                    self._write([each])
            else:
                _fail(group, error)
        else:
            for each in group:
                each.written.set_result(None)


def _fail(group: Sequence[_Ready], error: BaseException) -> None:
    for each in group:
        each.written.set_exception(error)
