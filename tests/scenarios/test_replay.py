"""Why the result of a saved search changed, over an index of real files that changes."""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings
from locator_search.drive_search import own_searches
from locator_search.drive_search.page_filters import PageFilters
from locator_search.drive_search.replay import Change, Replay, ReplayTexts
from tests.builders.command_line import app
from tests.builders.report_folder import index_everything, remove_file, trim_to_readers, write_files

NO_FILTERS = PageFilters()
QUESTION = "見積書"
FILES = {
    "営業/見積書_北斗製鋼.md": "# 見積書\n\n北斗製鋼への振動センサの見積。\n",
    "営業/見積書_瀬戸内ポンプ.md": "# 見積書\n\n瀬戸内ポンプへの圧力計の見積。\n",
    "営業/見積書_みどり商事.md": "# 見積書\n\nみどり商事への冷却ファンの見積。見積の期限は月末。\n",
    "総務/防災訓練.md": "# 防災訓練\n\n点呼を受ける。\n",
}
RULES = '[[rule]]\npath = "*"\nreaders = ["@example.com"]\n'


@pytest.fixture
def locator(database_url: str, tmp_path: Path) -> Iterator[Locator]:
    folder = write_files(tmp_path / "会社", FILES)
    settings = load_settings(database_url=database_url, locator_folders=(str(folder),), locator_home=tmp_path)
    with open_locator(settings) as opened:
        index_everything(opened)
        assert opened.own_searches.save("aki", QUESTION, NO_FILTERS)
        yield opened


def replay(locator: Locator) -> Replay:
    [saved] = [one for one in locator.own_searches.of("aki") if one.saved]
    found = locator.own_searches.replay("aki", saved)
    assert found is not None
    return found


def changes(locator: Locator) -> dict[str, Change]:
    return {one.file_name: one for one in replay(locator).changes}


def kinds(change: Change) -> list[str]:
    return [reason.kind for reason in change.reasons]


def test_without_a_change_it_says_so(locator: Locator) -> None:
    found = replay(locator)
    assert (found.changes, found.reasons) == ((), ())
    assert "同じです" in found.told(ReplayTexts.of("ja"), "昨日")[-1]


def test_what_was_added_deleted_or_edited_is_told_as_that(locator: Locator) -> None:
    folder = locator.folders[0] / "営業"
    remove_file(locator, "営業/見積書_北斗製鋼.md")
    text = "# 見積書 見積書\n\n見積書の見積書。みどり商事への見積書。\n"
    (folder / "見積書_みどり商事.md").write_text(text, "utf-8")
    write_files(folder, {"見積書.md": "# 見積書\n\n見積書の書き方。\n"})
    index_everything(locator)

    found = changes(locator)
    assert (found["見積書.md"].kind, kinds(found["見積書.md"])) == ("entered", ["added"])
    assert (found["見積書_北斗製鋼.md"].kind, kinds(found["見積書_北斗製鋼.md"])) == ("left", ["gone"])
    moved = found["見積書_みどり商事.md"]
    assert moved.rank_before is not None
    content = next(reason for reason in moved.reasons if reason.kind == "content")
    assert len({content.before, content.now, ""}) == 3
    above = next(reason for reason in moved.reasons if reason.kind == "others_above")
    assert above.others == ("見積書.md",)


def test_a_file_that_is_no_hit_any_more_says_what_of_it_changed(locator: Locator) -> None:
    file = locator.folders[0] / "営業" / "見積書_北斗製鋼.md"
    file.write_text("# 議事録\n\n別の話。\n", "utf-8")
    other = locator.folders[0] / "総務" / "防災訓練.md"
    other.write_text("# 見積書\n\n備蓄の見積書。見積書を三社から取る。\n", "utf-8")
    index_everything(locator)
    found = changes(locator)
    assert (found["防災訓練.md"].kind, kinds(found["防災訓練.md"])) == ("entered", ["edited"])
    assert all("content" in kinds(one) for name, one in found.items() if name == "見積書_北斗製鋼.md")


def test_the_owners_dictionary_is_named_where_it_moved_a_file(locator: Locator) -> None:
    [*_, last] = replay(locator).now.found
    locator.settings.synonyms_file.write_text(f"first: 見積書 = {last.name}\n", "utf-8")
    found = replay(locator)
    assert [reason.kind for reason in found.reasons] == ["dictionary"]
    first, *others = found.changes
    assert (first.file_id, first.rank_now) == (last.file_id, 1)
    assert ("placement", "", "first: 見積書") in [(one.kind, one.before, one.now) for one in first.reasons]
    assert {(*kinds(one), *one.reasons[0].others) for one in others} == {("others_above", last.name)}


