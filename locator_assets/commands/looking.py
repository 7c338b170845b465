"""The look of a crawl at its source: what is new, changed or gone. It needs no Dagster, whose start costs more."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from locator_assets.commands.crawl_report import CrawlReport, Tally
from locator_assets.turns import CRAWL_LOCK, is_due
from locator_search.core.reader import PROGRAM, reading_as
from locator_search.core.usage import Usage
from locator_search.indexing.crawl import (
    EVERYTHING,
    SourceSnapshot,
    completed_sync,
    observe_changes,
    observe_source,
    record_snapshot,
)
from locator_search.ports import OnProgress

if TYPE_CHECKING:
    from locator_search.app.locator import Locator

Mode = Literal["auto", "full", "diff"]


class Look:
    """One look, and the end of its crawl. `mode` is what `auto` came to."""

    def __init__(self, locator: Locator, mode: Mode, confirmed: Collection[str], tell: OnProgress) -> None:
        self._locator = locator
        self.confirmed = confirmed
        self._tell = tell
        self.started_at = locator.clock.now()
        self.verify = mode == "full"
        with reading_as(PROGRAM):
            self._was_complete = locator.status_reader.status().last_sync is not None
        self.mode: Literal["full", "diff"] = (
            "diff" if mode == "diff" or (mode == "auto" and self._was_complete) else "full"
        )

    def is_enough(self) -> bool:
        """Whether Dagster has nothing to do unless files are new, changed or gone: no run to take up, no name to
        enter, no batch to collect, nothing to clear away."""
        locator, batched = self._locator, self._locator.summary_batches
        return (
            self.mode == "diff"
            and self._was_complete
            and not (batched is not None and batched.waiting())
            and not is_due(locator, changed=False)
            and not locator.registry.to_rename(EVERYTHING)
            and locator.metrics_reader.dagster_rests()
        )

    @contextmanager
    def alone(self) -> Iterator[None]:
        """One crawl or tick at a time lists; whoever comes after it finds what it entered."""
        if self._locator.locks.is_held(CRAWL_LOCK):
            self._tell("Another crawl is listing; waiting for it.")
        with self._locator.locks.hold(CRAWL_LOCK):
            yield

    def observe(self, left_behind: Collection[str] = ()) -> SourceSnapshot:
        """The changes, where the source can tell and nobody asked for a full crawl; else everything that is listed.
        They are in the registry then."""
        locator, now, version = self._locator, self.started_at, self._locator.indexer.version
        locator.registry.ask_models_again(now, refused=self.verify)
        if self.mode == "full" or self.confirmed:
            snapshot = observe_source(
                locator.source,
                locator.registry,
                version,
                now,
                look_again=self.verify,
                confirmed=self.confirmed,
                also=left_behind,
            )
        else:
            snapshot = observe_changes(
                locator.source,
                locator.registry,
                locator.feed_log,
                version,
                now,
                reconcile_after=locator.reconcile_after,
                also=left_behind,
            )
        record_snapshot(snapshot, locator.registry, locator.feed_log, version, now)
        return snapshot

    def finish(self) -> None:
        """Note that a crawl came to its end."""
        locator = self._locator
        state = completed_sync(locator.registry.extent(), self.mode, self.started_at, locator.clock.now())
        if state is not None:
            locator.status_reader.finish_sync(state)

    def report(
        self, snapshot: SourceSnapshot, tally: Tally, usage: Usage, deleted: int = 0, stopped: str = ""
    ) -> CrawlReport:
        """The crawl in figures."""
        locator, batched = self._locator, self._locator.summary_batches
        return tally.report(
            self.mode,
            snapshot,
            locator.registry,
            usage,
            deleted=deleted,
            seconds=round((locator.clock.now() - self.started_at).total_seconds(), 3),
            stopped=stopped,
            batches=tuple(batched.waiting()) if batched else (),
            warnings=locator.root_warnings(),
        )
