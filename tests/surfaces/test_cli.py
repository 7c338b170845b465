"""The command line as a whole: what it offers, how fast it answers, and its exit statuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from locator_search.cli import main
from tests.builders.command_line import app
from tests.builders.commands import run_command

HEAVY = ("dagster", "streamlit", "psycopg", "numpy", "pydantic", "sudachipy", "psutil")


@pytest.fixture(autouse=True)
def an_empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOCATOR_LANGUAGE", "en")
    for name in ("DATABASE_URL", "SUPABASE_URL", "LOCATOR_FOLDERS", "LOG_LEVEL"):
        monkeypatch.setenv(name, "")


def test_help_lists_the_commands() -> None:
    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    for name in ("up", "crawler", "search", "evidence", "extract", "status", "doctor", "db"):
        assert name in result.stdout


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; from tests.builders.command_line import app;"
        f" print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200, check=True)
    assert result.stdout == "[]\n"


def test_a_command_makes_no_other_one_and_no_command_all(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[list[str]] = []

    def run(command: Any, words: list[str]) -> int:
        made.append(list(command.commands))
        return 0

    monkeypatch.setattr(main, "_run", run)
    for words in (["crawler", "--json"], ["--quiet", "crawler"], ["db", "migrate"], ["crawl"], ["--version", "db"], []):
        monkeypatch.setattr(sys, "argv", ["document-locator", *words])
        with pytest.raises(SystemExit):
            main.main()
    assert made[:3] == [["crawler"], ["crawler"], ["db"]]
    assert all({"crawler", "db", "x"} < {*each} for each in made[3:])


def test_a_command_ends_without_looking_for_garbage() -> None:
    program = (
        "import atexit, gc, sys; from locator_search.cli.main import main;"
        " atexit.register(lambda: print(len(gc.get_objects())));"  # it runs after those of the command
        " sys.argv = ['document-locator', '--version']; main()"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200, check=True)
    assert int(result.stdout.splitlines()[-1]) < 1000  # of a hundred thousand


@pytest.mark.parametrize("words", [["no-such-command"], ["search"], ["search", "x", "--no-such-option"]])
def test_wrong_usage_ends_with_2(words: list[str]) -> None:
    assert CliRunner().invoke(app, words).exit_code == 2


def test_help_works_with_wrong_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    assert CliRunner().invoke(app, ["doctor", "--help"]).exit_code == 0
    refused = CliRunner().invoke(app, ["doctor"])
    assert refused.exit_code == 2
    assert "LOG_LEVEL" in refused.stderr


def test_doctor_says_what_stands_behind_each_part() -> None:
    result = CliRunner().invoke(app, ["doctor", "--json"])
    assert result.exit_code == 0, result.stderr
    parts = json.loads(result.stdout)["parts"]
    assert {"database", "source", "chat_model", "embedding_model", "index"} <= set(parts)
    assert {"live_drive", "live_slack", "live_github"} <= set(parts)
    assert all({"state", "detail", "hint"} <= set(part) for part in parts.values())
    assert parts["database"]["state"] == "embedded"
    assert parts["chat_model"]["state"] == "offline"
    assert "offline" in parts["embedding_model"]["detail"]
    assert parts["index"]["state"] == "missing"
    assert "crawler" in parts["index"]["hint"]
    assert parts["live_slack"]["state"] == "offline"
    assert "SLACK_USER_TOKEN" in parts["live_slack"]["hint"]


def test_doctor_names_a_database_it_cannot_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:hunter22@127.0.0.1:1/nowhere")
    result = CliRunner().invoke(app, ["doctor", "--json"])
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["parts"]["database"]["state"] == "failing"
    assert "hunter22" not in result.stdout + result.stderr


def test_doctor_names_a_setting_that_sends_texts_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    parts = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)["parts"]
    assert "LangSmith" in parts["tracing"]["detail"]
    assert "LANGSMITH_TRACING" in parts["tracing"]["hint"]


def test_doctor_and_status_speak_in_words_too() -> None:
    doctor = CliRunner().invoke(app, ["doctor"])
    assert "stand-in" in doctor.stdout
    status = CliRunner().invoke(app, ["status"])
    assert (status.exit_code, "none yet" in status.stdout) == (0, True), status.stderr


def test_status_of_an_empty_index_is_all_zero() -> None:
    result = CliRunner().invoke(app, ["status", "--json"])
    assert result.exit_code == 0, result.stderr
    figures = json.loads(result.stdout)
    assert (figures["listed"], figures["complete"], figures["last_sync"], figures["age_seconds"]) == (
        0,
        True,
        None,
        None,
    )
    assert (figures["chunks"], figures["model_calls"], figures["cost_usd"]) == (0, 0, 0)
    assert (figures["alarms"], figures["runs"]) == ([], [])
    assert figures["progress"] == {
        "waiting": 0,
        "in_batches": 0,
        "files_per_minute": 0,
        "seconds_left": None,
        "latest": [],
    }


def test_status_knows_a_crawl_that_has_not_come_to_its_end(tmp_path: Path, database_url: str) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("one.txt", "two.txt"):
        (tmp_path / "docs" / name).write_text(f"the text of {name}")
    settings = {"PATH": "/usr/bin:/bin", "DATABASE_URL": database_url, "LOCATOR_HOME": str(tmp_path / "home")}
    settings |= {"LOCATOR_FOLDERS": str(tmp_path / "docs"), "LOCATOR_LANGUAGE": "en"}
    run_command("crawler", "--limit", "1", environment=settings, folder=tmp_path)
    told = run_command("status", environment=settings, folder=tmp_path).stdout
    assert "none has come to its end yet" in told


@pytest.mark.parametrize("place", [0, 1])
def test_quiet_leaves_results_and_errors_wherever_it_stands(tmp_path: Path, database_url: str, place: int) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "broken.pdf").write_text("%PDF-1.7 and no more")
    settings = {"PATH": "/usr/bin:/bin", "DATABASE_URL": database_url, "LOCATOR_HOME": str(tmp_path / "home")}
    settings |= {"LOCATOR_FOLDERS": str(tmp_path / "docs"), "LOCATOR_LANGUAGE": "en"}
    words = [["crawler"], ["extract", str(tmp_path / "absent.pdf")]]
    for line in words:
        line.insert(place, "--quiet")
    crawled, failed = [run_command(*line, environment=settings, folder=tmp_path) for line in words]
    assert (crawled.returncode, crawled.stderr) == (0, "")
    assert "1 failed" in crawled.stdout
    assert failed.returncode == 2
    assert "absent.pdf" in failed.stderr
