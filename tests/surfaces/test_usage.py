"""Questions and costs, on the page and by the command, over a log of real tables."""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import psycopg
import pytest
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from locator_search.adapters.postgres import Database, PostgresUsageLog
from locator_search.core.reader import Reader
from locator_search.core.usage import Usage
from streamlit_app.shared import access
from tests.builders.command_line import app as command
from tests.surfaces.test_page_app import fresh_app, shown

HOSTILE = "=1+1 <img src=x>"


@pytest.fixture
def asked(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of tables in which two questions stand, one of which found nothing and cost something."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path))
    with Database(database_url) as database, psycopg.connect(database_url, autocommit=True) as connection:
        PostgresUsageLog(database).add("rerank", "m", Usage(1, 900, 100, 0.125))
        for question, outcome, cost in ((HOSTILE, "not_found", 0.125), ("予算の承認者", "found", 0)):
            connection.execute(
                "INSERT INTO search_log (question, surface, outcome, message, rounds, file_ids, seconds, cost)"
                " VALUES (%s, 'page', %s, '', '[]', '{}', 1.5, %s)",
                (question, outcome, cost),
            )
    return database_url


@pytest.fixture
def page(asked: str) -> Iterator[AppTest]:
    """The app over them."""
    yield from fresh_app()


def usage_page(page: AppTest) -> AppTest:
    return page.run().switch_page("status/usage.py").run()


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(command, ["usage", *arguments])
    assert result.exit_code == status, result.output
    return result.output


def test_the_page_shows_figures_plots_and_questions_as_text(page: AppTest) -> None:
    told = shown(usage_page(page))
    assert not page.exception
    figures = {metric.label: metric.value for metric in page.metric}
    assert figures == {
        "質問の数": "2",
        "見つからなかった割合": "50%",
        "秒数（中央値 / 95%）": "1.5 / 1.5",
        "費用の合計": "$0.1250",
    }
    assert len(page.get("vega_lite_chart")) == 3
    assert "=1+1 &lt;img src=x&gt;" in told
    assert "<img" not in told
    assert "予算の承認者" in told
    assert "質問への回答" in told


def test_without_records_the_page_says_so(page: AppTest, asked: str) -> None:
    with psycopg.connect(asked, autocommit=True) as connection:
        connection.execute("TRUNCATE search_log, model_usage CASCADE")
    assert "記録はありません" in shown(usage_page(page))
    assert len(page.get("vega_lite_chart")) == 0


def test_other_people_who_may_open_the_page_see_figures_and_no_question(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCATOR_ALLOWED_HOSTS", "search.example.com")
    told = shown(usage_page(page))
    assert "$0.1250" in told
    assert "質問そのものは管理者だけに" in told
    assert "予算の承認者" not in told
    assert "img" not in told


@pytest.mark.parametrize("administers", [False, True])
def test_with_permissions_it_is_for_administrators(
    page: AppTest, monkeypatch: pytest.MonkeyPatch, administers: bool
) -> None:
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setattr(access, "reader", lambda: Reader.of("aki@example.com", {}, administers=administers))
    told = shown(usage_page(page))
    assert ("予算の承認者" in told) is administers
    assert ("管理者だけに表示されます" in told) is not administers
    assert bool(page.metric) is administers


@pytest.mark.usefixtures("asked")
def test_the_command_tells_the_same_in_words_as_json_and_as_a_workbook(tmp_path: Path) -> None:
    told = run()
    assert "見つからなかった割合: 50%" in told
    assert HOSTILE in told
    report = json.loads(run("--json", "--days", "7"))
    assert (report["total"]["questions"], report["total"]["unanswered"]) == (2, 1)
    assert [(one["question"], one["cost_usd"]) for one in report["dearest"]] == [(HOSTILE, 0.125)]
    assert [(one["work"], one["tokens"]) for one in report["work"]] == [("questions", 1000)]
    run("--export", str(tmp_path / "usage.xlsx"))
    cells = [str(cell.value) for sheet in openpyxl.load_workbook(tmp_path / "usage.xlsx") for cell in [*sheet["A"]]]
    assert "予算の承認者" in cells
    assert not any(cell.startswith("=") for cell in cells)
    run("--days", "0", status=2)
    assert ".csv" in run("--export", "usage.pdf", status=2)


@pytest.mark.usefixtures("asked")
def test_the_command_refuses_people_who_are_no_administrators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setenv("LOCATOR_ADMINISTRATORS", "boss@example.com")
    for mail, status in (("aki@example.com", 1), ("boss@example.com", 0)):
        monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{pwd.getpwuid(os.getuid()).pw_name}={mail}")
        assert ("予算の承認者" in run(status=status)) is not bool(status)
