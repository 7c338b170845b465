"""One seed: a world is made, struck, mended by one crawl, and held to account."""

from __future__ import annotations

import json
import logging
import os
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psutil
import psycopg

from tests.builders.commands import StartedCommand
from tests.chaos import invariants
from tests.chaos.cluster import Cluster
from tests.chaos.documents import ANSWERING, FOLDER_NAME, copy_of, digest_of, make_documents
from tests.chaos.models import ModelService
from tests.chaos.snapshot import Snapshot, compare, snapshot
from tests.chaos.world import World, neutral_environment

SIZES = (64, 84, 104)


@dataclass(frozen=True)
class Fault:
    """One kind of fault. `act` plays it in a world; afterwards one crawl with `options` has to mend everything.

    `own_server`: the home has a PostgreSQL of its own. `changes`: the folder is changed, so it is a copy.
    `missing` says why it cannot be played on this machine, or nothing.
    """

    name: str
    act: Callable[[World], None]
    own_server: bool = False
    changes: bool = False
    options: tuple[str, ...] = ()
    missing: Callable[[], str] = lambda: ""


@dataclass
class Outcome:
    """The result of one seed. `broken` are promises that are in no column of their own."""

    fault: str
    seed: int
    struck: int = 0
    lost: list[str] = field(default_factory=list)
    duplicated: list[str] = field(default_factory=list)
    in_flight: int = 0
    paid_again: list[str] = field(default_factory=list)
    left_behind: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    seconds: float = 0.0
    skipped: str = ""

    @property
    def good(self) -> bool:
        """Whether every promise was kept."""
        return not (self.lost or self.duplicated or self.paid_again or self.left_behind or self.broken)


class Scenarios:
    """Plays seeds one after the other; folders and the indexes they must lead to are made once."""

    def __init__(self, scratch: Path, cluster: Cluster, models: ModelService, sizes: Sequence[int] = SIZES) -> None:
        self._scratch = scratch
        self._cluster = cluster
        self._models = models
        self._sizes = sizes
        self._expected: dict[str, Snapshot] = {}
        self._worlds = 0
        # The process that commands are forked from is ours, not one that was left behind.
        StartedCommand(("--version",), neutral_environment(), scratch).end()

    def play(self, fault: Fault, seed: int) -> Outcome:
        """The outcome of one seed."""
        outcome = Outcome(fault.name, seed, skipped=fault.missing())
        if not outcome.skipped:
            chance = Random(f"{fault.name} {seed}")
            world = self._world(fault, seed, chance, chance.choice(self._sizes))
            try:
                self._strike_and_judge(fault, world, outcome)
            except Exception as error:  # whatever one scenario comes to, the others are played
                outcome.broken += [*world.complaints, f"{type(error).__name__}: {' '.join(str(error).split())[:500]}"]
                logging.getLogger(__name__).debug("seed %s", seed, exc_info=True)
            finally:
                self._clear_away(world)
        return outcome

    def _strike_and_judge(self, fault: Fault, world: World, outcome: Outcome) -> None:
        ours = {process.pid for process in psutil.Process().children(recursive=True)}
        self._models.begin(outcome.seed)
        fault.act(world)
        self._models.disturb = None
        world.search()
        report = self._recover(fault, world)
        if world.strikes:
            outcome.seconds = time.monotonic() - world.strikes[-1].ended
        outcome.struck = len(world.strikes)
        outcome.in_flight, outcome.paid_again = invariants.payments(self._models.requests, world.strikes)
        if report is not None:
            files = [path for path in world.folder.rglob("*") if path.is_file() and not path.is_symlink()]
            world.complaints += invariants.wrong_sums(report, len(files))
            with world.database_up():
                self._judge_index(world, outcome)
            self._judge_search(world)
        outcome.left_behind += invariants.left_on_machine(world, ours)
        outcome.broken += world.complaints

    def _recover(self, fault: Fault, world: World) -> dict[str, object] | None:
        """The one further crawl, a minute later as far as files can tell; None when it failed."""
        for left in world.temporary.iterdir():  # the product keeps its hands off what somebody may just be making
            os.utime(left, times=(0, 0), follow_symlinks=False)
        ended = world.end(world.start_crawl(*fault.options), "the crawl that mends")
        if ended.returncode:
            world.complaints.append(f"the crawl that mends failed: {' '.join(ended.stderr.split())[-300:]}")
            return None
        report: dict[str, object] = json.loads(ended.stdout)
        return report

    def _judge_index(self, world: World, outcome: Outcome) -> None:
        found = snapshot(world.observer)
        difference = compare(found, self._expect(world))
        outcome.lost += difference.lost
        outcome.duplicated += [*difference.duplicated, *invariants.duplicates(world.observer)]
        outcome.broken += [*difference.different, *invariants.untruths(world.observer)]
        outcome.left_behind += invariants.left_in_database(world.observer)

    def _judge_search(self, world: World) -> None:
        ended = world.search()
        if ended.returncode:
            world.complaints.append(f"the search afterwards failed: {' '.join(ended.stderr.split())[-300:]}")
        elif ANSWERING not in [hit["file_name"] for hit in json.loads(ended.stdout)["evidence"]]:
            world.complaints.append(f"the search afterwards does not find {ANSWERING}")

    def _expect(self, world: World) -> Snapshot:
        """The index that crawls of the folders as they are now make into empty databases, without faults."""
        folders = (world.folder, *world.other_folders)
        return {file_id: row for folder in folders for file_id, row in self._expect_of(folder, world).items()}

    def _expect_of(self, folder: Path, world: World) -> Snapshot:
        digest = f"{digest_of(folder)} {world.settings}"
        if digest not in self._expected:
            fresh = self._make_world("fresh", folder, world.files, self._cluster.new_database(), Random(0))
            fresh.settings = world.settings
            ended = fresh.end(fresh.start_crawl(), "a crawl without faults")
            assert ended.returncode == 0, ended.stderr
            self._expected[digest] = snapshot(fresh.observer)
            self._clear_away(fresh)
        return self._expected[digest]

    def _world(self, fault: Fault, seed: int, chance: Random, files: int) -> World:
        folder = self.folder_of(files)
        database = None if fault.own_server else self._cluster.new_database()
        return self._make_world(f"{seed}", folder, files, database, chance, copied=fault.changes)

    def folder_of(self, files: int) -> Path:
        """A folder of about so many files, never changed."""
        folder = self._scratch / f"folder-{files}" / FOLDER_NAME
        if not folder.exists():
            make_documents(folder, Random(files), files)
        return folder

    def _make_world(
        self, name: str, folder: Path, files: int, database: str | None, chance: Random, *, copied: bool = False
    ) -> World:
        self._worlds += 1
        place = self._scratch / f"{name}-{self._worlds}"
        place.mkdir()
        home = place / "home"
        if database is None:
            self._cluster.new_home(home)
        else:
            home.mkdir()
        folder = copy_of(folder, place) if copied else folder
        return World(place, folder, home, files, database, self._models, chance)

    def _clear_away(self, world: World) -> None:
        for cleanup in world.cleanups:
            cleanup()
        world.observer.close()
        if world.database_url is not None:
            with suppress(psycopg.Error):
                self._cluster.drop(world.database_url)
        shutil.rmtree(world.place, ignore_errors=True)
