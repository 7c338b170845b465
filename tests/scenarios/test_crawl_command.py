"""`document-locator crawler` as cron runs it: whole processes, the shipped settings, a real Dagster storage."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg
import psutil
import psycopg
import pytest

from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.adapters.postgres import Database, PostgresFileLocks
from tests.builders.commands import StartedCommand

pytestmark = pytest.mark.dagster_tables

HOSTILE = Path(__file__).parents[1] / "builders" / "files" / "hostile"

KEYS = {
    "mode", "listed", "indexed", "unchanged", "skipped", "failed", "deleted", "chunks", "model_calls", "tokens",
    "cost_usd", "seconds",
}  # fmt: skip
OF_NEWS = {"dagster", "locator_search.adapters.offline.keywords"}
"""Modules that a crawl loads only where something is new."""
OF_NO_CRAWL = {"upath.core", "locator_search.adapters.offline.analysis"}
SIZES = [80, pytest.param(500, marks=pytest.mark.large)]


class Crawls:
    """Crawls of one folder into one database, each in a process of its own."""

    def __init__(self, home: Path, database: Database) -> None:
        self.folder = home / "共有"
        self.folder.mkdir()
        self._database = database
        self._environment = {
            **os.environ,
            "LOCATOR_HOME": str(home / "home"),
            "LOCATOR_FOLDERS": str(self.folder),
            "DATABASE_URL": database.url,
            "PYTHONPATH": str(HOSTILE),  # readers do what the words of a file say
        }
        self._home = home

    def write(self, count: int) -> None:
        for number in range(count):
            path = self.folder / f"{number % 5}" / f"報告{number:04}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"第{number}号報告書\n\n案件{number}の予算は{number}万円である。", encoding="utf-8")

    def held_back(self, file_name: str) -> AbstractContextManager[None]:
        """A block during which no crawl comes to an end, because this file waits."""
        [file] = [one for one in LocalFolderSource([self.folder]).list_files() if one.file_name == file_name]
        return PostgresFileLocks(self._database).hold(f"file:{file.file_id}")

    def start(self, *options: str) -> StartedCommand:
        return StartedCommand(("crawler", "--json", *options), self._environment, self._home)

    def run(self, *options: str) -> dict[str, Any]:
        return report_of(self.start(*options).end())

    def run_as_cron_does(self) -> dict[str, Any]:
        command = [sys.executable, "-m", "locator_search.cli.main", "crawler", "--json"]
        return report_of(
            subprocess.run(
                command, env=self._environment, cwd=self._home, capture_output=True, text=True, timeout=240, check=False
            )
        )

    def count(self, table: str, where: str = "true") -> int:
        with psycopg.connect(self._database.url) as connection:
            row = connection.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()
        return int(row[0]) if row else 0

    def holds(self, files: int) -> bool:
        """Whether so many files are in the index."""
        return self.count("drive_file_index") >= files

    def wait_until(self, happened: Callable[[], bool]) -> None:
        until = time.monotonic() + 200
        while not happened():
            assert time.monotonic() < until, "it did not happen in time"
            time.sleep(0.02)


def report_of(ended: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert ended.returncode == 0, ended.stderr[-3000:]
    report: dict[str, Any] = json.loads(ended.stdout)
    return report


@pytest.fixture
def crawls(tmp_path: Path, database: Database) -> Crawls:
    return Crawls(tmp_path, database)


@pytest.fixture
def dagster(tmp_path: Path, crawls: Crawls, database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Opens the Dagster instance that the crawls wrote to."""
    monkeypatch.setenv("DAGSTER_POSTGRES_URL", database.dagster_url)
    opened: list[dg.DagsterInstance] = []

    def open_it() -> dg.DagsterInstance:
        opened.append(dg.DagsterInstance.from_config(str(tmp_path / "home" / "dagster")))
        return opened[-1]

    yield open_it
    for instance in opened:
        instance.dispose()


