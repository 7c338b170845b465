"""When the word of one listing is not enough to forget files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from locator_search.indexing.removal_guard import MOST_AT_ONCE, SEEN_AGAIN_AFTER, RootSize, is_mass, kept_for_now
from locator_search.ports import KnownFile
from tests.builders.index import file_ref

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
MANY = MOST_AT_ONCE + 1


def gone(count: int, root: str = "root", *, since: datetime | None = None, start: int = 0) -> dict[str, KnownFile]:
    return {
        f"{root}-{number}": KnownFile(file_ref(f"{root}-{number}", root_id=root), "indexed", missing_since=since)
        for number in range(start, start + count)
    }


def test_more_than_twenty_and_more_than_half_are_a_mass() -> None:
    assert [is_mass(gone, known) for gone, known in ((20, 20), (21, 42), (21, 41), (21, 0))] == [
        False,
        False,
        True,
        True,
    ]


def test_a_root_of_unknown_size_loses_no_mass_of_files() -> None:
    assert kept_for_now(gone(MANY), {}, NOW) == set(gone(MANY))
    assert kept_for_now(gone(MOST_AT_ONCE), {}, NOW) == frozenset()


def test_files_that_were_missing_before_count_as_gone_too() -> None:
    few = gone(3)
    assert kept_for_now(few, {"root": RootSize(40, missing=18)}, NOW) == set(few)
    assert kept_for_now(few, {"root": RootSize(40, missing=17)}, NOW) == frozenset()


def test_files_that_are_gone_now_and_were_missing_before_count_once() -> None:
    since = NOW - SEEN_AGAIN_AFTER + timedelta(seconds=1)
    twenty = gone(20, since=since)
    assert kept_for_now(twenty, {"root": RootSize(30, missing=20)}, NOW) == frozenset()
    assert kept_for_now(twenty, {"root": RootSize(30, missing=21)}, NOW) == set(twenty)


def test_each_root_is_judged_by_itself_whatever_another_one_lost() -> None:
    lost = gone(MANY, "small") | gone(3, "large") | gone(MANY, "empty")
    sizes = {"small": RootSize(MANY), "large": RootSize(100), "empty": RootSize(MANY)}
    assert kept_for_now(lost, sizes, NOW, confirmed=["small"]) == set(gone(MANY, "empty"))
    assert kept_for_now(lost, sizes, NOW) == set(gone(MANY, "small") | gone(MANY, "empty"))


def test_full_listings_an_hour_apart_agree_on_the_files_that_both_miss() -> None:
    before, today = gone(MANY, since=NOW - SEEN_AGAIN_AFTER), gone(1, start=MANY)
    sizes = {"root": RootSize(MANY + 1)}
    assert kept_for_now(before | today, sizes, NOW, listed=["root"]) == set(today)
    assert kept_for_now(before | today, sizes, NOW, listed=["other"]) == set(before | today)
    assert kept_for_now(before | today, sizes, NOW) == set(before | today)
