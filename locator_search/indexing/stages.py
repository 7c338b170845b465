"""The five stages a file goes through, and what is reported of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal

from locator_search.model import FileRef

Stage = Literal["drive_file", "extracted_text", "file_summary", "file_embedding", "drive_file_index"]
STAGES: tuple[Stage, ...] = ("drive_file", "extracted_text", "file_summary", "file_embedding", "drive_file_index")

Ending = Literal["indexed", "unchanged", "stopped", "skipped", "failed", "no_access", "gone"]
"""How one pass over a file ended. `stopped`: after the last stage asked for; `gone`: removed since it was listed."""

Fact = str | int | float | bool


@dataclass(frozen=True, slots=True)
class StageReport:
    """One finished stage: how long it took and what there is to know about it."""

    stage: Stage
    seconds: float
    facts: Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class FileResult:
    """One pass over one file. `failed_stage` is the stage that did not finish, where one did not.

    `reason` is a sentence; of a file that was left alone (`unchanged`) it is the state it is in.
    """

    file: FileRef
    ending: Ending
    stages: tuple[StageReport, ...] = ()
    reason: str = ""
    failed_stage: Stage | None = None

    def fact(self, stage: Stage, name: str) -> Fact | None:
        """One fact of one stage, None when that stage was not reached."""
        return next((report.facts.get(name) for report in self.stages if report.stage == stage), None)


@dataclass
class StageLog:
    """Collects reports while a file is worked on."""

    reports: list[StageReport] = field(default_factory=list)

    @property
    def next_stage(self) -> Stage:
        """The stage under way, or the one that comes next."""
        return STAGES[min(len(self.reports), len(STAGES) - 1)]

    @contextmanager
    def stage(self, stage: Stage) -> Iterator[dict[str, Fact]]:
        """Times a stage and takes its facts; a stage that raises is not reported."""
        started = perf_counter()
        facts: dict[str, Fact] = {}
        yield facts
        self.reports.append(StageReport(stage, round(perf_counter() - started, 4), facts))
