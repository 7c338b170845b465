"""`document-locator mcp` in processes of its own, as applications start it: what it says, and how it ends."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from mcp import Client
from typer.testing import CliRunner

from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
from tests.builders.command_line import app
from tests.builders.report_folder import index_everything, write_files
from tests.builders.waiting import wait_until

END_SECONDS = 100
PROGRAM = [sys.executable, "-m", "locator_search.cli.main"]


class Application:
    """An application that starts a server over stdio, as its printed configuration says, and reads its answers."""

    def __init__(self, server: dict[str, Any]) -> None:
        self.process = subprocess.Popen(
            [server["command"], *server["args"]],
            env={"PATH": os.defpath, **server["env"]},  # as bare as that of a desktop
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._number = 0

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        self._number += 1
        self.tell(method, id=self._number, params=params)
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert answer["id"] == self._number
        return dict(answer["result"])

    def tell(self, method: str, **message: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, **message}) + "\n")
        self.process.stdin.flush()

    def shake_hands(self) -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        greeting = self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        self.tell("notifications/initialized")
        return greeting

    def search(self, query: str) -> dict[str, Any]:
        answer = self.ask("tools/call", name="search", arguments={"query": query})
        assert "structuredContent" in answer, answer
        return dict(answer["structuredContent"])

    def ended(self) -> tuple[int, str, str]:
        """Exit status, what was still on stdout, and all of stderr."""
        said, complained = self.process.communicate(timeout=END_SECONDS)
        return self.process.returncode, said, complained


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a `.env` that names a home and documents beside it."""
    write_files(tmp_path / "文書", {"椿計画の議事録.md": "# 椿計画の議事録\n\n予算は三百万円と決まった。\n"})
    (tmp_path / ".env").write_text("LOCATOR_HOME=home\nLOCATOR_FOLDERS=文書\nLOCATOR_LANGUAGE=en\n", "utf-8")
    return tmp_path


@pytest.fixture
def applications() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def configuration(folder: Path) -> dict[str, Any]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LOCATOR_", "DAGSTER"))}
    words = [*PROGRAM, "mcp", "--print-config"]
    printed = subprocess.run(words, cwd=folder, env=kept, capture_output=True, text=True, timeout=200, check=True)
    assert "claude_desktop_config.json" in printed.stderr
    return dict(json.loads(printed.stdout)["mcpServers"]["document-locator"])


def started(server: dict[str, Any], stack: ExitStack) -> Application:
    application = Application(server)
    stack.callback(application.process.kill)
    return application


def index(folder: Path) -> None:
    settings = load_settings(locator_home=folder / "home", locator_folders=(str(folder / "文書"),))
    with open_locator(settings) as locator:
        index_everything(locator)


def processes_of(folder: Path) -> list[str]:
    """The database servers of this folder's home."""
    data = folder / "home" / "postgres" / "data"
    found = []
    for process in psutil.process_iter(["cmdline", "cwd", "status"]):
        line, of = " ".join(process.info["cmdline"] or ()), process.info
        # As root it is started inside its folder, and not by a path.
        if of["status"] != psutil.STATUS_ZOMBIE and " -D " in line and (str(data) in line or of["cwd"] == str(data)):
            found.append(line)
    return found


def test_servers_started_as_configured_share_one_database_and_leave_nothing_behind(
    folder: Path, applications: ExitStack
) -> None:
    server = configuration(folder)
    assert Path(server["command"]).is_absolute()
    first, second = started(server, applications), started(server, applications)
    assert first.shake_hands()["serverInfo"]["name"] == "document-locator"
    second.shake_hands()
    assert len(first.ask("tools/list")["tools"]) == 3
    assert not (folder / "home").exists(), "the database was started before the first question"

    assert first.search("椿計画の予算")["note"].startswith("The index is empty: run document-locator crawler")
    index(folder)
    for application in (first, second):
        assert [item["title"] for item in application.search("椿計画の予算")["results"]] == ["椿計画の議事録.md"]
    assert len(processes_of(folder)) == 1

    first.process.send_signal(signal.SIGTERM)
    assert first.ended() == (0, "", "")
    assert [item["title"] for item in second.search("椿計画")["results"]] == ["椿計画の議事録.md"]
    assert second.ended() == (0, "", ""), "the end of stdin is the end of the server"
    assert processes_of(folder) == []


def test_over_http_it_answers_this_machine_only(folder: Path, applications: ExitStack) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "mcp", "--directory", str(folder), "--http", "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    applications.callback(process.kill)
    assert process.stdout is not None
    url = json.loads("".join(process.stdout.readline() for _ in range(3)))["url"]
    address = urlsplit(url)
    assert address.hostname == "127.0.0.1"

    async def conversation() -> list[str]:
        async with Client(url) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert asyncio.run(conversation()) == ["search", "fetch", "get_evidence"]
    assert status_of_a_request(address.netloc, "attacker.example") == 421
    assert status_of_a_request(address.netloc, address.netloc, origin="https://attacker.example") == 403
    wait_until(lambda: status_of_a_request(address.netloc, "10.0.0.7", path="/readyz") == 200)

    taken = [*PROGRAM, "mcp", "--directory", str(folder), "--http", "--port", str(address.port)]
    refused = subprocess.run(taken, capture_output=True, text=True, timeout=200, check=False)
    assert refused.returncode == 2
    assert f"Port {address.port} of 127.0.0.1 cannot be listened on" in refused.stderr

    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=END_SECONDS)
    assert process.returncode == 0


def status_of_a_request(netloc: str, host: str, path: str = "/mcp", **headers: str) -> int:
    connection = http.client.HTTPConnection(netloc, timeout=100)
    types = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    connection.request("POST", path, message, {"Host": host, **types, **headers})
    return connection.getresponse().status


def test_the_configuration_carries_settings_of_the_environment_but_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCATOR_LANGUAGE", "en")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    result = CliRunner().invoke(app, ["mcp", "--print-config"])
    server = json.loads(result.stdout)["mcpServers"]["document-locator"]
    assert server["env"]["LOCATOR_LANGUAGE"] == "en"
    assert server["args"][-2:] == ["--directory", str(tmp_path)]
    assert "sk-very-secret" not in result.output
    assert f"OPENAI_API_KEY was left out, being secret: write it into the .env of {tmp_path}." in result.stderr


def test_wrong_settings_are_told_on_stderr_and_nothing_on_stdout(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=loud\n")
    words = [*PROGRAM, "mcp", "--directory", str(tmp_path)]
    result = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert "LOG_LEVEL" in result.stderr
    assert "Traceback" not in result.stderr
