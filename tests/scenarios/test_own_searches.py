"""Searches people come back to, over an index of real files that changes."""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings
from locator_search.drive_search import own_searches
from locator_search.drive_search.own_searches import MOST_RECENT, MOST_SAVED, recent
from locator_search.drive_search.page_filters import PageFilters
from tests.builders.asked import asked_by
from tests.builders.command_line import app
from tests.builders.report_folder import index_everything, trim_to_readers, write_files

NO_FILTERS = PageFilters()
RULES = '[[rule]]\npath = "*"\nreaders = ["@example.com"]\n[[rule]]\npath = "人事"\nreaders = ["aki@example.com"]\n'


@pytest.fixture
def locator(database_url: str, tmp_path: Path) -> Iterator[Locator]:
    folder = write_files(tmp_path / "会社", {"営業/見積書_北斗製鋼.md": "# 見積書\n\n北斗製鋼への振動センサの見積。\n"})
    settings = load_settings(database_url=database_url, locator_folders=(str(folder),), locator_home=tmp_path / "home")
    with open_locator(settings) as opened:
        index_everything(opened)
        yield opened


def arrive(locator: Locator, **files: str) -> None:
    write_files(locator.folders[0], {f"{name}.md": text for name, text in files.items()})
    index_everything(locator)


def news(locator: Locator, owner: str = "aki") -> list[int | None]:
    return [locator.own_searches.new_hits(one) for one in locator.own_searches.of(owner) if one.saved]


def test_a_saved_search_tells_of_hits_that_came_since_its_owner_looked(locator: Locator) -> None:
    own = locator.own_searches
    assert own.save("aki", "見積書", NO_FILTERS)
    assert news(locator) == [0]
    arrive(locator, 見積書_瀬戸内ポンプ="# 見積書\n\n瀬戸内ポンプへの見積。", 防災訓練="# 防災訓練\n\n点呼を受ける。")
    assert news(locator) == [1]
    own.ask("aki", "見積書", NO_FILTERS)
    assert news(locator) == [0]


def test_a_new_version_of_a_document_is_news(locator: Locator) -> None:
    assert locator.own_searches.save("aki", "見積書", NO_FILTERS)
    write_files(
        locator.folders[0], {"営業/見積書_北斗製鋼_v2.md": "# 見積書\n\n北斗製鋼への振動センサの見積。改訂。\n"}
    )
    index_everything(locator)
    assert news(locator) == [1]


def test_the_filters_of_a_search_hold_for_its_news(locator: Locator) -> None:
    folder = locator.folders[0].name
    assert locator.own_searches.save("aki", "見積書", PageFilters(folders=(f"{folder}/営業",)))
    arrive(locator, 見積書_外="# 見積書\n\nほかの部署の見積。")
    assert news(locator) == [0]
    [kept] = locator.own_searches.of("aki")
    assert own_searches.filters_of(kept) == PageFilters(folders=(f"{folder}/営業",))


def test_where_hits_are_too_many_nothing_is_told(locator: Locator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_searches, "MOST_WATCHED", 1)
    assert locator.own_searches.save("aki", "見積書", NO_FILTERS)
    arrive(locator, 見積書_別="# 見積書\n\n別の見積。")
    assert news(locator) == [None]


def test_nobody_sees_or_forgets_the_searches_of_somebody_else(locator: Locator) -> None:
    own = locator.own_searches
    own.ask("aki", "給与の見直し", NO_FILTERS)
    assert own.save("aki", "見積書", NO_FILTERS)
    assert own.of("hana") == own.of("") == []
    assert own.find("hana", "見積書", NO_FILTERS) is None
    assert own.forget("hana", [one.search_id for one in own.of("aki")]) == own.forget_recent("hana") == 0
    assert {one.question for one in own.of("aki")} == {"給与の見直し", "見積書"}
    assert own.forget_recent("aki") == 1
    assert [one.question for one in own.of("aki")] == ["見積書"]


def test_the_oldest_recent_searches_go_and_saved_ones_stay(locator: Locator) -> None:
    own = locator.own_searches
    assert own.save("aki", "見積書", NO_FILTERS)
    for number in range(MOST_RECENT + 3):
        own.ask("aki", f"質問 {number}", NO_FILTERS)
    own.ask("aki", "質問 9", PageFilters(month="2026-09"))
    kept = own.of("aki")
    assert sum(not one.saved for one in kept) == MOST_RECENT
    assert "見積書" in {one.question for one in kept}
    last = recent(kept, 3)
    assert (last[0].question, last[0].filters) == ("質問 9", "month=2026-09")
    assert len({one.question for one in recent(kept, 100)}) == len(recent(kept, 100))


