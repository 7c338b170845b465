"""A crawl in figures: counted while its files finish, and summed up at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from locator_search.core.usage import Usage
from locator_search.indexing.crawl import SourceSnapshot
from locator_search.indexing.stages import FileResult
from locator_search.model import FileState, RootWarning
from locator_search.ports import FileRegistry, WaitingBatch


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file whose text could not be had, or not yet."""

    file_id: str
    file_name: str
    reason: str


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """One crawl in figures.

    Every listed file is counted once: `indexed` (by this crawl), `unchanged` (indexed before), `skipped` by reason,
    `failed`, or `waiting` (left over by the limit, or removed while the crawl ran). `chunks`, `model_calls`, `tokens`
    and `cost_usd` are of this crawl alone; `model_calls` counts every request that was paid, of use or not, and what an
    offline model answered.
    """

    mode: Literal["full", "diff"]
    listed: int
    indexed: int
    unchanged: int
    skipped: Mapping[str, int]
    failed: tuple[FailedFile, ...]
    waiting: int
    deleted: int
    chunks: int
    model_calls: int
    tokens: int
    cost_usd: float
    seconds: float
    problem: str = ""
    """Why the listing broke off, if it did: what was listed is indexed, nothing is deleted."""
    stopped: str = ""
    """Why nothing more could be paid, if that was so: what was paid for is indexed, the rest waits."""
    stand_in_summaries: int = 0
    """Files indexed by this crawl with an extract instead of the model's summary; the model is asked again later."""
    without_embeddings: int = 0
    """Files indexed by this crawl that words alone find, because the model gave no embeddings; it is asked again."""
    model_problem: str = ""
    """One sentence about the last failure of a model, empty where none failed."""
    batches: tuple[WaitingBatch, ...] = ()
    """Batches of the model service that files wait for."""
    warnings: tuple[RootWarning, ...] = ()
    """Warnings about source roots: removals that wait to be confirmed, folders out of reach."""


@dataclass
class Tally:
    """Counts of the files of a crawl so far; `gone` are the ids of those that were gone when they were to be read.

    A file may come twice, first with its words and then with its embeddings; what was said of it last counts.
    """

    seen: int = 0
    indexed: set[str] = field(default_factory=set)
    gone: list[str] = field(default_factory=list)
    chunks: dict[str, int] = field(default_factory=dict)
    offline_answers: int = 0
    stand_in_summaries: set[str] = field(default_factory=set)
    without_embeddings: set[str] = field(default_factory=set)
    model_problem: str = ""

    def note(self, result: FileResult) -> None:
        """Count one file as it finishes."""
        self.seen += 1
        if result.ending == "gone":
            self.gone.append(result.file.file_id)
        summary_problem, embedding_problem = (result.fact(s, "problem") for s in ("file_summary", "file_embedding"))
        unpaid = result.fact("file_summary", "cached") is False and not result.fact("file_summary", "calls")
        self.offline_answers += unpaid and summary_problem is None
        if result.ending == "indexed":
            self.indexed.add(result.key)
            self.chunks[result.key] = int(result.fact("drive_file_index", "chunks") or 0)
            waits = embedding_problem or result.fact("file_embedding", "waits")
            _keep(self.stand_in_summaries, result.key, summary_problem)
            _keep(self.without_embeddings, result.key, waits)
        self.model_problem = str(embedding_problem or summary_problem or self.model_problem)

    def report(
        self,
        mode: Literal["full", "diff"],
        snapshot: SourceSnapshot,
        registry: FileRegistry,
        usage: Usage,
        *,
        deleted: int,
        seconds: float,
        stopped: str,
        batches: tuple[WaitingBatch, ...],
        warnings: tuple[RootWarning, ...],
    ) -> CrawlReport:
        """The crawl in figures, at its end. What was not listed is not counted, unless only changes were asked for."""
        settled = registry.settled() - registry.settled(snapshot.not_listed)
        total = registry.count() if snapshot.changes is not None else snapshot.listing.sizes.total()
        indexed = _of(settled, "indexed").total()
        skipped = _of(settled, "skipped", "no_access", "out_of_scope")
        failed = tuple(
            FailedFile(known.file.file_id, known.file.file_name, known.reason)
            for known in registry.failures(snapshot.not_listed)
        )
        return CrawlReport(
            mode=mode,
            listed=total,
            indexed=len(self.indexed),
            unchanged=indexed - _of(registry.settled([*self.indexed]), "indexed").total(),
            skipped=dict(skipped),
            failed=failed,
            waiting=total - indexed - skipped.total() - len(failed),
            deleted=deleted,
            chunks=sum(self.chunks.values()),
            model_calls=usage.calls + self.offline_answers,
            tokens=usage.tokens,
            cost_usd=usage.cost_usd,
            seconds=seconds,
            problem=snapshot.listing.problem,
            stopped=stopped,
            stand_in_summaries=len(self.stand_in_summaries),
            without_embeddings=len(self.without_embeddings),
            model_problem=self.model_problem,
            batches=batches,
            warnings=warnings,
        )


def _of(settled: Mapping[tuple[FileState, str], int], *states: FileState) -> Counter[str]:
    """The files in one of some states, counted by reason."""
    counted: Counter[str] = Counter()
    for (state, reason), files in settled.items():
        if state in states:
            counted[reason] += files
    return counted


def _keep(keys: set[str], key: str, fact: object) -> None:
    """Whether a key is among those of which there is a fact."""
    if fact is None:
        keys.discard(key)
    else:
        keys.add(key)
