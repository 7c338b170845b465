"""What an operator is told to look at: each alarm at its border."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from locator_search.health.alarms import alarms
from locator_search.model import CoverageCounts
from locator_search.ports import CrawlRun, IndexStatus, SyncState
from tests.builders.index import NOON

SYNC = SyncState(NOON, "diff", NOON, NOON, 1000)
HEALTHY = IndexStatus(CoverageCounts(1000, {"indexed": 1000}, {}), 0, SYNC, NOON, None, 0, 0, 8.0)


def run(indexed: int, *, days: float = 1) -> CrawlRun:
    ended = NOON - timedelta(days=days)
    return CrawlRun("run", ended - timedelta(minutes=1), ended, {"indexed": indexed})


def kinds(status: IndexStatus = HEALTHY, *runs: CrawlRun, ceiling: float | None = None, hours: float = 0) -> list[str]:
    return [alarm.kind for alarm in alarms(status, runs, ceiling, NOON + timedelta(hours=hours), "en")]


@pytest.mark.parametrize(("before", "days", "told"), [(1111, 1, []), (1112, 1, ["dropped"]), (1112, 8, [])])
def test_an_index_that_lost_more_than_a_tenth_within_a_week_is_told(before: int, days: float, told: list[str]) -> None:
    assert kinds(HEALTHY, run(before, days=days)) == told


def test_files_of_a_folder_that_was_taken_away_are_not_lost() -> None:
    assert kinds(HEALTHY, replace(run(1112), same_roots=False)) == []


def test_a_few_files_less_are_no_alarm_in_a_small_index() -> None:
    small = replace(HEALTHY, coverage=CoverageCounts(5, {"indexed": 5}, {}))
    assert kinds(small, run(25)) == []
    assert kinds(small, run(26)) == ["dropped"]


def test_an_index_is_stale_after_a_day_and_a_little() -> None:
    assert kinds(hours=26) == []
    assert kinds(hours=26.1) == ["stale"]


def test_a_ceiling_is_told_before_it_is_reached() -> None:
    assert kinds(ceiling=10.01) == []
    assert kinds(ceiling=10) == ["cost"]
