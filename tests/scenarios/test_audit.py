"""Who asked and opened what is kept where people have names, for administrators, and nothing of it without them."""

from __future__ import annotations

import csv
import json
import os
import pwd
from pathlib import Path
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from locator_search.config.settings import load_settings
from locator_search.core.errors import ConfigurationError
from locator_search.core.reader import Reader, reading_as
from locator_search.mcp_server.index_tools import IndexTools
from tests.builders.command_line import app
from tests.builders.report_folder import write_files

RULES = '[[rule]]\npath = "*"\nreaders = ["@example.com"]\n'
SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def _crawled(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_files(tmp_path / "会社", {"評価.md": "# 評価の記録\n\n秘密の本文\n", ".locator-access.toml": RULES})
    for name, value in {
        "LOCATOR_HOME": tmp_path / "home",
        "LOCATOR_FOLDERS": folder,
        "DATABASE_URL": database_url,
        "LOCATOR_PERMISSIONS": 1,
        "LOCATOR_ADMINISTRATORS": "boss@example.com",
    }.items():
        monkeypatch.setenv(name, str(value))
    assert CliRunner().invoke(app, ["crawler", "--json"]).exit_code == 0


def run(monkeypatch: pytest.MonkeyPatch, mail: str, *words: str) -> Any:
    user = pwd.getpwuid(os.getuid()).pw_name
    monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{user}={mail}")
    return CliRunner().invoke(app, [*words])


@pytest.mark.usefixtures("_crawled")
def test_questions_and_openings_are_kept_for_administrators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        assert run(monkeypatch, "aki@example.com", "search", f"評価 {SECRET}", "--no-input", "--json").exit_code == 0
    run(monkeypatch, "hana@example.com", "evidence", "評価の記録")
    assert run(monkeypatch, "hana@example.com", "similar", "評価.md").exit_code == 0
    tools = IndexTools(load_settings())
    with reading_as(Reader.of("aki@example.com", {})):
        tools.fetch(tools.get_evidence("評価の記録", 3, None, None).evidence[0].id)
    tools.close()
    told = json.loads(run(monkeypatch, "boss@example.com", "audit", "--json").stdout)["entries"]
    assert [(one["person"], one["kind"], one["surface"], one["question"], one["file_name"]) for one in told] == [
        ("aki@example.com", "asked", "command", "評価 ***", ""),
        ("hana@example.com", "asked", "command", "評価の記録", ""),
        ("hana@example.com", "asked", "command", "", "会社/評価.md"),
        ("aki@example.com", "asked", "mcp", "評価の記録", ""),
        ("aki@example.com", "opened", "mcp", "", "会社/評価.md"),
    ]
    assert "秘密" not in json.dumps(told, ensure_ascii=False)
    refused = run(monkeypatch, "aki@example.com", "audit", "--json")
    assert (refused.exit_code, "管理者" in refused.output) == (1, True)
    assert run(monkeypatch, "boss@example.com", "audit", "--export", str(tmp_path / "a.csv")).exit_code == 0
    with (tmp_path / "a.csv").open(encoding="utf-8-sig") as written:
        assert len(list(csv.reader(written))) == 6
    assert "aki@example.com" not in run(monkeypatch, "boss@example.com", "audit", "--after", "2999-01-01").stdout


@pytest.mark.usefixtures("_crawled")
def test_it_is_kept_for_so_many_days_and_not_at_all_where_it_is_off(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(monkeypatch, "aki@example.com", "search", "評価", "--no-input")
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("UPDATE audit_entry SET at = now() - interval '8 days'")
        monkeypatch.setenv("LOCATOR_AUDIT_DAYS", "7")
        assert json.loads(run(monkeypatch, "boss@example.com", "audit", "--json").stdout)["entries"] == []
        run(monkeypatch, "aki@example.com", "search", "記録", "--no-input")
        assert connection.execute("SELECT question FROM audit_entry").fetchall() == [("記録",)]
        monkeypatch.setenv("LOCATOR_AUDIT", "0")
        run(monkeypatch, "aki@example.com", "search", "評価", "--no-input")
        assert connection.execute("SELECT count(*) FROM audit_entry").fetchone() == (1,)
    assert "閲覧の記録は残していません" in run(monkeypatch, "boss@example.com", "audit").output


def test_a_log_of_nobody_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_AUDIT", "1")
    with pytest.raises(ConfigurationError, match="without LOCATOR_PERMISSIONS nobody is named"):
        load_settings()
