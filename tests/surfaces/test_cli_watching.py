"""`document-locator crawler` on a terminal: how many files are done and the time left, also within a batch."""

from __future__ import annotations

import re
from pathlib import Path

from locator_assets.drive.ticks import BATCH
from tests.builders.terminal import Terminal

FILES = 150


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
    assert shown[0] == 0, "before any file is done"
    assert any(0 < done < FILES for done in shown), terminal.shown
    assert shown == sorted(shown)
