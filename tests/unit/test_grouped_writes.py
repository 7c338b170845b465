"""Files of several threads in one transaction: who waits for whom, and what one that spoils it costs the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from locator_search.core.errors import StoreError, StoreUnavailable
from locator_search.indexing import stages
from locator_search.indexing.stages import MOST_CHUNKS, MOST_FILES, GroupedWrites
from locator_search.model import IndexEntry
from tests.builders.index import file_ref, index_entry


@pytest.fixture(autouse=True)
def _slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits in vain waits so long that no slow machine could be taken for it."""
    monkeypatch.setattr(stages, "LONGEST_WAIT_SECONDS", 60.0)


class Written:
    """What was written together; a transaction with a file named `bad` fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.groups: list[list[str]] = []
        self._error = error

    def __call__(self, entries: Sequence[IndexEntry]) -> None:
        names = sorted(entry.file.file_id for entry in entries)
        self.groups.append(names)
        if self._error is not None and "bad" in names:
            raise self._error


def entry_of(file_id: str, chunks: int = 1) -> IndexEntry:
    return index_entry(file_ref(file_id), ["一行"] * chunks)


def at_once(writes: GroupedWrites, file_ids: Sequence[str]) -> dict[str, Exception | None]:
    """Every file in a thread of its own, all of them under way before the first is ready; what became of each."""
    begun = Barrier(len(file_ids))

    def work(file_id: str) -> Exception | None:
        with writes.under_way():
            begun.wait()
            return failure_of(lambda: writes.write(entry_of(file_id)))

    with ThreadPoolExecutor(len(file_ids)) as pool:
        return dict(zip(file_ids, pool.map(work, file_ids), strict=True))


def failure_of(work: Callable[[], None]) -> Exception | None:
    try:
        work()
    except Exception as error:
        return error
    return None


def test_files_that_are_ready_at_the_same_time_are_written_together() -> None:
    written = Written()
    assert set(at_once(GroupedWrites(written), ["a", "b", "c"]).values()) == {None}
    assert written.groups == [["a", "b", "c"]]


def test_one_file_alone_waits_for_nobody() -> None:
    written = Written()
    assert at_once(GroupedWrites(written), ["a"]) == {"a": None}
    assert written.groups == [["a"]]


def test_a_group_has_a_bounded_number_of_files() -> None:
    written = Written()
    at_once(GroupedWrites(written), [f"file-{number:02}" for number in range(2 * MOST_FILES)])
    assert [len(group) for group in written.groups] == [MOST_FILES, MOST_FILES]


def test_a_file_that_ends_without_being_written_keeps_nobody_waiting() -> None:
    written = Written()
    writes, both = GroupedWrites(written), Barrier(2)

    def skipped() -> None:
        with writes.under_way():
            both.wait()

    def indexed() -> None:
        with writes.under_way():
            both.wait()
            writes.write(entry_of("a"))

    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(indexed), pool.submit(skipped)]:
            each.result()
    assert written.groups == [["a"]]


def test_a_file_that_takes_long_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "LONGEST_WAIT_SECONDS", 0.01)
    written, begun, ends = Written(), Event(), Event()
    writes = GroupedWrites(written)

    def long() -> None:
        with writes.under_way():
            begun.set()
            ends.wait()

    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(long)
        begun.wait()
        with writes.under_way():
            writes.write(entry_of("a"))
        assert written.groups == [["a"]]
        ends.set()
        slow.result()


def test_a_long_file_waits_for_nobody() -> None:
    written = Written()
    writes = GroupedWrites(written)
    with writes.under_way(), writes.under_way():
        writes.write(entry_of("long", MOST_CHUNKS))
    assert written.groups == [["long"]]


def test_one_file_that_cannot_be_written_fails_alone() -> None:
    refused = StoreError("The database refused this file.")
    written = Written(refused)
    assert at_once(GroupedWrites(written), ["a", "bad", "c"]) == {"a": None, "bad": refused, "c": None}
    assert written.groups[0] == ["a", "bad", "c"]
    assert sorted(written.groups[1:]) == [["a"], ["bad"], ["c"]]


def test_what_concerns_every_file_is_told_to_each_without_another_try() -> None:
    away = StoreUnavailable("The database does not answer.")
    written = Written(away)
    assert set(at_once(GroupedWrites(written), ["a", "bad", "c"]).values()) == {away}
    assert len(written.groups) == 1