def total(report: dict[str, Any]) -> int:
    """Every listed file counted once."""
    settled = report["indexed"] + report["unchanged"] + sum(report["skipped"].values())
    return int(settled + len(report["failed"]) + report["waiting"])


def test_a_crawl_reports_every_file_once_and_exits_with_0_whatever_the_files_are(crawls: Crawls) -> None:
    crawls.write(6)
    (crawls.folder / "空.txt").touch()
    (crawls.folder / "写真.png").write_bytes(b"\x89PNG")
    (crawls.folder / "壊れた.pdf").write_text("%PDF-1.7 and then nothing", encoding="utf-8")

    first = crawls.run_as_cron_does()
    assert set(first) >= KEYS
    assert (first["mode"], first["listed"], first["indexed"]) == ("full", 9, 6)
    assert first["skipped"] == {"empty": 1, "image": 1}
    [failed] = first["failed"]
    assert failed["file_name"] == "壊れた.pdf"
    assert failed["reason"].startswith("corrupt")
    assert failed["file_id"].startswith("local:")
    assert first["model_calls"] == 6
    assert total(first) == first["listed"]

    second = crawls.run()
    assert (second["mode"], second["indexed"], second["unchanged"]) == ("diff", 0, 6)
    assert second["model_calls"] == second["chunks"] == 0
    assert total(second) == second["listed"]


def test_a_limit_leaves_the_rest_to_the_next_crawl_and_nothing_for_ever(crawls: Crawls) -> None:
    crawls.write(7)
    first = crawls.run("--limit", "3")
    assert (first["indexed"], first["waiting"]) == (3, 4)
    assert crawls.count("drive_sync_state") == 0, "a part of a crawl is not a crawl"
    assert crawls.run("--mode", "diff", "--limit", "3")["indexed"] == 3
    assert crawls.run("--mode", "diff")["indexed"] == 1
    assert crawls.count("drive_sync_state", "id = 'global'") == 1
    assert crawls.count("drive_sync_state") == 2, "one for these folders, one for the whole database"


def test_what_is_gone_is_forgotten(crawls: Crawls, dagster: Callable[[], dg.DagsterInstance]) -> None:
    crawls.write(4)
    crawls.run()
    (crawls.folder / "0" / "報告0000.txt").unlink()
    report = crawls.run()
    assert (report["listed"], report["deleted"]) == (3, 1)
    assert crawls.count("drive_file_index") == crawls.count("file_state") == 3
    assert len(dagster().get_dynamic_partitions("drive_files")) == 3


def test_a_crawl_that_finds_nothing_new_starts_no_dagster_and_no_rules_of_the_model(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "command_line()(sys.argv[1:], standalone_mode=False)"
    script = f"import sys; from locator_search.cli.main import command_line; {line}"
    command = [
        sys.executable,
        "-c",
        f"{script}; print(*({OF_NEWS | OF_NO_CRAWL!r} & {{*sys.modules}}))",
        "crawler",
        "--json",
    ]
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "報告書.txt").write_text("進み具合を報告する。", "utf-8")
    given = {"DATABASE_URL": database_url, "LOCATOR_HOME": str(tmp_path / "home"), "LOCATOR_FOLDERS": str(folder)}
    for name, setting in given.items():
        monkeypatch.setenv(name, setting)

    def crawl() -> tuple[int, int, set[str]]:
        said = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True).stdout
        report, loaded = said.rsplit("}\n", 1)
        counted = json.loads(report + "}")
        return counted["indexed"], counted["unchanged"], {*loaded.split()}

    assert crawl() == (1, 0, OF_NEWS)
    assert crawl() == (0, 1, set())
    (folder / "議事録.txt").write_text("次の会合を決めた。", "utf-8")
    assert crawl() == (1, 1, OF_NEWS)


def test_a_folder_that_is_missing_fails_the_crawl_in_one_sentence(crawls: Crawls) -> None:
    crawls.folder.rmdir()
    ended = crawls.start().end()
    assert ended.returncode == 1
    assert "がありません" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