def test_no_more_searches_are_saved_than_can_be_watched(locator: Locator) -> None:
    own = locator.own_searches
    assert all(own.save("aki", f"見積 {number}", NO_FILTERS) for number in range(MOST_SAVED))
    assert not own.save("aki", "もう一つ", NO_FILTERS)
    assert own.save("aki", "見積 3", NO_FILTERS)
    assert own.save("hana", "もう一つ", NO_FILTERS)


def test_an_over_long_question_is_kept_too(locator: Locator) -> None:
    assert locator.own_searches.save("aki", "見" * 1000, PageFilters(folders=("営" * 500,)))


def test_the_command_tells_each_person_of_what_that_person_may_read(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"営業/見積書_一.md": "# 見積書\n\n一つ目。\n", ".locator-access.toml": RULES}
    folder = write_files(tmp_path / "会社", files)
    trim_to_readers(monkeypatch, tmp_path / "home", folder, database_url)

    def run(mail: str, *arguments: str, status: int = 0) -> str:
        monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{pwd.getpwuid(os.getuid()).pw_name}={mail}" if mail else "")
        result = CliRunner().invoke(app, list(arguments))
        assert result.exit_code == status, result.output
        return result.output

    run("", "crawler", "--json")
    for mail in ("aki@example.com", "hana@example.com"):
        run(mail, "searches", "--save", "見積書")
    write_files(folder, {"人事/見積書_研修.md": "# 見積書\n\n研修の見積。\n"})
    run("", "crawler", "--json")
    assert "新着 1 件" in run("aki@example.com", "searches")
    [kept] = json.loads(run("hana@example.com", "searches", "--json"))["saved"]
    assert (kept["question"], kept["new_hits"]) == ("見積書", 0)
    run("hana@example.com", "searches", "--forget", "見積書")
    assert "見積書" in run("aki@example.com", "searches")
    assert "保存も記録もされていません" in run("hana@example.com", "searches", "--forget", "見積書", status=2)
    assert "誰の質問か分からないため" in run("", "searches", status=1)


def test_the_command_tells_what_many_ask_and_what_is_related_to_an_answer(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"見積書_一.md": "# 見積書\n\n一つ目。\n", ".locator-access.toml": RULES}
    files["人事/給与表.md"] = "# 給与表\n\n等級ごとの給与。\n"
    trim_to_readers(monkeypatch, tmp_path / "home", write_files(tmp_path / "会社", files), database_url)

    def run(mail: str, *arguments: str) -> str:
        monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{pwd.getpwuid(os.getuid()).pw_name}={mail}" if mail else "")
        result = CliRunner().invoke(app, list(arguments))
        assert result.exit_code == 0, result.output
        return result.output

    run("", "crawler", "--json")
    for question in ("見積書の宛先", "給与の等級"):
        [found, *_] = json.loads(run("aki@example.com", "search", question[:2], "--no-input", "--json"))["evidence"]
        asked_by(database_url, question, ("one", "two", "three"), found["file_id"])
    listed = json.loads(run("aki@example.com", "searches", "--json"))
    assert listed["popular"] == ["給与の等級", "見積書の宛先"]
    assert json.loads(run("hana@example.com", "searches", "--json"))["popular"] == ["見積書の宛先"]
    assert "よく尋ねられている質問: 見積書の宛先" in run("hana@example.com", "searches")
    assert "関連する質問: 給与の等級" in run("aki@example.com", "search", "給与表", "--no-input")
    assert "給与の等級" not in run("hana@example.com", "search", "給与表", "--no-input")
    related = json.loads(run("hana@example.com", "search", "見積書", "--no-input", "--json"))["related_questions"]
    assert related == ["見積書の宛先"]


def test_the_command_names_the_filters_of_a_search_as_the_page_does(
    locator: Locator, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = PageFilters(period="1w", mime_types=("application/pdf",), owners=("aki",), matching_off=("kana",))
    locator.own_searches.save("", "見積書", chosen)
    locator.own_searches.ask("", "議事録", PageFilters(month="2026-09"))
    monkeypatch.setenv("DATABASE_URL", locator.settings.database_url or "")
    monkeypatch.setenv("LOCATOR_HOME", str(locator.settings.locator_home))
    told = {}
    for language in ("ja", "en"):
        monkeypatch.setenv("LOCATOR_LANGUAGE", language)
        told[language] = CliRunner().invoke(app, ["searches"]).output
    assert "更新日: 1 週間 · PDF · 所有者: aki" in told["ja"]
    assert "議事録  時期: 2026-09" in told["ja"]
    assert "Modified: 1 week · PDF · Owner: aki · without the rule “kana”" in told["en"]
    assert "period=" not in "".join(told.values())
