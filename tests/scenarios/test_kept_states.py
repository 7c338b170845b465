"""A state of the index that is kept is searched again, whatever has become of the files since."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from locator_search.adapters.postgres.server import kept_states
from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings
from locator_search.core.errors import AccessDenied, ConfigurationError, StoreError
from locator_search.drive_search.page_filters import PageFilters
from locator_search.model import RetrievalQuery
from locator_search.ports.own_searches import OwnSearch
from tests.builders.command_line import app
from tests.builders.report_folder import index_everything, remove_file, write_files

QUESTION = "見積書"
FILES = {
    "営業/見積書_北斗製鋼.md": "# 見積書\n\n北斗製鋼への振動センサの見積。\n",
    "営業/見積書_瀬戸内ポンプ.md": "# 見積書\n\n瀬戸内ポンプへの圧力計の見積。\n",
    "総務/防災訓練.md": "# 防災訓練\n\n点呼を受ける。\n",
}


@pytest.fixture
def locator(database_url: str, tmp_path: Path) -> Iterator[Locator]:
    folder = write_files(tmp_path / "会社", FILES)
    settings = load_settings(database_url=database_url, locator_folders=(str(folder),), locator_home=tmp_path)
    with open_locator(settings) as opened:
        index_everything(opened)
        assert opened.own_searches.save("", QUESTION, PageFilters())
        yield opened
        for state in opened.kept_states.all():
            opened.kept_states.drop(state.name)


def saved(locator: Locator) -> OwnSearch:
    [found] = [one for one in locator.own_searches.of("") if one.saved]
    return found


def move_on(locator: Locator) -> None:
    """One estimate goes and one comes; the owner of the search looks at neither."""
    folder = locator.folders[0] / "営業"
    remove_file(locator, "営業/見積書_北斗製鋼.md")
    write_files(folder, {"見積書_みどり商事.md": "# 見積書\n\nみどり商事への冷却ファンの見積。\n"})
    index_everything(locator)


def schemas(locator: Locator) -> list[str]:
    rows = locator.database.rows(
        "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s)", [kept_states.PREFIX]
    )
    return [name for (name,) in rows]


def test_a_state_finds_what_it_found_when_it_was_kept(locator: Locator) -> None:
    now = locator.own_searches.look(saved(locator))
    state = locator.kept_states.keep("移行前", locator.clock.now())
    assert (state.name, state.documents) == ("移行前", 3)
    assert state.bytes > 100_000
    move_on(locator)
    then = locator.searched_again(saved(locator), state)
    assert replace(then, looked_at=now.looked_at) == now
    assert locator.own_searches.look(saved(locator)).found != now.found


def test_the_difference_is_told_without_a_look_at_the_search(locator: Locator) -> None:
    state = locator.kept_states.keep("移行前", locator.clock.now())
    move_on(locator)
    found = locator.own_searches.replay_from(saved(locator), locator.searched_again(saved(locator), state), state.name)
    told = {change.file_name: (change.kind, [reason.kind for reason in change.reasons]) for change in found.changes}
    assert told["見積書_みどり商事.md"] == ("entered", ["added"])
    assert told["見積書_北斗製鋼.md"][0] == "left"


def test_what_is_kept_is_one_state_and_the_main_index_goes_on(locator: Locator) -> None:
    locator.kept_states.keep("a", locator.clock.now())
    move_on(locator)
    locator.kept_states.keep("b", locator.clock.now())
    assert [state.name for state in locator.kept_states.all()] == ["b", "a"]
    assert locator.kept_states.drop("a").name == "a"
    assert [state.name for state in locator.kept_states.all()] == ["b"]
    assert locator.index.retrieve(RetrievalQuery("点呼", threshold=0.0, mode="keyword"), None).hit_count == 1


def test_a_name_is_taken_once_and_must_be_one(locator: Locator) -> None:
    locator.kept_states.keep('x"; DROP SCHEMA public; --', locator.clock.now())
    with pytest.raises(ConfigurationError, match="kept already"):
        locator.kept_states.keep('x"; DROP SCHEMA public; --', locator.clock.now())
    for name in ("", " ", "a\nb", "名" * 17, "\ud800"):
        with pytest.raises(ConfigurationError, match="cannot be used"):
            locator.kept_states.keep(name, locator.clock.now())
    with pytest.raises(ConfigurationError, match="No state of the name"):
        locator.kept_states.drop("unknown")


def test_a_copy_that_is_interrupted_leaves_nothing(locator: Locator, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(kept_states, "TABLES", (*kept_states.TABLES, "no_such_table"))
        with pytest.raises(StoreError):
            locator.kept_states.keep("a", locator.clock.now())
    assert schemas(locator) == []
    with psycopg.connect(locator.database.url, autocommit=True) as connection:  # as a killed process would leave it
        connection.execute('CREATE SCHEMA "locator_kept_a" CREATE TABLE left_over (id integer)')
    assert locator.kept_states.all() == []
    assert locator.kept_states.keep("a", locator.clock.now()).documents == 3


def test_every_table_that_has_rows_of_the_index_is_copied(locator: Locator) -> None:
    """A search in a copy must not read, for want of a table of its own, nothing where the index has something."""
    with locator.database.connection() as connection:  # as a writer leaves them who finds another one at the counts
        connection.execute("INSERT INTO keyword_change VALUES ('w:契約', 1)")
        connection.execute("INSERT INTO keyword_total_change VALUES (1, 2)")
    state = locator.kept_states.keep("a", locator.clock.now())
    schema = locator.kept_states.schema(state)
    for table in kept_states.TABLES:
        [[main, copy]] = locator.database.rows(
            f'SELECT (SELECT count(*) FROM public.{table}), (SELECT count(*) FROM "{schema}".{table})'
        )
        assert (table, main) == (table, copy)
        assert main, table


def test_permissions_leave_earlier_states_unsearched(locator: Locator, database_url: str) -> None:
    state = locator.kept_states.keep("a", locator.clock.now())
    settings = locator.settings.model_copy(update={"locator_permissions": True})
    with Locator(settings) as trimmed, pytest.raises(AccessDenied, match="earlier state"):
        trimmed.searched_again(saved(locator), state)


def test_the_commands_keep_show_compare_and_drop(locator: Locator, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("DATABASE_URL", locator.settings.database_url),
        ("LOCATOR_FOLDERS", locator.settings.locator_folders[0]),
        ("LOCATOR_HOME", str(locator.settings.home)),
    ):
        monkeypatch.setenv(name, str(value))

    def run(*words: str) -> str:
        result = CliRunner().invoke(app, list(words))
        assert result.exit_code == 0, result.output
        return result.output

    assert "残した索引はありません" in run("db", "keep")
    assert "3 件" in run("db", "keep", "移行前")
    move_on(locator)
    told = run("searches", "--why", QUESTION, "--kept", "移行前")
    assert "もう一度検索し" in told
    assert "見積書_みどり商事.md" in told
    answer = json.loads(run("searches", "--why", QUESTION, "--kept", "移行前", "--json"))
    assert {one["file_name"]: one["kind"] for one in answer["changes"]}["見積書_みどり商事.md"] == "entered"
    [kept] = json.loads(run("db", "keep", "--json"))["kept"]
    assert (kept["name"], kept["documents"]) == ("移行前", 3)
    assert "削除しました" in run("db", "keep", "移行前", "--drop")
    for words in (("db", "keep", "--drop"), ("searches", "--why", QUESTION, "--kept", "移行前")):
        assert CliRunner().invoke(app, list(words)).exit_code == 2