def test_two_crawls_at_once_do_nothing_twice(crawls: Crawls) -> None:
    crawls.write(40)
    both = [crawls.start(), crawls.start()]
    reports = [report_of(one.end()) for one in both]
    assert sum(report["indexed"] for report in reports) == 40
    assert sum(report["model_calls"] for report in reports) == 40
    assert all(total(report) == report["listed"] == 40 for report in reports)


@pytest.mark.parametrize("size", SIZES)
def test_after_a_kill_in_the_middle_the_next_crawl_completes_the_index_and_pays_nothing_twice(
    crawls: Crawls, dagster: Callable[[], dg.DagsterInstance], size: int
) -> None:
    from tests.dagster.runs import keys_shown

    crawls.write(size)
    with crawls.held_back(f"報告{size - 1:04}.txt"):
        doomed = crawls.start()
        crawls.wait_until(lambda: crawls.count("drive_file_index") >= size // 4)
        os.killpg(doomed.pid, signal.SIGKILL)
        assert doomed.end().returncode == -signal.SIGKILL
    indexed, paid = crawls.count("drive_file_index"), crawls.count("model_answer")
    assert indexed < size, "it was killed in the middle"

    report = crawls.run()

    assert (report["listed"], total(report)) == (size, size)
    assert report["failed"] == []
    assert report["indexed"] == size - indexed
    assert report["model_calls"] == size - paid == crawls.count("model_answer") - paid
    assert crawls.count("drive_file_index") == crawls.count("file_state", "state = 'indexed'") == size
    assert crawls.count("(SELECT file_id, ordinal FROM file_chunk GROUP BY 1, 2 HAVING count(*) > 1) twice") == 0
    assert crawls.count("extracted_text", "attempts > 0") == 0, "nothing is held against any file"
    instance = dagster()
    assert instance.get_runs_count(dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])) == 0
    for asset in ("drive_file", "drive_file_index"):
        assert len(keys_shown(instance, asset, "materialized")) == size
        assert keys_shown(instance, asset, "failed") == set()


def killed_with_its_readers(crawl: StartedCommand) -> None:
    """As the kernel, a container or a person does: the crawl and every process below it, at once."""
    with suppress(psutil.NoSuchProcess):
        below = psutil.Process(crawl.pid).children(recursive=True)
        for process in (psutil.Process(crawl.pid), *below):
            with suppress(psutil.NoSuchProcess):
                process.kill()


def test_after_five_kills_in_a_row_one_crawl_indexes_every_healthy_file(crawls: Crawls) -> None:
    healthy = 58
    crawls.write(healthy)
    (crawls.folder / "2" / "落とす.txt").write_text("abort", encoding="utf-8")
    for wanted in range(4, 24, 4):
        crawl = crawls.start()
        crawls.wait_until(partial(crawls.holds, wanted))
        killed_with_its_readers(crawl)
        assert crawl.end().returncode == -signal.SIGKILL, "it was killed in the middle"

    report = crawls.run()

    [failed] = report["failed"]
    assert (failed["file_name"], failed["reason"].partition(":")[0]) == ("落とす.txt", "killed")
    assert (report["waiting"], total(report)) == (0, healthy + 1)
    assert crawls.count("drive_file_index") == crawls.count("file_state", "state = 'indexed'") == healthy
    assert crawls.count("extracted_text", "attempts > 0") == 0, "nothing is held against any file"


def test_a_file_that_takes_everything_along_ends_one_crawl_and_no_second(crawls: Crawls) -> None:
    crawls.write(8)
    (crawls.folder / "3" / "道連れ.txt").write_text("end-everything", encoding="utf-8")
    assert crawls.start().end().returncode == -signal.SIGKILL

    report = crawls.run()

    [failed] = report["failed"]
    assert (failed["file_name"], failed["reason"].partition(":")[0]) == ("道連れ.txt", "killed")
    assert crawls.count("drive_file_index") == 8
    assert total(report) == 9
