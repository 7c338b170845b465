"""The library as Dagster resources, opened once per process and only when something runs."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import dagster as dg

from locator_search.app.locator import open_locator
from locator_search.app.part import MAKING_PARTS
from locator_search.app.x import make_session_store
from locator_search.config.folders import folders_to_crawl
from locator_search.config.settings import load_settings
from locator_search.indexing.cost import ModelPrices
from locator_search.indexing.pipeline import Indexer
from locator_search.indexing.stages import FileResult
from locator_search.llm.budget import Budget
from locator_search.model import RootWarning
from locator_search.ports import (
    Clock,
    DocumentSource,
    FeedLog,
    FileLocks,
    FileRegistry,
    IndexInspector,
    IndexStore,
    StatusReader,
    StoreUpkeep,
)

if TYPE_CHECKING:
    from locator_search.app.contributions import ContributionParts
    from locator_search.app.locator import Locator
    from locator_search.ports.x.sessions import SessionStore
    from locator_search.x_search.searcher import XSearch


class CrawlParts(Protocol):
    """The parts of a `Locator` that crawling uses."""

    @property
    def source(self) -> DocumentSource:
        """Where files live."""
        ...

    @property
    def registry(self) -> FileRegistry:
        """Every listed file with its state."""
        ...

    @property
    def index(self) -> IndexStore:
        """The searchable index."""
        ...

    @property
    def indexer(self) -> Indexer:
        """Takes one file through the stages."""
        ...

    @property
    def model_prices(self) -> ModelPrices | None:
        """The prices of indexing; None where nothing is paid."""
        ...

    @property
    def budget(self) -> Budget:
        """Keeps the ceiling on what is paid."""
        ...

    @property
    def files_at_once(self) -> int:
        """Files to work on at the same time."""
        ...

    @property
    def crawl_slots(self) -> int:
        """Batches of files worked on at the same time, by all processes and machines together."""
        ...

    @property
    def status_reader(self) -> StatusReader:
        """Figures about the index."""
        ...

    @property
    def upkeep(self) -> StoreUpkeep:
        """Looks after the tables."""
        ...

    @property
    def index_inspector(self) -> IndexInspector:
        """Looks for damage."""
        ...

    @property
    def feed_log(self) -> FeedLog:
        """Where the changes of the source go on."""
        ...

    def root_warnings(self) -> Sequence[RootWarning]:
        """Warnings about source roots."""
        ...

    @property
    def reconcile_after(self) -> timedelta:
        """The time after which everything is listed again instead of trusting changes."""
        ...

    @property
    def forget_after(self) -> timedelta:
        """The time that memories of a file outlive it."""
        ...

    @property
    def history_after(self) -> timedelta:
        """The time that Dagster's records of a run outlive it."""
        ...

    def page_of(self, file_id: str) -> str:
        """The address of the page that tells about a file."""
        ...

    @property
    def locks(self) -> FileLocks:
        """Held by living workers only."""
        ...

    @property
    def clock(self) -> Clock:
        """The present time."""
        ...


ResultListener = Callable[[FileResult], None]
"""Is told of every file as it finishes."""


def _locator_of_this_process() -> Locator:
    """Another one once somebody adds a folder; work under way goes on with the one before."""
    with MAKING_PARTS:  # sensors ask for it in several threads
        return _locator_over(folders_to_crawl(load_settings()))


@cache
def _locator_over(_folders: tuple[Path, ...]) -> Locator:
    locator = open_locator()
    atexit.register(locator.close)
    return locator


@dg.resource(description="The library, with the settings of this process")
def crawl_parts(_context: dg.InitResourceContext) -> CrawlParts:
    """Opened when the first run or tick of a process needs it, closed when the process ends."""
    return _locator_of_this_process()


@dg.resource(description="The contribution system, with the settings of this process")
def contribution_parts(_context: dg.InitResourceContext) -> ContributionParts:
    """As `crawl_parts`."""
    return _locator_of_this_process().contributions


@dg.resource(description="Sessions of X search, with the settings of this process")
def x_sessions(_context: dg.InitResourceContext) -> SessionStore:
    """As `crawl_parts`."""
    return make_session_store(_locator_of_this_process().database)


@dg.resource(description="X search, with the settings of this process")
def x_search(_context: dg.InitResourceContext) -> XSearch:
    """As `crawl_parts`."""
    return _locator_of_this_process().x_search


@dg.resource(description="Told of every file as it finishes; the command line listens here")
def nobody_listens(_context: dg.InitResourceContext) -> ResultListener:
    """The listener of runs nobody waits for."""
    return lambda _result: None


RESOURCES: Mapping[str, dg.ResourceDefinition] = {
    "parts": crawl_parts,
    "on_result": nobody_listens,
    "contribution_parts": contribution_parts,
    "on_contribution": nobody_listens,
    "x_sessions": x_sessions,
    "x_search": x_search,
}
"""All of them in all definitions: a job with fewer would be another job to the UI."""
