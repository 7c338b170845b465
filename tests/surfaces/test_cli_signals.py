"""Ctrl-C and SIGTERM end a command quietly, and nothing is left of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import psutil
import pytest

from locator_search.adapters.postgres import Database
from tests.builders.waiting import wait_until

COMMAND = [sys.executable, "-m", "locator_search.cli.main"]
FILES = 150


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    documents = tmp_path / "documents"
    documents.mkdir()
    for number in range(FILES):
        (documents / f"{number}.md").write_text(f"# 報告 {number}\n\n第{number}号の報告です。\n" * 30, "utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LOCATOR_", "DAGSTER"))}
    places = {"LOCATOR_HOME": str(tmp_path / "home"), "LOCATOR_FOLDERS": str(documents), "LOCATOR_LANGUAGE": "en"}
    return {**kept, **places, "DATABASE_URL": "", "SUPABASE_URL": "", "LOG_LEVEL": ""}


def processes_of(home: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("LOCATOR_HOME") == home and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def stopped(
    environment: Mapping[str, str], folder: Path, number: signal.Signals, words: list[str], once: str
) -> tuple[int, str]:
    """Exit status and stderr of a command that is sent a signal as soon as its stderr holds some text."""
    said = folder / "stderr.txt"
    with said.open("wb") as sink:
        process = subprocess.Popen(
            [*COMMAND, *words],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=sink,
            start_new_session=True,
        )
    wait_until(lambda: once in said.read_text("utf-8") or process.poll() is not None, seconds=200)
    assert process.poll() is None, said.read_text("utf-8")
    time.sleep(1)
    process.send_signal(number)
    return process.wait(100), said.read_text("utf-8")


@pytest.mark.timeout(900)
def test_a_crawl_that_is_stopped_says_one_line_leaves_nothing_and_is_taken_up(
    environment: dict[str, str], tmp_path: Path
) -> None:
    status, said = stopped(environment, tmp_path, signal.SIGTERM, ["crawler"], "files to index")
    assert (status, said.splitlines()[-1]) == (128 + signal.SIGTERM, "Interrupted."), said
    assert "Traceback" not in said
    wait_until(lambda: processes_of(environment["LOCATOR_HOME"]) == [], seconds=60)
    with Database(Path(environment["LOCATOR_HOME"])) as database, database.connection() as connection:
        runs = connection.execute("SELECT status FROM dagster.runs").fetchall()
        whole = connection.execute(
            "SELECT count(*) FROM file_state s WHERE state = 'indexed' AND NOT EXISTS"
            " (SELECT FROM file_chunk c WHERE c.file_id = s.file_id)"
        ).fetchone()
    assert [status for (status,) in runs] == ["CANCELED"]
    assert whole == (0,)

    again = subprocess.run(
        [*COMMAND, "crawler", "--json"], env=environment, capture_output=True, text=True, timeout=400, check=False
    )
    report = json.loads(again.stdout)
    assert report["indexed"] + report["unchanged"] == FILES, again.stderr
    assert report["failed"] == []


def test_a_waiting_command_ends_at_a_ctrl_c(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    status, said = stopped(environment, tmp_path, signal.SIGINT, ["mcp", "--http", "--port", "0"], "http://")
    assert status == 0  # a server that is told to end has done its work
    assert "Traceback" not in said
