"""Figures about the index, and what stands behind each part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from locator_search.model import CoverageCounts, Facet, FileState, RootState
from locator_search.ports.batches import WaitingBatch
from locator_search.ports.calibration import MeasuredCalibration
from locator_search.ports.crawls import CrawlProgress, CrawlRun, KnownFile


@dataclass(frozen=True, slots=True)
class SyncState:
    """The last completed crawl (table `drive_sync_state`). `drive_modified_at` is the newest time it covered."""

    drive_modified_at: datetime
    mode: str
    started_at: datetime
    finished_at: datetime
    listed: int


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The index in figures, for `status` and the status page. `coverage` and `last_sync` are of our roots alone.

    `files` are all that are indexed, those of other roots included; `stand_in_summaries` and `without_embeddings`
    count indexed files that a model is asked about again.
    """

    coverage: CoverageCounts
    chunks: int
    last_sync: SyncState | None
    newest_indexed_at: datetime | None
    embedding_model: str | None
    model_calls: int
    tokens: int
    cost_usd: float
    batches: tuple[WaitingBatch, ...] = ()
    calibration: MeasuredCalibration | None = None
    roots: tuple[RootState, ...] = ()
    stand_in_summaries: int = 0
    without_embeddings: int = 0
    files: int = 0

    @property
    def calibration_is_old(self) -> bool:
        """Whether the index has doubled since its calibration was measured."""
        return self.calibration is not None and self.files >= 2 * self.calibration.files


class Sample(NamedTuple):
    """One figure now. `name` is without prefix; units stand at its end."""

    name: str
    labels: Mapping[str, str]
    value: float


class MetricsReader(Protocol):
    """Figures for whoever watches the deployment, over all machines."""

    def samples(self) -> list[Sample]:
        """All figures. Raises StoreUnavailable."""
        ...

    def dagster_rests(self) -> bool:
        """Whether Dagster has tables, and no run that is under way or holds a place in a pool."""
        ...


@dataclass(frozen=True, slots=True)
class FileStory:
    """A listed file and how far it came. `indexed_at` is the time of the text that is searched, None where none is;
    `by_model` says whether a model wrote its summary."""

    known: KnownFile
    seen_at: datetime
    tried_at: datetime
    partition_key: str | None
    indexed_at: datetime | None
    chunks: int
    characters: int
    by_model: bool


class StatusReader(Protocol):
    """Figures about the index."""

    def status(self) -> IndexStatus:
        """Counts, last sync and cost so far."""
        ...

    def files_in(self, states: Sequence[FileState], limit: int = 200) -> list[KnownFile]:
        """Files in some states, newest first."""
        ...

    def stories(self, words: str = "", *, file_id: str | None = None, limit: int = 50) -> list[FileStory]:
        """Files with all the words in name or folder, those first that are not searched; or the one of that id."""
        ...

    def progress(self) -> CrawlProgress:
        """How far the work has come."""
        ...

    def record_run(self, run: CrawlRun) -> None:
        """Keep what a run did."""
        ...

    def runs(self, limit: int = 60) -> list[CrawlRun]:
        """The last runs over any of our roots, oldest first."""
        ...

    def facets(self) -> tuple[Facet, ...]:
        """How the indexed files spread over folders, types and periods (for filters)."""
        ...

    def text_lengths(self, file_ids: Sequence[str]) -> dict[str, int]:
        """Characters of text by file, of those among the named files that are indexed."""
        ...

    def finish_sync(self, state: SyncState) -> None:
        """Record a completed crawl; `drive_modified_at` never moves backward."""
        ...


@dataclass(frozen=True, slots=True)
class PartStatus:
    """The state of one part of the product. `state`: real, offline, embedded, missing or failing; for_administrators
    where whoever asks is not told.

    `label` is how a person calls a part that surfaces have no name of their own for.
    """

    name: str
    state: Literal["real", "offline", "embedded", "missing", "failing", "for_administrators"]
    detail: str
    hint: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)
    label: str = ""
