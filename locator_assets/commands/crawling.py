"""One crawl inside this process, through the same assets and the same Dagster instance as the sensor's runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import dagster as dg

from locator_assets.commands.crawl_report import CrawlReport, Tally
from locator_assets.commands.looking import Look
from locator_assets.commands.running import run_here
from locator_assets.drive.assets import index_files_job
from locator_assets.drive.checks import health_job
from locator_assets.drive.definitions import crawl_defs
from locator_assets.drive.purge import purge_files_job
from locator_assets.drive.recovery import files_under_way, pool_is_taken, recover_lost_runs, set_pool_slots
from locator_assets.drive.ticks import GONE_PER_RUN, batch_size
from locator_assets.partitions import enter_partitions
from locator_assets.retention import clear_away
from locator_assets.staged.runs import batches
from locator_assets.turns import CRAWL_LOCK, is_due
from locator_search.core.errors import BudgetExhausted
from locator_search.core.usage import metered
from locator_search.indexing.cost import CostEstimate, estimate_cost
from locator_search.indexing.crawl import (
    EVERYTHING,
    SourceSnapshot,
)
from locator_search.indexing.diff import is_settled
from locator_search.indexing.removal_guard import RootSize, kept_for_now
from locator_search.model import FileRef
from locator_search.ports import KnownFile, OnProgress

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.llm.budget import Budget

_POLL_SECONDS = 0.5


class Crawl:
    """One crawl in progress."""

    def __init__(
        self,
        locator: Locator,
        instance: dg.DagsterInstance,
        look: Look,
        limit: int | None,
        on_progress: OnProgress,
        *,
        batch: bool,
    ) -> None:
        self._locator = locator
        self._instance = instance
        self._look = look
        self._verify = look.verify
        self._limit = limit
        self._batch = batch
        self._tell = on_progress
        self._started_at = look.started_at
        self._left_behind: list[str] = []
        self._words_alone: set[str] = set()
        self._tally = Tally()
        self._stopped = ""

    def run(self, snapshot: SourceSnapshot | None, listing: ExitStack) -> CrawlReport:
        """To its end. What was seen already was seen alone, which ends with `listing`."""
        with metered() as meter:
            snapshot, deleted = self._crawl(snapshot, listing)
        return self._look.report(snapshot, self._tally, meter.total, deleted, self._stopped)

    def _crawl(self, snapshot: SourceSnapshot | None, listing: ExitStack) -> tuple[SourceSnapshot, int]:
        locator = self._locator
        set_pool_slots(self._instance, locator.crawl_slots)
        asked_in_vain = set[str]()
        with listing:
            if snapshot is None:
                listing.enter_context(self._look.alone())
                if self._batch:  # nobody may ask for a summary that is being handed over
                    self._wait_for_a_slot(1)
                self._recover()
                asked_in_vain = self._collect_batches()
                self._rename_partitions()
                snapshot = self._look.observe(self._left_behind)
            version = locator.indexer.version
            waiting = _with_left_behind(snapshot, self._left_behind)
            self._tell_cost(snapshot, waiting[: self._limit], version)
            try:
                to_index = self._without_batched(snapshot, waiting[: self._limit], asked_in_vain)
                enter_partitions(self._instance, locator.registry, to_index)
                listing.close()
                self._index(to_index, snapshot)
                if waiting_for_a_model := sorted(self._words_alone | self._tally.without_embeddings):
                    self._tell("Words find them; what is missing is embedded now.")
                    self._index(waiting_for_a_model, snapshot)
            except BudgetExhausted as error:
                self._stopped = f"{error.message} {error.hint}"
        deleted = self._purge([*snapshot.plan.gone, *self._gone_while_reading()])
        if snapshot.listing.complete and len(waiting) <= (self._limit or len(waiting)) and not self._stopped:
            self._look.finish()
            self._check_once()
        if is_due(locator, changed=bool(deleted or self._tally.indexed)):
            clear_away(locator, self._instance)
        return snapshot, deleted

    def _rename_partitions(self) -> None:
        """Once, after an upgrade."""
        registry = self._locator.registry
        if former := registry.to_rename(EVERYTHING):
            self._tell(
                f"{len(former)} partitions of Dagster are renamed after their files; nothing is read or paid again."
            )
            enter_partitions(self._instance, registry, former)

    def _collect_batches(self) -> set[str]:
        """Answers that were paid are fetched by every crawl."""
        batched = self._locator.summary_batches
        return batched.collect(self._tell) if batched is not None and batched.waiting() else set()

    def _without_batched(
        self, snapshot: SourceSnapshot, file_ids: Sequence[str], asked_in_vain: Collection[str]
    ) -> list[str]:
        """The files whose summary is not asked for in a batch: what failed in one is asked live."""
        batched = self._locator.summary_batches
        if not self._batch or batched is None:
            return list(file_ids)
        asked = [snapshot.listing.files[file_id] for file_id in file_ids if file_id not in asked_in_vain]
        ready = {*batched.hand_over(asked, self._tell), *asked_in_vain}
        return [file_id for file_id in file_ids if file_id in ready]

    def _tell_cost(self, snapshot: SourceSnapshot, file_ids: Sequence[str], version: str) -> None:
        """Before anything is paid: what it will come to. Files that are only looked at again cost nothing."""
        prices, known, now = self._locator.model_prices, snapshot.known, self._started_at
        if prices is None:
            return
        files = [snapshot.listing.files[file_id] for file_id in file_ids]
        unsettled = [
            file
            for file in files
            if (before := known.get(file.file_id)) is None or not is_settled(before, file, version, now)
        ]
        if unsettled:
            lengths = self._locator.status_reader.text_lengths([file.file_id for file in unsettled])
            self._tell(_cost_in_words(estimate_cost(unsettled, prices, lengths), self._locator.budget))

    def _recover(self) -> None:
        """Where a worker was lost and no daemon sees to it, it is we who notice."""
        now = self._locator.clock.now()
        self._left_behind += recover_lost_runs(self._instance, self._locator.registry, self._locator.locks, now)

    def _wait_for_a_slot(self, slots: int) -> None:
        """Let batches of others end until one of so many slots is free."""
        told = False
        while True:
            self._recover()
            if not pool_is_taken(self._instance, slots):
                return
            if not told:
                self._tell("Another run is indexing; waiting for its batch to end.")
                told = True
            self._locator.clock.sleep(_POLL_SECONDS)

    def _index(self, file_ids: Sequence[str], snapshot: SourceSnapshot) -> None:
        self._tell(f"{len(file_ids)} files to index.")
        self._tally.seen = 0
        left = dict.fromkeys(file_ids)
        while left:
            self._wait_for_a_slot(self._locator.crawl_slots)
            with ExitStack() as choosing:
                choosing.enter_context(self._locator.locks.hold(CRAWL_LOCK))
                if not (batch := self._next_batch(left, snapshot)):
                    choosing.close()
                    self._locator.clock.sleep(_POLL_SECONDS)
                    continue
                config = {"file_ids": batch, "verify": self._verify}
                self._run(index_files_job.name, "index_files", config, choosing.close)
            for file_id in batch:
                del left[file_id]
            self._tell(f"{self._tally.seen} of {len(file_ids)} files done, {len(self._tally.indexed)} indexed.")

    def _next_batch(self, left: dict[str, None], snapshot: SourceSnapshot) -> list[str]:
        """Files that nobody works on. What others did meanwhile is no longer left; empty while they do the rest."""
        elsewhere, batch = files_under_way(self._instance, self._locator.registry), list[str]()
        size = batch_size(len(left), self._locator.crawl_slots)
        for some in batches([file_id for file_id in left if file_id not in elsewhere], size):
            done = self._done_by_others(some, snapshot)
            for file_id in done:
                del left[file_id]
            batch += [file_id for file_id in some if file_id not in done][: size - len(batch)]
            if len(batch) == size:
                break
        return batch

    def _done_by_others(self, file_ids: Sequence[str], snapshot: SourceSnapshot) -> set[str]:
        """Those of the files that are settled by now, or whose words somebody entered: their vectors come after all
        words. Those a lost run left behind are shown as done all the same."""
        if self._verify:
            return set()
        now, version, listed = self._locator.clock.now(), self._locator.indexer.version, snapshot.listing.files
        done = set()
        for file_id, known in self._locator.registry.known(file_ids).items():
            before, file = snapshot.known.get(file_id), listed[file_id]
            if is_settled(known, file, version, now):
                done.add(file_id)
                if known.next_try_at is None:  # its vectors are there, else the model would be asked again
                    self._tally.without_embeddings.discard(file_id)
            elif file_id not in self._tally.without_embeddings | self._words_alone and (
                _has_words(known, file, version) and not (before and _has_words(before, file, version))
            ):
                self._words_alone.add(file_id)
                done.add(file_id)
        return done.difference(self._left_behind)

    def _gone_while_reading(self) -> list[str]:
        """Files that were listed and were gone when they were to be read. So many at once that it looks like a lost
        folder are kept until a listing says the same."""
        gone = self._tally.gone
        if not gone:
            return []
        known = self._locator.registry.known(gone)
        sizes = {state.root.root_id: RootSize(state.files) for state in self._locator.registry.roots()}
        kept = kept_for_now(known, sizes, self._started_at, confirmed=self._look.confirmed)
        self._locator.registry.mark_missing(sorted(kept), self._started_at)
        return [file_id for file_id in gone if file_id not in kept]

    def _purge(self, file_ids: Sequence[str]) -> int:
        for batch in batches(file_ids, GONE_PER_RUN):
            self._run(purge_files_job.name, "purge_files", {"file_ids": list(batch)})
        return len(file_ids)

    def _run(
        self, job_name: str, op: str, config: Mapping[str, object], begun: Callable[[], object] = lambda: None
    ) -> None:
        resources = {"parts": self._locator, "on_result": self._tally.note}  # the registry names the files that failed
        job = crawl_defs.resolve_job_def(job_name)
        run_here(self._locator, self._instance, job, {op: {"config": config}}, resources, begun)

    def _check_once(self) -> None:
        """After the first crawl, so that nobody waits for the hourly look to see whether all is well."""
        if not self._instance.get_runs_count(dg.RunsFilter(job_name=health_job.name)):
            job = crawl_defs.resolve_job_def(health_job.name)
            run_here(self._locator, self._instance, job, {}, {"parts": self._locator})


def _has_words(known: KnownFile, file: FileRef, version: str) -> bool:
    """Whether the words of this revision of a file are in the index."""
    return known.state == "indexed" and (known.done_revision, known.pipeline_version) == (file.revision, version)


def _cost_in_words(estimate: CostEstimate, budget: Budget) -> str:
    cost = "at a price this program does not know"
    if estimate.cost_usd is not None:
        cost = f"about ${estimate.cost_usd:.4f} or less"
    line = f"Models will read {estimate.files} files: about {estimate.tokens:,} tokens or fewer, {cost}, in this crawl."
    if budget.ceiling_usd is not None:
        ceiling, spent = budget.ceiling_usd, budget.spent_usd
        line += f" The ceiling on all crawls and searches together is ${ceiling:g}, of which ${spent:.4f} are spent."
    return line


def _with_left_behind(snapshot: SourceSnapshot, left_behind: Collection[str]) -> list[str]:
    """The files to work on; those a lost run left behind are shown to Dagster as done even where they are."""
    wanted = dict.fromkeys(file.file_id for file in snapshot.plan.to_index)
    wanted.update((file_id, None) for file_id in left_behind if file_id in snapshot.listing.files)
    return list(wanted)