def test_a_new_version_that_is_shown_instead_is_told_as_one(locator: Locator) -> None:
    text = "# 見積書\n\n北斗製鋼への振動センサの見積。改訂。\n"
    write_files(locator.folders[0], {"営業/見積書_北斗製鋼_v2.md": text})
    index_everything(locator)
    found = changes(locator)
    entered, left = found["見積書_北斗製鋼_v2.md"], found["見積書_北斗製鋼.md"]
    assert kinds(entered) == ["shown_instead"]
    assert (kinds(left), left.reasons[0].others) == (["folded"], ("見積書_北斗製鋼_v2.md",))


def test_each_look_that_found_something_else_is_kept_and_can_be_compared_with(
    locator: Locator, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = locator.own_searches
    own.ask("aki", QUESTION, NO_FILTERS)
    [saved] = own.of("aki")
    [first] = own.looks("aki", saved)
    write_files(locator.folders[0], {"見積書.md": "# 見積書\n\n見積書の書き方。\n"})
    index_everything(locator)
    own.ask("aki", QUESTION, NO_FILTERS)
    second, earlier = own.looks("aki", saved)
    assert earlier == first
    assert [one.kind for one in replay(locator).changes][:1] == ["entered"], "whoever just looked asks about before"
    at_second = own.replay("aki", saved, second.looked_at)
    assert at_second is not None
    assert at_second.changes == ()
    assert own.replay("aki", saved, first.looked_at - timedelta(seconds=1)) is None
    monkeypatch.setattr(own_searches, "MOST_LOOKS", 1)
    remove_file(locator, "見積書.md")
    own.ask("aki", QUESTION, NO_FILTERS)
    assert len(own.looks("aki", saved)) == 1
    assert own.looks("hana", saved) == []
    own.forget("aki", [saved.search_id])
    assert own.looks("aki", saved) == []


def test_every_reason_has_words_in_every_language(locator: Locator) -> None:
    texts = [ReplayTexts.of(language) for language in ("ja", "en")]
    assert len({frozenset(say.reasons) for say in texts}) == 1
    assert replay(locator).now.made_with.keys() <= texts[0].reasons.keys()
    assert {key for hit in replay(locator).now.found for key in hit.versions} <= texts[0].reasons.keys()


def test_the_command_says_of_a_file_that_it_may_no_longer_be_read_and_nothing_else_of_it(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_files(tmp_path / "会社", {**FILES, ".locator-access.toml": RULES})
    trim_to_readers(monkeypatch, tmp_path / "home", folder, database_url)
    name = pwd.getpwuid(os.getuid()).pw_name

    def run(*arguments: str, mail: str = "hana@example.com", status: int = 0) -> str:
        monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{name}={mail}" if mail else "")
        result = CliRunner().invoke(app, list(arguments))
        assert result.exit_code == status, result.output
        return result.output

    run("crawler", "--json", mail="")
    assert "--save" in run("searches", "--why", QUESTION, status=2)
    run("searches", "--save", QUESTION)
    closed = '[[rule]]\npath = "営業/見積書_北斗製鋼.md"\nreaders = ["aki@example.com"]\n'
    write_files(folder, {".locator-access.toml": RULES + closed, "営業/見積書_北斗製鋼.md": "# 見積書\n\n秘密の値。\n"})
    run("crawler", "--json", mail="")
    told = json.loads(run("searches", "--why", QUESTION, "--json"))
    [left] = [one for one in told["changes"] if one["kind"] == "left"]
    assert (left["file_name"], [one["kind"] for one in left["reasons"]]) == ("見積書_北斗製鋼.md", ["permission"])
    assert (told["then"]["hit_count"], told["now"]["hit_count"]) == (3, 2)
    assert "検索し直してはいません" in told["note"]
    printed = run("searches", "--why", QUESTION)
    assert "見積書_北斗製鋼.md  " in printed
    assert "あなたが読める文書ではなくなりました" in printed
    assert json.loads(run("searches", "--why", QUESTION, "--until", "2020-01-01", "--json"))["then"] is None
