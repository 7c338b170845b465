"""A session survives what its worker does not: SIGKILL at random points, again and again."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from locator_search.ports.x.sessions import Session
from tests.builders.commands import start
from tests.builders.x_bench import XBench, scores_of
from tests.builders.x_worker import work_until_killed
from tests.fakes.x_server import XServer, x_server

QUESTION = "在宅勤務の困りごと"
BUDGET = 1.0
PROGRESS_OF_KILLS = tuple(sorted(2 * (0.0, 0.10, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9)))
"""A worker is killed within moments of reaching one of these: in every phase, on both sides of what it writes down."""


@pytest.fixture
def server() -> Iterator[XServer]:
    with x_server(posts=100) as state:
        state.per_query, state.delay = 20, 0.005
        yield state


@pytest.fixture
def bench(database_url: str, tmp_path: Path, server: XServer) -> Iterator[XBench]:
    with closing(XBench(database_url, tmp_path, server)) as opened:
        yield opened


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Worker processes that start in milliseconds, because what they import is there already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.builders.x_worker"])
    return context


class Survivor:
    """One session whose workers are killed."""

    def __init__(self, bench: XBench, processes: ForkServerContext, arguments: tuple[str, Path, str]) -> None:
        self.bench = bench
        self.session_id = bench.x.start(QUESTION, budget=BUDGET).session_id
        self.progress = [0.0]
        self.kills = 0
        self._processes = processes
        self._arguments = (*arguments, self.session_id)

    def kill_a_worker_at(self, progress: float, seconds: float) -> None:
        """Start one that is killed so many seconds after it has come so far. Its lease then counts as run out."""
        worker = self._processes.Process(target=work_until_killed, args=(*self._arguments, progress, seconds))
        start(worker)
        while worker.is_alive():
            self.look()
            time.sleep(0.002)
        worker.join()
        self.kills += worker.exitcode == -9
        self.look()
        self.bench.rows("UPDATE x_search_session SET lease_until = now() RETURNING 1")

    def look(self) -> Session:
        session = self.bench.x.get(self.session_id)
        self.progress.append(session.progress)
        return session


def test_killed_twenty_times_over_it_ends_as_if_nothing_had_happened(
    database_url: str, tmp_path: Path, bench: XBench, server: XServer, processes: ForkServerContext
) -> None:
    kill_and_compare(bench, server, Survivor(bench, processes, (database_url, tmp_path, server.url)), random.Random(7))


@pytest.mark.large
@pytest.mark.parametrize("seed", range(12))
def test_wherever_the_twenty_kills_fall(
    database_url: str, tmp_path: Path, bench: XBench, server: XServer, processes: ForkServerContext, seed: int
) -> None:
    survivor = Survivor(bench, processes, (database_url, tmp_path, server.url))
    kill_and_compare(bench, server, survivor, random.Random(seed))


def kill_and_compare(bench: XBench, server: XServer, survivor: Survivor, chance: random.Random) -> None:
    expected = bench.x.work(bench.x.start(QUESTION, budget=BUDGET).session_id)
    bench.rows("DELETE FROM x_purchase RETURNING 1")
    server.requests.clear()
    for progress in PROGRESS_OF_KILLS:
        survivor.kill_a_worker_at(progress, chance.uniform(0.0, 0.03))
    ended = bench.x.work(survivor.session_id)

    assert survivor.kills == len(PROGRESS_OF_KILLS)
    assert survivor.progress == sorted(survivor.progress)
    assert (ended.status, ended.answer) == ("done", expected.answer)
    found, queries = bench.x.posts(ended.session_id), bench.x.queries(ended.session_id)
    assert scores_of(found) == scores_of(bench.x.posts(expected.session_id))
    assert queries == bench.x.queries(expected.session_id)
    [[pages, distinct]] = bench.rows(
        "SELECT count(*), count(DISTINCT (ordinal, page)) FROM x_search_page WHERE session_id = %s", ended.session_id
    )
    assert pages == distinct == sum(query.pages for query in queries)
    # What a killed worker had fetched and not kept is fetched again: one page at most for each kill.
    assert pages <= len(server.requests) <= pages + survivor.kills
    assert ended.cost_usd == pytest.approx(0.005 * len(found))
