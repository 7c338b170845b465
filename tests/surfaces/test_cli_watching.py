"""`document-locator crawler` on a terminal: how many files are done and the time left, also within a batch."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from locator_assets.drive.ticks import BATCH
from locator_search.cli.operating.watching import former_pace, seconds_left
from locator_search.ports import CrawlRun
from tests.builders.terminal import Terminal

FILES = 150
BEGAN = datetime(2026, 11, 2, tzinfo=UTC)


def test_a_terminal_shows_the_files_done_and_the_time_left_before_the_first_batch_ends(
    tmp_path: Path, database_url: str
) -> None:
    assert FILES < BATCH
    (tmp_path / "docs").mkdir()
    for number in range(FILES):
        (tmp_path / "docs" / f"{number}.md").write_text(f"# 報告 {number}\n\n第{number}号の報告です。\n" * 150, "utf-8")
    settings = {"PATH": "/usr/bin:/bin", "DATABASE_URL": database_url, "LOCATOR_HOME": str(tmp_path / "home")}
    settings |= {"LOCATOR_FOLDERS": str(tmp_path / "docs"), "LOCATOR_LANGUAGE": "en"}
    with Terminal.running("-m", "locator_search.cli.main", "crawler", environment=settings) as terminal:
        assert terminal.read_to_the_end() == 0, terminal.shown
    shown = [int(done) for done in re.findall(rf"(\d+) of {FILES} files, about \d+:\d\d:\d\d left", terminal.shown)]
    assert any(0 < done < FILES for done in shown), terminal.shown
    assert shown == sorted(shown)


def run(seconds: float, **files: int) -> CrawlRun:
    return CrawlRun("run", BEGAN, BEGAN + timedelta(seconds=seconds), {}, **files)


def test_the_pace_is_that_of_the_last_run_over_files() -> None:
    assert former_pace([run(90, indexed=1), run(30, indexed=8, skipped=1, failed=1), run(5, removed=3)]) == 3
    assert former_pace([]) == 0


@pytest.mark.parametrize(
    ("waiting", "done", "seconds", "pace", "left"),
    [
        (100, 0, 0, 2.0, 200),  # by the last crawl, before any file is done
        (100, 0, 10, 0.0, None),
        (90, 10, 30, 0.0, 270),
        (80, 20, 20, 3.0, 160),  # half by the last crawl
        (0, 0, 10, 3.0, None),
        (0, 10, 10, 3.0, 0),
    ],
)
def test_the_time_left_goes_by_the_last_crawl_and_by_the_files_that_are_done(
    waiting: int, done: int, seconds: float, pace: float, left: float | None
) -> None:
    assert seconds_left(waiting, done, seconds, pace) == left
