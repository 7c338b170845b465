"""Counts and seconds of the searches of a collection in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from time import perf_counter
from typing import Literal

Arm = Literal["embedding", "vector", "keyword"]
"""The question made into a vector, and the two stores."""


@dataclass(frozen=True, slots=True)
class ArmMetrics:
    """How often one arm was asked, and the seconds of all times together."""

    calls: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchMetrics:
    """Figures since the collection was opened in this process.

    `searches` are all, by mode in `by_mode`; among them `failed` raised an error, `empty` found nothing and
    `without_model` had to do without their embedding model. `results` is the number of chunks returned. `seconds` is
    what all searches took together and `slowest` what one took at most; `arms` has the parts of it. Searches that run
    at the same time count their seconds each.
    """

    searches: int = 0
    failed: int = 0
    empty: int = 0
    without_model: int = 0
    results: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    by_mode: Mapping[str, int] = field(default_factory=dict)
    arms: Mapping[Arm, ArmMetrics] = field(default_factory=dict)

    @property
    def mean_seconds(self) -> float:
        """The seconds of a search on average; 0 before the first."""
        return self.seconds / self.searches if self.searches else 0.0


class SearchCounter:
    """Counts searches of several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._figures = SearchMetrics()

    def figures(self) -> SearchMetrics:
        """Everything counted so far; it does not change any more."""
        with self._lock:
            return self._figures

    @contextmanager
    def search(self, mode: str) -> Iterator[list[object]]:
        """Count the search of a block, which puts what it found into the list."""
        found: list[object] = []
        begun, failed = perf_counter(), True
        try:
            yield found
            failed = False
        finally:
            seconds = perf_counter() - begun
            with self._lock:
                now = self._figures
                self._figures = replace(
                    now,
                    searches=now.searches + 1,
                    failed=now.failed + failed,
                    empty=now.empty + (not failed and not found),
                    results=now.results + (0 if failed else len(found)),
                    seconds=now.seconds + seconds,
                    slowest=max(now.slowest, seconds),
                    by_mode={**now.by_mode, mode: now.by_mode.get(mode, 0) + 1},
                )

    @contextmanager
    def arm(self, name: Arm) -> Iterator[None]:
        """Count the time of a block for one arm, whether it ends well or not."""
        begun = perf_counter()
        try:
            yield
        finally:
            seconds = perf_counter() - begun
            with self._lock:
                before = self._figures.arms.get(name, ArmMetrics())
                told = ArmMetrics(before.calls + 1, before.seconds + seconds)
                self._figures = replace(self._figures, arms={**self._figures.arms, name: told})

    def without_model(self) -> None:
        """Count a search that goes on without its embedding model."""
        with self._lock:
            self._figures = replace(self._figures, without_model=self._figures.without_model + 1)
