"""A chaos that overlooks what is broken is worse than none: each promise is broken once, and it has to be seen."""

from __future__ import annotations

from pathlib import Path
from typing import LiteralString

import pytest

from tests.builders.crawl import CrawlBench
from tests.chaos import invariants
from tests.chaos.documents import digest_of, make_documents
from tests.chaos.faults import FAULTS
from tests.chaos.models import Request
from tests.chaos.observer import Observer
from tests.chaos.scenario import Outcome
from tests.chaos.snapshot import Snapshot, compare, snapshot
from tests.chaos.table import COLUMNS, sentences, table
from tests.chaos.world import Strike


def request(began: float, *inputs: str, seconds: float = 1.0, paid: bool = True) -> Request:
    return Request(inputs, began, began + seconds, paid)


def test_what_was_in_flight_at_a_strike_may_be_paid_again_and_nothing_else() -> None:
    before = [request(moment, f"text {moment}") for moment in range(60)]
    in_flight, long_ago = request(61, "text 59"), request(62, "text 3")
    strike = Strike(59.5, 60.0)
    assert paid_again([*before, in_flight], strike) == (1, 0)
    assert paid_again([*before, in_flight, long_ago], strike) == (1, 1)
    assert paid_again([*before, in_flight]) == (0, 1)
    assert paid_again([*before, in_flight], Strike(59.5, 60.0, answers_lost=False)) == (0, 1)


def test_no_more_answers_are_lost_at_a_strike_than_are_on_their_way_at_once() -> None:
    before = [request(moment, f"text {moment}") for moment in range(60)]
    again = [request(61 + number, f"text {30 + number}") for number in range(invariants.ON_THE_WAY + 1)]
    assert paid_again([*before, *again], Strike(60.5, 61.0)) == (invariants.ON_THE_WAY, 1)


def paid_again(requests: list[Request], *strikes: Strike) -> tuple[int, int]:
    in_flight, again = invariants.payments(requests, strikes)
    return in_flight, len(again)


def test_an_answer_that_was_no_answer_may_be_asked_for_again() -> None:
    assert paid_again([request(1, "text", paid=False), request(5, "text")]) == (0, 0)


@pytest.mark.parametrize(
    ("report", "complaints"),
    [
        ({"listed": 9, "indexed": 5, "unchanged": 1, "waiting": 0}, 0),
        ({"listed": 8, "indexed": 5, "unchanged": 0, "waiting": 0}, 1),
        ({"listed": 9, "indexed": 5, "unchanged": 0, "waiting": 0}, 1),
        ({"listed": 9, "indexed": 5, "unchanged": 0, "waiting": 1}, 1),
    ],
)
def test_sums_that_do_not_agree_with_the_folder_are_seen(report: dict[str, object], complaints: int) -> None:
    settled = {"skipped": {"empty": 2}, "failed": [{"file_name": "a"}]}
    assert len(list(invariants.wrong_sums(report | settled, 9))) == complaints


@pytest.mark.dagster_tables
@pytest.mark.parametrize(
    ("harm", "column"),
    [
        ("DELETE FROM drive_file_index WHERE file_name = '報告0001.txt'", "broken"),
        ("UPDATE file_state SET state = 'failed' WHERE file_name = '報告0001.txt'", "lost"),
        ("DELETE FROM file_state WHERE file_name = '報告0001.txt'", "lost"),
        ("UPDATE file_chunk SET text = 'another' WHERE ordinal = 0", "different"),
        ("UPDATE keyword_total SET chunks = chunks + 1", "broken"),
        ("UPDATE keyword_term SET document_frequency = document_frequency + 1", "broken"),
        ("DELETE FROM embedding_code WHERE ordinal = 0", "duplicated"),
    ],
)
def test_an_index_that_was_harmed_is_told_from_a_sound_one(bench: CrawlBench, harm: LiteralString, column: str) -> None:
    bench.write_many(3)
    for file in bench.source.list_files():
        bench.indexer.index_file(file)
    observer = Observer(bench.database.url)
    sound = snapshot(observer)
    assert len(sound) == 3
    assert not any(_seen(observer, sound).values())
    with bench.database.connection() as connection:
        connection.execute(harm)
    assert _seen(observer, sound)[column]
    observer.close()


def _seen(observer: Observer, sound: Snapshot) -> dict[str, list[str]]:
    difference = compare(snapshot(observer), sound)
    return {
        "lost": list(difference.lost),
        "different": list(difference.different),
        "duplicated": [*difference.duplicated, *invariants.duplicates(observer)],
        "broken": invariants.untruths(observer),
    }


def test_a_folder_is_the_same_for_the_same_seed_and_any_change_is_seen(tmp_path: Path) -> None:
    from random import Random

    first, second = (make_documents(tmp_path / name, Random(7), 30) for name in ("a", "b"))
    texts = [{path.name: path.stat().st_size for path in folder.rglob("*.md")} for folder in (first, second)]
    assert texts[0] == texts[1]
    before = digest_of(first)
    assert digest_of(first) == before
    next(first.rglob("*.md")).touch()
    assert digest_of(first) != before


def test_the_table_has_one_line_per_fault_and_says_the_worst(tmp_path: Path) -> None:
    outcomes = [
        Outcome("kill-crawl", 1, struck=1, seconds=4.0),
        Outcome("kill-crawl", 2, struck=2, lost=["a is failed"], seconds=9.5),
        Outcome("disk-full", 3, skipped="only root may"),
    ]
    lines = list(table(outcomes))
    assert len(lines) == 4
    assert lines[1].split() == ["kill-crawl", "2", "3", "1", "0", "0", "0", "0", "0", "9.5"]
    assert len(COLUMNS) == 10
    assert [outcome.good for outcome in outcomes] == [True, False, True]
    assert list(sentences(outcomes[1])) == ["lost: a is failed"]


def test_every_fault_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text("utf-8")
    assert [name for name in FAULTS if f"`{name}`" not in page] == []
