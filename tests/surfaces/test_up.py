"""`document-locator up` as a person meets it: addresses that answer, a searchable folder, and nothing left behind."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

COMMAND = [sys.executable, "-m", "locator_search.cli.main"]
START_SECONDS = 250
STOP_SECONDS = 120


class Running:
    """One `up` in a process of its own, with what it printed so far."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self.output = folder / "up.txt"
        self.home = Path(environment["LOCATOR_HOME"])
        with self.output.open("wb") as sink:
            self.process = subprocess.Popen(
                [*COMMAND, "up", "--no-browser"], cwd=folder, env=environment, stdout=sink, stderr=subprocess.STDOUT
            )

    @property
    def printed(self) -> str:
        return self.output.read_text("utf-8")

    def wait_for(self, pattern: str) -> re.Match[str]:
        deadline = time.monotonic() + START_SECONDS
        while not (found := re.search(pattern, self.printed)):
            assert self.process.poll() is None, self.printed
            assert time.monotonic() < deadline, self.printed
            time.sleep(0.2)
        return found

    def family(self) -> list[psutil.Process]:
        """Everything it runs: its descendants and the database server."""
        processes = psutil.Process(self.process.pid).children(recursive=True)
        server = self.server()
        return [*processes, server, *server.children()]

    def server(self) -> psutil.Process:
        """The database server."""
        return psutil.Process(int((self.home / "postgres/data/postmaster.pid").read_text().split()[0]))

    def server_is_another_than(self, former: psutil.Process) -> bool:
        with suppress(OSError, IndexError, psutil.NoSuchProcess):  # its file is made anew, and empty for a moment
            return self.server() != former
        return False

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(STOP_SECONDS)


@contextmanager
def running(environment: Mapping[str, str], folder: Path) -> Iterator[Running]:
    one = Running(environment, folder)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.process.terminate()
            one.process.wait(STOP_SECONDS)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "椿計画の議事録.md").write_text("# 椿計画の議事録\n\n椿計画の予算は三百万円と決まった。\n", "utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LOCATOR_", "DAGSTER"))}
    places = {"LOCATOR_HOME": str(tmp_path / "home"), "LOCATOR_FOLDERS": str(documents), "LOCATOR_LANGUAGE": "en"}
    return {**kept, **places, "DATABASE_URL": "", "SUPABASE_URL": "", "LOG_LEVEL": ""}


@contextmanager
def usual_ports_taken() -> Iterator[None]:
    with ExitStack() as sockets:
        for port in (8501, 3000):
            taken = sockets.enter_context(socket.socket())
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                taken.bind(("127.0.0.1", port))
                taken.listen()
            except OSError:  # somebody else has it: just as well
                continue
        yield


def status_of(url: str) -> int:
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.netloc, timeout=100)
    connection.request("GET", "/")
    return connection.getresponse().status


def document_locator(environment: Mapping[str, str], folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=200, check=False
    )


def left_over(family: list[psutil.Process], home: Path) -> list[str]:
    """The members of a family that still live, and anything else that was started for its home."""
    left = {*family, *(process for process in psutil.process_iter() if belongs_to(process, home))}
    deadline = time.monotonic() + 60
    while (left := {process for process in left if is_alive(process)}) and time.monotonic() < deadline:
        time.sleep(0.1)
    return [str(process) for process in left]


