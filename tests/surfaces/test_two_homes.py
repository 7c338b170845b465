"""Homes with folders of their own on one database, and roots that are suddenly empty, as every surface tells it."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner, Result

import streamlit_app
from streamlit_app.shared import session
from tests.builders.command_line import app

pytestmark = pytest.mark.dagster_tables


@pytest.fixture
def at(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes a home the present one, with a folder to crawl, under a name where one is given."""
    monkeypatch.setenv("DATABASE_URL", database_url)

    def go(home: str, folder: Path, name: str = "") -> None:
        monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / home))
        monkeypatch.setenv("LOCATOR_FOLDERS", str(folder))
        monkeypatch.setenv("LOCATOR_FOLDER_NAMES", name)

    return go


def filled(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"{folder.name}{number:02}.txt").write_text(
            f"{folder.name}の第{number}号報告書。案件{number}の進み具合を報告する。", encoding="utf-8"
        )
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def answer(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_ten_alternating_crawls_of_two_homes_delete_nothing_and_index_nothing_twice(
    at: Callable[..., None], tmp_path: Path
) -> None:
    homes = [("一", filled(tmp_path / "営業", 12)), ("二", filled(tmp_path / "総務", 25))]
    reports = []
    for number in range(10):
        home, folder = homes[number % 2]
        at(home, folder)
        reports.append(answer("crawler", "--mode", "full" if number % 3 else "diff"))
    assert [report["indexed"] for report in reports] == [12, 25, *[0] * 8]
    assert [report["deleted"] for report in reports] == [0] * 10
    assert [report["listed"] for report in reports] == [12, 25] * 5
    assert [report["warnings"] for report in reports] == [[]] * 10
    at(*homes[0])
    status = answer("status")
    assert (status["listed"], status["complete"], status["warnings"]) == (12, True, [])
    assert {root["files"]: root["here"] for root in status["roots"]} == {12: True, 25: False}
    found = answer("search", "総務の第3号報告書", "--no-input")["evidence"]
    [elsewhere] = [one for one in found if one["file_name"] == "総務03.txt"]
    assert (elsewhere["verified"], elsewhere["freshness"]) == (None, "not_verified")


def test_the_same_folder_under_another_path_with_the_same_name_is_indexed_once(
    at: Callable[..., None], tmp_path: Path
) -> None:
    folder = filled(tmp_path / "営業", 25)
    at("一", folder, "営業資料")
    assert answer("crawler")["indexed"] == 25
    copy = Path(shutil.copytree(folder, tmp_path / "mnt", copy_function=shutil.copyfile))  # with other times
    at("二", copy, "営業資料")
    for mode in ("diff", "full"):
        report = answer("crawler", "--mode", mode)
        assert (report["indexed"], report["unchanged"], report["deleted"], report["model_calls"]) == (0, 25, 0, 0)
    moved = folder.rename(tmp_path / "moved")
    at("一", moved, "営業資料")
    report = answer("crawler")
    assert (report["indexed"], report["unchanged"], report["deleted"], report["model_calls"]) == (0, 25, 0, 0)
    found = answer("search", "営業の第3号報告書", "--no-input")["evidence"]
    [shown] = [one for one in found if one["file_name"] == "営業03.txt"]
    assert shown["link"] == (moved / "営業03.txt").as_uri()
    assert shown["verified"] is True


def test_a_root_that_is_suddenly_empty_loses_nothing_and_every_surface_says_so(
    at: Callable[..., None], tmp_path: Path
) -> None:
    folder = filled(tmp_path / "営業", 25)
    at("一", folder)
    assert answer("crawler")["indexed"] == 25
    shutil.move(folder, tmp_path / "away")
    folder.mkdir()
    command = f"document-locator crawler --confirm-removal {shlex.quote(str(folder))}"
    for mode in ("diff", "full"):
        report = answer("crawler", "--mode", mode)
        assert (report["listed"], report["deleted"]) == (0, 0)
        [warning] = report["warnings"]
        assert (warning["kind"], warning["files"], warning["command"]) == ("empty", 25, command)
    for surface in (["crawler"], ["status"], ["roots", "list"]):
        said = run(*surface)
        assert said.exit_code == 0
        assert "空になっています" in said.stdout
        assert command in said.stdout
    assert [one["command"] for one in answer("status")["warnings"]] == [command]
    st.cache_resource.clear()
    page = AppTest.from_file(Path(streamlit_app.__file__).with_name("app.py"), default_timeout=200).run()
    page.switch_page("status/status.py").run()
    assert any("空になっています" in one.value for one in page.warning)
    assert command in [one.value for one in page.code]
    session.locator().close()
    st.cache_resource.clear()

    confirmed = answer("crawler", "--confirm-removal", str(folder))
    assert (confirmed["deleted"], [one["kind"] for one in confirmed["warnings"]]) == (25, ["no_files"])


def test_one_missing_folder_does_not_stop_the_other_and_loses_nothing(at: Callable[..., None], tmp_path: Path) -> None:
    one, two = filled(tmp_path / "営業", 3), filled(tmp_path / "総務", 3)
    at("一", Path(f"{one},{two}"))
    assert answer("crawler")["indexed"] == 6
    shutil.move(one, tmp_path / "away")
    (two / "新しい.txt").write_text("新しい報告書", encoding="utf-8")
    report = answer("crawler")
    assert (report["indexed"], report["deleted"]) == (1, 0)
    [warning] = report["warnings"]
    assert (warning["kind"], warning["files"]) == ("unreachable", 3)
    assert f"フォルダー {one} がありません" in warning["message"]
    assert "does not exist" in warning["detail"]


def test_the_last_files_of_a_folder_are_removed_by_a_full_listing(at: Callable[..., None], tmp_path: Path) -> None:
    folder = filled(tmp_path / "営業", 2)
    at("一", folder)
    assert answer("crawler")["indexed"] == 2
    for file in folder.iterdir():
        file.unlink()
    report = answer("crawler", "--mode", "full")
    assert (report["listed"], report["deleted"]) == (0, 2)
    assert [one["kind"] for one in report["warnings"]] == ["no_files"]


def test_a_file_named_in_cp932_is_found_by_its_text_and_its_name(at: Callable[..., None], tmp_path: Path) -> None:
    folder = filled(tmp_path / "営業", 1)
    raw = bytes(folder) + b"/" + "見積書_北斗製鋼.txt".encode("cp932")
    with open(raw, "wb") as stream:  # noqa: PTH123 - the name is bytes
        stream.write("冷却装置の納期は三週間とする。".encode())
    at("一", folder)
    assert answer("crawler")["indexed"] == 2
    for question in ("冷却装置の納期", "見積書_北斗製鋼"):
        assert "見積書_北斗製鋼.txt" in [
            one["file_name"] for one in answer("search", question, "--no-input")["evidence"]
        ]
    out = tmp_path / "texts"
    assert answer("extract", str(folder), "--out", str(out))["files"]
    assert (out / "見積書_北斗製鋼.txt.txt").read_text("utf-8").startswith("冷却装置")
