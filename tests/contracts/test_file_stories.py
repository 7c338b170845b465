"""What an operator asks about files: how far each came, how far all have come, and what runs did."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from locator_search.adapters.postgres import Database, PostgresStatusReader
from locator_search.ports import CrawlProgress, CrawlRun
from locator_search.ports.crawls import USUAL_PACE
from tests.builders.crawl import CrawlBench
from tests.builders.index import NOON
from tests.scenarios.test_indexing import crawl


@pytest.fixture
def office(bench: CrawlBench) -> CrawlBench:
    bench.write("営業部/見積書_A社.txt", "見積の合計は百万円である。")
    bench.write("営業部/見積書_B社.pdf", "%PDF-1.7 and then nothing")
    bench.write("総務部/空.txt", "")
    crawl(bench)
    bench.write("総務部/新しい.txt", "まだ読まれていない")
    bench.registry.record_listing([bench.listed("総務部/新しい.txt")], bench.clock.now())
    return bench


def test_every_listed_file_is_found_by_words_of_its_name_and_folder(office: CrawlBench) -> None:
    def names(words: str) -> list[str]:
        return [story.known.file.file_name for story in office.status_reader.stories(words)]

    assert names("") == ["新しい.txt", "空.txt", "見積書_B社.pdf", "見積書_A社.txt"], "what is not searched first"
    assert names("営業部 Ｂ社") == ["見積書_B社.pdf"], "whatever the width of letters"
    assert names("見積書_ 総務部") == []
    assert names("%") == [], "no pattern"


def test_a_story_says_how_far_a_file_came(office: CrawlBench) -> None:
    [read] = office.status_reader.stories("A社")
    assert (read.known.state, read.chunks, read.characters, read.by_model) == ("indexed", 1, 13, True)
    assert read.indexed_at is not None
    [damaged] = office.status_reader.stories("B社")
    assert (damaged.known.state, damaged.known.attempts, damaged.indexed_at, damaged.by_model) == (
        "failed",
        1,
        None,
        False,
    )
    assert damaged.known.reason.startswith("corrupt")
    assert office.status_reader.stories(file_id=damaged.known.file.file_id) == [damaged]
    assert office.status_reader.stories(file_id="nobody") == []


def test_a_person_has_one_file_a_kind_or_all_tried_again(office: CrawlBench) -> None:
    registry, now = office.registry, office.clock.now()
    assert registry.try_again(["failed", "skipped"], now, reason="no such") == 0
    assert crawl(office).keys() == {"新しい.txt"}
    assert registry.try_again(["failed", "skipped"], now, reason="corrupt") == 1
    assert crawl(office).keys() == {"見積書_B社.pdf"}
    assert registry.try_again(["failed", "skipped"], now) == 2
    assert crawl(office).keys() == {"見積書_B社.pdf", "空.txt"}
    assert registry.try_again(["indexed"], now, reason="corrupt") == 0


def test_the_progress_counts_what_waits_and_names_the_last_files(office: CrawlBench) -> None:
    progress = office.status_reader.progress()
    assert (progress.waiting, progress.done, progress.latest) == (1, 3, ["見積書_A社.txt"])
    assert progress.seconds is not None
    assert 0 < progress.seconds < 60
    assert progress.pace == USUAL_PACE


@pytest.mark.parametrize(
    ("waiting", "done", "seconds", "pace", "left", "speed"),
    [
        (100, 0, 0.1, 2.0, 200.5, 0),  # by the last crawl, before any file is done
        (500, 0, 1.0, USUAL_PACE, 75, 0),
        (80, 20, 20, 3.0, 160, 60),  # half by the last crawl
        (80, 180, 60, 0.1, 24.8, 180),
        (0, 10, 10, 3.0, 0, 60),
        (100, 0, None, 3.0, None, 0),
    ],
)
def test_the_time_left_goes_by_the_last_crawl_and_by_the_files_that_are_done(
    waiting: int, done: int, seconds: float | None, pace: float, left: float | None, speed: int
) -> None:
    progress = CrawlProgress(waiting, done, seconds, (), pace)
    assert progress.seconds_left == pytest.approx(left)
    assert progress.files_per_minute == speed


def test_runs_are_kept_once_and_told_oldest_first_for_their_own_roots(database: Database) -> None:
    reader, other = PostgresStatusReader(database), PostgresStatusReader(database, root_ids=["elsewhere"])
    runs = [
        CrawlRun(
            f"run-{day}", NOON, NOON + timedelta(days=day), {"indexed": day, "failed": 1}, indexed=day, cost_usd=0.5
        )
        for day in range(3)
    ]
    for run in [*runs[::-1], runs[0]]:
        reader.record_run(run)
    assert reader.runs() == runs
    assert reader.progress().pace == 24 * 3600
    assert reader.runs(limit=2) == runs[1:]
    assert other.runs() == []


def test_the_history_goes_on_when_a_folder_is_added_or_taken_away(database: Database) -> None:
    one, both, none = (PostgresStatusReader(database, root_ids=roots) for roots in (["a"], ["a", "b"], ["c"]))
    first = CrawlRun("first", NOON, NOON + timedelta(hours=1), {"indexed": 5}, indexed=5)
    second = CrawlRun("second", NOON, NOON + timedelta(hours=2), {"indexed": 8}, indexed=3)
    one.record_run(first)
    both.record_run(second)
    assert both.runs() == [replace(first, same_roots=False), second]
    assert one.runs() == [first, replace(second, same_roots=False)]
    assert none.runs() == []
