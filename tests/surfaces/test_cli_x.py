"""`document-locator x`: the contract of its JSON, what it prints, and that SIGKILL leaves a session to resume."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pytest
from typer.testing import CliRunner

from tests.builders.command_line import app
from tests.fakes.x_server import TOKEN, x_server

QUESTION = "在宅勤務の困りごと"


@pytest.fixture
def run(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path))

    def invoke(*arguments: str, status: int = 0) -> Any:
        result = CliRunner().invoke(app, ["x", *arguments])
        assert result.exit_code == status, result.output
        return result

    return invoke


def test_a_search_prints_the_keys_of_the_contract(run: Any) -> None:
    printed = json.loads(run("search", QUESTION, "--json").stdout)
    assert set(printed) >= {"session_id", "status", "phase", "progress", "queries", "posts", "answer", "cost_usd"}
    assert (printed["status"], printed["phase"], printed["progress"]) == ("done", "saving", 1.0)
    assert len(printed["queries"]) >= 6
    assert printed["answer"].endswith("]")
    keys = "post_id text author created_at url embedding_score rerank_score final_score"
    assert set(printed["posts"][0]) >= set(keys.split())
    assert printed["posts"][0]["url"].startswith("https://x.com/sample_")


def test_sessions_are_listed_shown_and_forgotten(run: Any) -> None:
    session_id = json.loads(run("search", QUESTION, "--json").stdout)["session_id"]
    listed = json.loads(run("sessions", "--json").stdout)["sessions"]
    assert [(one["session_id"], one["status"]) for one in listed] == [(session_id, "done")]
    shown = run("show", session_id).stdout
    assert "付属の見本の投稿（架空）" in shown
    assert "オフラインの代役" in shown
    assert "クエリ作成 0." in shown
    assert json.loads(run("resume", session_id, "--json").stdout)["status"] == "done"
    assert json.loads(run("forget", session_id, "--json").stdout) == {"forgotten": 1}
    assert "セッションはないか" in run("show", session_id, status=1).stderr
    run("forget", status=2)
    assert run("sessions").stdout.strip() == "セッションはありません。"


def test_the_answer_is_taken_along_with_its_posts(run: Any, tmp_path: Path) -> None:
    made = json.loads(run("search", "在宅勤務の困りごと", "--json").stdout)
    for form in ("md", "docx", "xlsx"):
        path = tmp_path / f"answer.{form}"
        run("export", made["session_id"], "--format", form, "--out", str(path))
    text = (tmp_path / "answer.md").read_text("utf-8")
    assert "付属の見本の投稿（架空）" in text
    assert "オフラインの代役" in text
    rows = list(
        openpyxl.load_workbook(tmp_path / "answer.xlsx")["見つかった投稿"].iter_rows(min_row=3, values_only=True)
    )
    assert [row[6] for row in rows] == [post["url"] for post in made["posts"]]
    (cited, *_) = made["sentences"][0]["post_ids"]
    number = next(place for place, post in enumerate(made["posts"], start=1) if post["post_id"] == cited)
    answer = [paragraph.text for paragraph in docx.Document(str(tmp_path / "answer.docx")).paragraphs]
    assert any(line.startswith(f"[{number}] ") and line.endswith(f"/{cited}") for line in answer)
    assert "セッションはないか" in run("export", "6f1f2a1e-0000-4000-8000-000000000000", status=1).stderr


def test_the_cost_is_said_before_anything_is_bought(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with x_server(posts=80) as server:
        server.per_query = 20
        monkeypatch.setenv("X_BEARER_TOKEN", TOKEN)
        monkeypatch.setenv("X_API_BASE_URL", server.url)
        result = run("search", QUESTION, "--budget", "0.2")
    assert "費用の見積もり: 最大 0.20 ドル（投稿 40 件まで）" in result.stderr
    assert "費用: X 0.200 ドル" in result.stdout
    assert TOKEN not in result.output
    assert "budget" not in run("search", QUESTION, "--budget", "-1", status=2).stdout


def test_posts_of_earlier_days_are_looked_at_again_and_what_is_gone_is_told(
    run: Any, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with x_server(posts=80) as server:
        server.per_query = 20
        monkeypatch.setenv("X_BEARER_TOKEN", TOKEN)
        monkeypatch.setenv("X_API_BASE_URL", server.url)
        session_id = json.loads(run("search", QUESTION, "--budget", "0.2", "--json").stdout)["session_id"]
        assert "x recheck" not in run("show", session_id).stdout
        _change(database_url, "UPDATE x_search_result SET seen_at = seen_at - interval '1 day'")
        _change(database_url, "UPDATE x_purchase SET day = day - 1")
        shown = run("show", session_id).stdout
        assert "昨日（UTC）以前に取得した投稿が 40 件" in shown
        assert f"費用は最大 0.20 ドルです。  確認: document-locator x recheck {session_id}" in shown
        server.deleted = {server.posts[0]["id"]}
        result = run("recheck", session_id)
        assert "費用は最大 0.20 ドルです。" in result.stderr
        assert "39 件は X に残っています。削除されていた 1 件を取り除きました。" in result.stdout
        assert "費用 0.195 ドル。" in result.stdout
        assert "X で削除された 1 件は取り除きました。" in run("show", session_id).stdout
        printed = json.loads(run("recheck", "--all", "--json").stdout)
        assert "確認が必要な投稿はありません。" in run("recheck", "--all").stderr
    assert (printed["due"], printed["removed"], printed["why_ended"]) == (0, [], None)
    run("recheck", status=2)


def test_an_address_without_a_token_is_refused(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X_API_BASE_URL", "http://127.0.0.1:9")
    assert "X_BEARER_TOKEN" in run("sessions", status=2).stderr


@pytest.mark.large  # the short form is in tests/scenarios/test_x_survival.py
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGKILL, "running"), (signal.SIGINT, "paused")])
def test_a_command_that_is_killed_or_interrupted_leaves_a_session_that_resumes(
    run: Any, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: signal.Signals, status: str
) -> None:
    with x_server(posts=80) as server:
        server.per_query, server.delay = 20, 0.3
        settings = {"DATABASE_URL": database_url, "LOCATOR_HOME": str(tmp_path)}
        settings |= {"X_BEARER_TOKEN": TOKEN, "X_API_BASE_URL": server.url}
        command = [sys.executable, "-m", "locator_search.cli.main", "x", "search", QUESTION, "--json"]
        worker = subprocess.Popen(
            command,
            env={**os.environ, **settings},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path.cwd(),
        )
        while len(server.requests) < 3:
            assert worker.poll() is None
        worker.send_signal(sent)
        said = worker.communicate()[1]
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        [session] = json.loads(run("sessions", "--json").stdout)["sessions"]
        assert session["status"] == status
        told_how_to_go_on = f"再開: document-locator x resume {session['session_id']}" in said
        assert told_how_to_go_on == (sent == signal.SIGINT)
        server.delay = 0.0
        _change(database_url, "UPDATE x_search_session SET lease_until = now()")
        resumed = json.loads(run("resume", session["session_id"], "--json").stdout)
    assert resumed["status"] == "done"
    assert resumed["cost_usd"] == pytest.approx(0.005 * len(resumed["posts"]))


def _change(database_url: str, statement: str) -> None:
    from locator_search.adapters.postgres import Database

    with Database(database_url) as database, database.connection() as connection:
        connection.execute(statement)
