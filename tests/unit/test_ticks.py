"""What one tick of the sensor asks for: every file once, in runs of bounded size, each run under a key of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from locator_assets.drive.ticks import BATCH, GONE_PER_RUN, RUNS_PER_SLOT, Observation, Tick, decide_tick
from locator_search.indexing.cost import ModelPrices
from locator_search.indexing.crawl import SourceSnapshot
from locator_search.indexing.diff import CrawlPlan
from locator_search.indexing.listing import OUT_OF_TIME, Listing
from locator_search.model import FileRef
from tests.builders.index import file_ref


def files(count: int, start: int = 0) -> tuple[FileRef, ...]:
    return tuple(file_ref(f"file-{number}") for number in range(start, start + count))


def tick(
    to_index: Sequence[FileRef] = (),
    gone: Sequence[str] = (),
    *,
    listed: Sequence[FileRef] = (),
    problem: str = "",
    in_flight: Sequence[str] = (),
    left_behind: Sequence[str] = (),
    cursor: str | None = None,
) -> Tick:
    listing = Listing({file.file_id: file for file in (*to_index, *listed)}, problem)
    plan = CrawlPlan(added=tuple(to_index), gone=tuple(gone))
    snapshot = SourceSnapshot(listing, {}, plan)
    return decide_tick(Observation(snapshot, in_flight=in_flight, left_behind=left_behind), cursor)


def test_nothing_to_do_is_an_idle_tick_that_leaves_the_cursor() -> None:
    done = tick(cursor='{"tick": 7}')
    assert done.idle
    assert (done.index, done.purge, done.reconcile, json.loads(done.cursor)) == ((), (), (), {"tick": 7})
    assert json.loads(tick().cursor) == {"tick": 0}


@pytest.mark.parametrize("found", [{"to_index": files(1)}, {"gone": ["a"]}, {"problem": OUT_OF_TIME}])
def test_a_tick_that_asks_for_something_moves_the_cursor_by_one(found: dict[str, Any]) -> None:
    done = tick(**found, cursor='{"tick": 7}')
    assert not done.idle
    assert json.loads(done.cursor) == {"tick": 8}


def test_files_are_asked_for_in_batches_in_their_order_and_a_thousand_per_tick() -> None:
    done = tick(files(RUNS_PER_SLOT * BATCH + 1))
    assert [len(request.file_ids) for request in done.index] == [BATCH] * RUNS_PER_SLOT
    assert done.file_ids == [f"file-{number}" for number in range(RUNS_PER_SLOT * BATCH)]
    assert [len(request.file_ids) for request in tick(files(BATCH + 1)).index] == [BATCH, 1]


def test_files_that_are_gone_go_in_runs_of_their_own() -> None:
    gone = [f"gone-{number}" for number in range(GONE_PER_RUN + 1)]
    done = tick(gone=gone)
    assert [request.file_ids for request in done.purge] == [tuple(gone[:GONE_PER_RUN]), tuple(gone[GONE_PER_RUN:])]
    assert done.index == ()


def test_what_a_run_already_has_is_not_asked_for_again() -> None:
    done = tick(files(3), ["gone-1", "gone-2"], in_flight=["file-1", "gone-2"])
    assert done.file_ids == ["file-0", "file-2"]
    assert [request.file_ids for request in done.purge] == [("gone-1",)]


def test_what_a_lost_run_left_behind_is_asked_for_once_more_if_it_is_still_listed() -> None:
    done = tick(files(1), listed=files(2, start=1), left_behind=["file-0", "file-2", "file-9"])
    assert done.file_ids == ["file-0", "file-2"]


def test_a_listing_that_took_too_long_is_made_by_a_run_and_any_other_problem_is_not() -> None:
    [asked] = tick(problem=OUT_OF_TIME).reconcile
    assert asked.file_ids == ()
    assert asked.run_key.startswith("reconcile-1-")
    assert tick(problem="the share is gone").idle


def test_a_run_is_named_by_its_kind_its_tick_its_files_and_their_revisions() -> None:
    def key(revision: str = "1", cursor: str | None = None, name: str = "file-0") -> str:
        return tick([file_ref(name, revision=revision)], cursor=cursor).index[0].run_key

    keys = [key(), key("2"), key(cursor='{"tick": 1}'), key(name="file-1"), tick(gone=["file-0"]).purge[0].run_key]
    assert len(set(keys)) == len(keys)
    assert key() == key()
    kind, number, digest = key().split("-")
    assert (kind, number, len(digest)) == ("index", "1", 16)
    assert tick(gone=["file-0"], cursor='{"tick": 4}').purge[0].run_key.startswith("purge-5-")
    assert tick(gone=["file-0"]).purge[0].run_key != tick(gone=["file-1"]).purge[0].run_key


@pytest.mark.parametrize(("left", "asked"), [(None, True), (1.0, True), (0.0, False), (0.000_001, False)])
def test_files_nobody_may_pay_for_are_not_asked_for(left: float | None, asked: bool) -> None:
    found = files(2)
    snapshot = SourceSnapshot(Listing({one.file_id: one for one in found}), {}, CrawlPlan(added=found))
    decided = decide_tick(Observation(snapshot, prices=ModelPrices(1.0, 1.0, 1.0), left_usd=left), None)
    assert (bool(decided.index), decided.unpaid) == (asked, not asked)
    assert decided.idle is not asked


def test_without_prices_an_empty_budget_holds_nothing_back() -> None:
    found = files(1)
    snapshot = SourceSnapshot(Listing({one.file_id: one for one in found}), {}, CrawlPlan(added=found))
    assert decide_tick(Observation(snapshot, left_usd=0.0), None).index
