"""The five stages a file goes through, and what is reported of stages in general."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
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
from locator_search.model import FileRef

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