def belongs_to(process: psutil.Process, home: Path) -> bool:
    try:
        return process.environ().get("LOCATOR_HOME") == str(home)
    except psutil.Error:
        return False


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.timeout(900)
def test_up_serves_crawls_refuses_a_second_one_stops_clean_and_starts_again(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with usual_ports_taken(), running(environment, tmp_path) as first:
        page = first.wait_for(r"Search page\s+(http\S+)")[1]
        dagster = first.wait_for(r"Dagster UI\s+(http\S+)")[1]
        assert (status_of(page), status_of(dagster)) == (200, 200)
        assert urlsplit(page).port != 8501
        assert urlsplit(dagster).port != 3000

        found = tmp_path / "found"
        deadline = time.monotonic() + START_SECONDS
        while not found.exists():
            result = document_locator(environment, tmp_path, "search", "椿計画の予算", "--json", "--no-input")
            assert result.returncode == 0, result.stderr
            if [hit["file_name"] for hit in json.loads(result.stdout)["evidence"]] == ["椿計画の議事録.md"]:
                found.touch()
            assert time.monotonic() < deadline, result.stdout

        second = document_locator(environment, tmp_path, "up", "--no-browser")
        assert second.returncode == 1
        assert "already running" in second.stderr
        assert len(second.stderr.splitlines()) == 2

        family = first.family()
        assert len(family) > 5
        assert first.stop() == 0, first.printed
        assert left_over(family, first.home) == []
        assert "Traceback" not in first.printed

    with running(environment, tmp_path) as again:
        again.wait_for(r"Dagster UI\s+(http\S+)")
        result = document_locator(environment, tmp_path, "search", "椿計画の予算", "--json", "--no-input")
        assert [hit["file_name"] for hit in json.loads(result.stdout)["evidence"]] == ["椿計画の議事録.md"]
        for words in ("streamlit", "locator_assets.dagster_webserver", "dagster._daemon"):
            kill_and_wait_for_another(again, words)
        assert page_and_dagster_answer(again)
        former = again.server()
        former.kill()
        deadline = time.monotonic() + START_SECONDS
        while not again.server_is_another_than(former):
            assert time.monotonic() < deadline, again.printed
            time.sleep(0.2)
        result = document_locator(environment, tmp_path, "search", "椿計画の予算", "--json", "--no-input")
        assert [hit["file_name"] for hit in json.loads(result.stdout)["evidence"]] == ["椿計画の議事録.md"]
        again.wait_for("The database had stopped; it is running again")
        assert page_and_dagster_answer(again)
        family = again.family()
        assert again.stop() == 0, again.printed
        assert left_over(family, again.home) == []
        assert open_to_others(again.home) == []


def open_to_others(home: Path) -> list[Path]:
    return [path for path in (home, *home.rglob("*")) if not path.is_symlink() and path.stat().st_mode & 0o007]


def child_of(running: Running, words: str) -> psutil.Process | None:
    for child in psutil.Process(running.process.pid).children():
        with suppress(psutil.Error):
            if words in " ".join(child.cmdline()):
                return child
    return None


def kill_and_wait_for_another(running: Running, words: str) -> None:
    former = child_of(running, words)
    assert former is not None
    former.kill()
    deadline = time.monotonic() + START_SECONDS
    while (another := child_of(running, words)) is None or another == former:
        assert running.process.poll() is None, running.printed
        assert time.monotonic() < deadline, running.printed
        time.sleep(0.1)


def page_and_dagster_answer(running: Running) -> bool:
    urls = [running.wait_for(rf"{name}\s+(http\S+)")[1] for name in ("Search page", "Dagster UI")]
    deadline = time.monotonic() + START_SECONDS
    for url in urls:
        while True:
            with suppress(OSError, http.client.HTTPException):
                if status_of(url) == 200:
                    break
            assert time.monotonic() < deadline, running.printed
            time.sleep(0.2)
    return True


def ask_dagster(url: str, query: str, **variables: object) -> Any:
    """What Dagster's UI asks its own server, with the answer. None while it does not answer."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.netloc, timeout=100)
    body = json.dumps({"query": query, "variables": variables})
    connection.request("POST", "/graphql", body, {"Content-Type": "application/json"})
    return json.loads(connection.getresponse().read())["data"]


ASSETS = (
    '{assetNodes(group: {groupName: "drive_index", repositoryName: "__repository__",'
    ' repositoryLocationName: "locator_assets"})'
    " {assetKey {path} partitionStats {numFailed numMaterialized} assetChecksOrError {... on AssetChecks {checks"
    " {name executionForLatestMaterialization {status evaluation {success severity}}}}}}}"
)
FAILED_RUNS = "{runsOrError(filter: {statuses: [FAILURE]}) {... on Runs {results {runId}}}}"
RUN_AGAIN = (
    "mutation($again: ReexecutionParams) {launchRunReexecution(reexecutionParams: $again)"
    " {... on LaunchRunSuccess {run {runId}}}}"
)
STATUS = "query($id: ID!) {runOrError(runId: $id) {... on Run {status}}}"


def test_a_damaged_file_is_red_in_one_place_and_green_after_it_was_repaired_and_run_again(
    environment: dict[str, str], tmp_path: Path
) -> None:
    damaged = tmp_path / "documents" / "見積書.pdf"
    damaged.write_text("%PDF-1.7 and then nothing", "utf-8")
    with running(environment, tmp_path) as up:
        dagster = up.wait_for(r"Dagster UI\s+(http\S+)")[1]
        up.wait_for(r"Crawl finished")
        assets = {node["assetKey"]["path"][0]: node for node in ask_dagster(dagster, ASSETS)["assetNodes"]}
        assert {name: node["partitionStats"]["numFailed"] for name, node in assets.items()} == {
            "drive_file": 0,
            "extracted_text": 1,
            "file_summary": 0,
            "file_embedding": 0,
            "drive_file_index": 0,
        }
        checks = [check for node in assets.values() for check in node["assetChecksOrError"].get("checks", ())]
        not_passed = {
            check["name"]: check["executionForLatestMaterialization"]["evaluation"]["severity"]
            for check in checks
            if check["executionForLatestMaterialization"]["status"] != "SUCCEEDED"
        }
        assert not_passed == {"every_file_readable": "WARN"}, "all of them were looked at"

        damaged.write_text("これは PDF ではなく文章である。", "utf-8")
        [failed] = ask_dagster(dagster, FAILED_RUNS)["runsOrError"]["results"]
        wish = {"parentRunId": failed["runId"], "strategy": "ALL_STEPS"}
        launched = ask_dagster(dagster, RUN_AGAIN, again=wish)["launchRunReexecution"]["run"]["runId"]
        deadline = time.monotonic() + START_SECONDS
        while (status := ask_dagster(dagster, STATUS, id=launched)["runOrError"]["status"]) != "SUCCESS":
            assert status != "FAILURE"
            assert time.monotonic() < deadline, status
            time.sleep(0.5)
        for node in ask_dagster(dagster, ASSETS)["assetNodes"]:
            assert node["partitionStats"] == {"numFailed": 0, "numMaterialized": 2}
            for check in node["assetChecksOrError"].get("checks", ()):
                evaluation = check["executionForLatestMaterialization"]
                assert evaluation is None or evaluation["status"] == "SUCCEEDED"


def test_a_folder_that_does_not_exist_is_named(environment: dict[str, str], tmp_path: Path) -> None:
    result = document_locator(environment, tmp_path, "up", "--no-browser", "--folder", str(tmp_path / "nowhere"))
    assert result.returncode == 2
    assert "No such folder" in result.stderr
    assert "nowhere" in result.stderr
