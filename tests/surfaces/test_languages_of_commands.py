"""Commands that meet faults, told in the language that is set and in no other."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
import regex
from typer.testing import CliRunner

from locator_search.app import locator as opening
from locator_search.core.clock import SystemClock
from locator_search.dev.drive_emulator import DriveEmulator
from tests.builders.command_line import app
from tests.builders.files.pdfs import pdf
from tests.builders.languages import english_in, japanese_in
from tests.fakes.openai_server import Reply, error, openai_server

pytestmark = pytest.mark.dagster_tables

LOGGED_IN_ENGLISH = regex.compile(r"(?m)^\S+T\S+ (?:INFO|WARNING|ERROR) [\w.]+: (?!.*\p{Hiragana}).*$")
NOWHERE = "127.0.0.1:9"
Told = Callable[..., str]


@pytest.fixture(params=["ja", "en"])
def told(request: pytest.FixtureRequest, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    """Runs a command over a folder with one note and a damaged PDF, and returns all that it says."""
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "note.txt").write_text("空調 2024", "utf-8")
    (papers / "scan.pdf").write_bytes(b"%PDF-1.4 damaged")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCATOR_LANGUAGE", request.param)
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOCATOR_FOLDERS", str(papers))
    monkeypatch.setattr(SystemClock, "sleep", lambda _self, _seconds: None)

    def run(*words: str, fails: bool | None = True) -> str:
        result = CliRunner(env={"COLUMNS": "2000"}).invoke(app, words)
        assert "Traceback" not in result.output
        assert fails is None or bool(result.exit_code) == fails, result.output
        said = LOGGED_IN_ENGLISH.sub("", result.output)
        foreign = english_in(said) if request.param == "ja" else japanese_in(said)
        assert not foreign, result.output
        return result.output

    return run


@pytest.mark.parametrize(
    "command", ["status", "search note", "doctor", "crawler", "roots list", "db status", "usage", "x sessions"]
)
def test_a_database_that_is_away(told: Told, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgresql://nobody@{NOWHERE}/none")
    told(*command.split(), fails=None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SEARCH_MAX_LOOP_COUNT", "99"),
        ("SEARCH_MAX_LOOP_COUNT", "many"),
        ("LOCATOR_TIME_ZONE", "Mars/Base"),
        ("OPENAI_BASE_URL", "nowhere"),
        ("LOCATOR_MATCHING_OFF", "guessing"),
        ("LOCATOR_FOLDER_NAMES", "one,two,three"),
        ("LOCATOR_FUSION", "magic"),
        ("LOCATOR_ADD_FOLDERS", "perhaps"),
        ("LOCATOR_MAX_COST_USD", "-1"),
        ("GOOGLE_CLIENT_ID", "half"),
        ("DATABASE_URL", "nonsense"),
        ("SUPABASE_URL", "nonsense"),
        ("LOCATOR_SERVERS", "nowhere.yaml"),
        ("LOCATOR_GROUPS", "nowhere.toml"),
        ("CONTRIBUTIONS_ARCHIVE_URL", "gopher://x"),
        ("CONTRIBUTIONS_ARCHIVE_URL", f"ftp://{NOWHERE}/x"),
        ("EMBEDDING_PROVIDER", "huggingface"),
        ("LOCATOR_PERMISSIONS", "1"),
    ],
)
def test_damaged_settings(told: Told, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    told("doctor", fails=None)


@pytest.mark.parametrize(
    "command",
    [
        "search note --after someday",
        "search note --type hologram",
        "search note --threshold 7",
        "similar nobody.txt",
        "searches --forget nothing",
        "crawler --wait",
        "crawler --batch",
        "crawler --confirm-removal nowhere",
        "roots remove nowhere",
        "audit",
        "extract nowhere.pdf",
        "evaluate papers",
        "calibrate",
        "db restore papers/note.txt",
        "db backup nowhere/file",
        "x show nobody",
        "x forget",
        "contributions show S1-000000",
        "contributions sync --meeting SA1-999",
        "contributions export",
        "contributions analyse S1-000000",
        "live add --url nonsense odd",
        "live remove nobody",
        "auth google",
    ],
)
def test_wrong_arguments(told: Told, command: str) -> None:
    told(*command.split(), fails=None)


def test_a_folder_that_is_gone_and_one_that_is_a_file(
    told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (tmp_path / "gone", tmp_path / "papers" / "note.txt"):
        monkeypatch.setenv("LOCATOR_FOLDERS", str(folder))
        told("crawler")
        told("doctor", fails=None)
        told("roots", "list", fails=False)


def test_a_home_that_cannot_be_written(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "file" / "home"))
    monkeypatch.delenv("DATABASE_URL")
    told("status")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EMFILE, errno.EIO])
def test_what_a_system_refuses(told: Told, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refused(*_: object) -> NoReturn:
        raise OSError(number, os.strerror(number), "/data")

    monkeypatch.setattr(opening, "open_locator", refused)
    told("status")


@pytest.mark.parametrize(
    "reply",
    [
        Reply(error("bad key", 401), 401),
        Reply(error("no such model", 404), 404),
        Reply(error("slow down", 429), 429),
        Reply(error("quota", 429, code="insufficient_quota"), 429),
        Reply(error("broken", 500), 500),
        Reply(error("bad parameter", 400), 400),
        Reply("<html>a proxy</html>"),
        Reply("{}", hangs_up=True),
    ],
    ids=lambda reply: f"{reply.status}",
)
def test_a_model_that_fails(told: Told, monkeypatch: pytest.MonkeyPatch, reply: Reply) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody")
    with openai_server() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        server.handler = lambda _path, _body: reply
        told("doctor", fails=None)
        told("crawler", fails=None)
        told("search", "note", fails=False)


def test_files_that_cannot_be_read(told: Told, tmp_path: Path) -> None:
    pdf(tmp_path / "papers" / "empty.pdf", [[]])
    told("crawler", fails=False)
    told("status", fails=False)
    told("extract", "papers/scan.pdf", "papers/empty.pdf", fails=False)


def test_a_drive_that_takes_its_token_back(told: Told, drive: DriveEmulator, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in drive.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("GOOGLE_DRIVE_TARGET_FOLDER_IDS", "nobodys")
    told("crawler")
    told("doctor", fails=None)
    monkeypatch.setenv("GOOGLE_REFRESH_TOKEN", "revoked")
    told("crawler")
    told("doctor", fails=None)


def test_everything_well(told: Told) -> None:
    for command in (
        "crawler",
        "status",
        "doctor",
        "roots list",
        "usage",
        "db status",
        "db apply",
        "search note",
        "x sessions",
    ):
        told(*command.split(), fails=False)
