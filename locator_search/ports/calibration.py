"""Samples that a calibration is measured on, and the store that keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from locator_search.model import Vector


@dataclass(frozen=True, slots=True)
class SampledFile:
    """A file of the index with some of its chunks, at least one. `embeddings`: float32 (len(texts), dimensions)."""

    file_id: str
    file_name: str
    texts: tuple[str, ...]
    embeddings: Vector


@dataclass(frozen=True, slots=True)
class MeasuredCalibration:
    """A calibration measured on the index it is kept with: rising pairs (cosine, similarity).

    `files`: how many files the index had then.
    """

    anchors: tuple[tuple[float, float], ...]
    files: int
    measured_at: datetime


class CalibrationStore(Protocol):
    """The calibration kept with an index, and samples of the index to measure it on."""

    def files(self) -> int:
        """Number of indexed files."""
        ...

    def sample(self, count: int) -> list[SampledFile]:
        """At most `count` files with chunks, drawn evenly; the same ones while the index stays the same."""
        ...

    def measured(self) -> MeasuredCalibration | None:
        """The calibration measured on this index; None where that of its model holds."""
        ...

    def anchors_in_use(self) -> tuple[tuple[float, float], ...]:
        """The pairs (cosine, similarity) that searches go by; none for an empty index."""
        ...

    def keep(self, measured: MeasuredCalibration) -> None:
        """Use this calibration from the next search on. An empty index keeps none."""
        ...

    def forget(self) -> bool:
        """Return to the calibration of the model; whether there was another one."""
        ...
