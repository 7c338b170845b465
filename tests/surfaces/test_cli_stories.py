"""`document-locator status NAME`: how far the files of a name came."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
from tests.builders.command_line import app
from tests.builders.report_folder import index_everything


@pytest.fixture(autouse=True)
def _office(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index of one good file and one damaged one."""
    folder = tmp_path / "営業部"
    folder.mkdir()
    (folder / "見積書_A社.txt").write_text("見積の合計は百万円である。", "utf-8")
    (folder / "見積書_B社.pdf").write_text("%PDF-1.7 and then nothing", "utf-8")
    for name, value in {
        "DATABASE_URL": database_url,
        "LOCATOR_HOME": str(tmp_path / "home"),
        "LOCATOR_FOLDERS": str(folder),
    }.items():
        monkeypatch.setenv(name, value)
    with open_locator(load_settings()) as locator:
        index_everything(locator)


def status(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["status", *arguments])


def test_each_file_of_a_name_tells_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    told = status("見積書").stdout
    damaged, read = told.index("営業部/見積書_B社.pdf  失敗: 壊れている"), told.index("営業部/見積書_A社.txt  索引済み")
    assert damaged < read, "what is not searched first"
    assert "  検索: 検索できません" in told[damaged:read]
    assert "失敗 1 回。 ファイルが変わるか、再試行を押すと試します。" in told[damaged:read]
    assert "  読み取り: 13 文字を読み取りました（チャンク 1）" in told[read:]
    monkeypatch.setenv("LOCATOR_LANGUAGE", "en")
    assert "searchable: it is not found" in status("B社").stdout


def test_the_story_as_json() -> None:
    document = json.loads(status("A社", "--json").stdout)
    [file] = document["files"]
    assert (file["file_name"], file["state"], file["chunks"], file["characters"]) == (
        "見積書_A社.txt",
        "indexed",
        1,
        13,
    )
    assert document["more"] is False


def test_no_file_of_that_name_is_said_in_one_sentence() -> None:
    nothing = status("存在しない名前")
    assert nothing.exit_code == 0
    assert nothing.stdout.startswith("この名前のファイルは一覧にありません")
    assert json.loads(status("存在しない名前", "--json").stdout) == {"files": [], "more": False}
