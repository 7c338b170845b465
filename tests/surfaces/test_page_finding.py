"""What people do with results, by Streamlit's own test runner over a real index of real files."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlencode

import psycopg
import pytest
import streamlit as st
from starlette.requests import Request
from streamlit.testing.v1 import AppTest
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
from locator_search.core.reader import Reader
from streamlit_app.search.suggesting import PATH, suggest
from streamlit_app.shared import access, session
from tests.builders.asked import asked_by
from tests.builders.report_folder import indexed_reports
from tests.surfaces.test_page_app import APP, app, ask, shown, tables

__all__ = ["app", "tables"]


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of an index over the report folder, indexed once for this module."""
    made = indexed_reports(database_server, tmp_path_factory.mktemp("finding"), "finding")
    rules = '[[rule]]\npath = "*"\nreaders = ["aki@example.com"]\n'  # count where permissions do
    (Path(made["LOCATOR_FOLDERS"]) / ".locator-access.toml").write_text(rules, "utf-8")
    return made


def test_similar_documents_open_without_the_versions_of_the_result(app: AppTest) -> None:
    ask(app, "開発部の週報 第3週")
    next(button for button in app.button if button.label == "似た文書").click().run()
    page = shown(app)
    assert "似ている順に 10 件示します" in page
    drawn = [element.value for element in app.html if 'class="dl-card"' in element.value]
    assert sum("週報" in card for card in drawn) >= 10


def test_a_file_that_is_like_no_other_is_said_so(app: AppTest) -> None:
    ask(app, "点検記録")
    next(button for button in app.button if button.label == "似た文書").click().run()
    assert "に似た文書は見つかりませんでした。" in shown(app)


def opened_again() -> AppTest:
    """A new tab at the bare address."""
    return AppTest.from_file(APP, default_timeout=200).run()


def test_a_question_comes_back_as_a_recent_one_with_its_filters_and_can_be_forgotten(app: AppTest) -> None:
    ask(app, "経費精算の手順")
    app.multiselect(key="types").set_value(["text/markdown"]).run()
    again = opened_again()
    button = next(one for one in again.button if one.label == "経費精算の手順 · Markdown")
    button.click().run()
    assert again.text_input(key="question").value == "経費精算の手順"
    assert again.multiselect(key="types").value == ["text/markdown"]
    assert "経費精算の手順.md" in shown(again)
    cleared = opened_again()
    cleared.button(key="forget-recent").click().run()
    assert not [one for one in cleared.button if one.label.startswith("経費精算の手順 ·")]


def test_on_every_other_page_a_recent_search_is_a_click_away(app: AppTest) -> None:
    ask(app, "経費精算の手順")
    app.multiselect(key="types").set_value(["text/markdown"]).run()
    for page in ("status/status.py", "x/x.py", "contributions/contributions.py"):
        other = opened_again().switch_page(page).run()
        [button] = [one for one in other.sidebar.button if one.label == "経費精算の手順 · Markdown"]
        button.click().run()
        assert other.text_input(key="question").value == "経費精算の手順"
        assert other.multiselect(key="types").value == ["text/markdown"]
        assert "経費精算の手順.md" in shown(other)
    opened_again().button(key="forget-recent").click().run()


def test_a_search_is_saved_tells_of_new_hits_and_is_deleted(app: AppTest, settings: dict[str, str]) -> None:
    ask(app, "備品購入申請書")
    app.button(key="save-search").click().run()
    assert app.button(key="save-search").label == "保存済み（解除する）"
    assert "新着" not in shown(opened_again())
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("UPDATE own_search SET seen = '{}' WHERE saved_at IS NOT NULL")
    again = opened_again()
    assert "新着 1 件" in shown(again)
    next(one for one in again.button if one.label == "備品購入申請書").click().run()
    assert "新着" not in shown(opened_again())
    last = opened_again()
    next(one for one in last.button if one.label == "削除").click().run()
    assert "保存した検索" not in shown(last)


def test_a_saved_search_says_why_its_result_changed(app: AppTest, settings: dict[str, str]) -> None:
    ask(app, "点検記録")
    app.button(key="save-search").click().run()
    next(one for one in app.button if one.label == "結果が変わった理由").click().run()
    assert "の結果と同じです" in shown(app)
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("UPDATE search_look SET found = '[]', hit_count = 0, looked_at = now() - interval '1 day'")
    again = opened_again()
    next(one for one in again.button if one.label == "結果が変わった理由").click().run()
    page = shown(again)
    assert "当時 0 件、いま 1 件" in page
    assert "当時の索引を検索し直してはいません" in page
    assert "この後に追加された文書です" in page
    assert "<img src=x" not in page
    next(one for one in again.button if one.label == "削除").click().run()


def test_a_saved_search_is_compared_with_a_state_of_the_index_that_is_kept(
    app: AppTest, settings: dict[str, str]
) -> None:
    ask(app, "点検記録")
    app.button(key="save-search").click().run()
    with open_locator(load_settings(**settings)) as locator:
        locator.kept_states.keep("移行前", locator.clock.now())
    try:
        with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
            connection.execute("DELETE FROM search_look")  # nothing else is left to compare with
        again = opened_again()
        next(one for one in again.button if one.label == "結果が変わった理由").click().run()
        assert "「移行前」として残した" in shown(again)
        assert "の結果と同じです" in shown(again)
    finally:
        with open_locator(load_settings(**settings)) as locator:
            locator.kept_states.drop("移行前")


def test_nobody_sees_what_somebody_else_asked(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "owner", lambda: "aki")
    ask(app, "点検記録")
    app.button(key="save-search").click().run()
    assert "保存した検索" in shown(opened_again())
    monkeypatch.setattr(access, "owner", lambda: "hana")
    other = opened_again()
    assert "保存した検索" not in shown(other)
    assert "点検記録" not in [button.label for button in other.button]


def file_named(settings: dict[str, str], name: str) -> str:
    """The id of an indexed file."""
    with psycopg.connect(settings["DATABASE_URL"]) as connection:
        [[file_id]] = connection.execute("SELECT file_id FROM drive_file_index WHERE file_name = %s", [name]).fetchall()
    return str(file_id)


def test_what_many_ask_is_offered_before_a_question_and_beside_an_answer_and_asked_by_a_click(
    app: AppTest, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file_id = file_named(settings, "経費精算の手順.md")
    asked_by(settings["DATABASE_URL"], "領収書の*原本*の送り先", ("aki", "hana", "mei"), file_id)
    asked_by(settings["DATABASE_URL"], "二人だけの質問", ("aki", "hana"), file_id)
    asked_by(settings["DATABASE_URL"], "立て替えの期限", ("aki", "hana", "mei"), file_id)
    page = app.run()
    assert "よく尋ねられている質問" in shown(page)
    offered = [button for button in page.button if (button.key or "").startswith("asked-by-others")]
    assert [one.label for one in offered] == ["立て替えの期限", "領収書の\\*原本\\*の送り先"]
    offered[0].click().run()
    assert page.text_input(key="question").value == "立て替えの期限"
    ask(page, "領収書の提出")
    assert "関連する質問" in shown(page)
    next(button for button in page.button if "送り先" in button.label).click().run()
    assert page.text_input(key="question").value == "領収書の*原本*の送り先"
    monkeypatch.setenv("LOCATOR_SHARE_QUESTIONS", "0")
    st.cache_resource.clear()
    assert "よく尋ねられている質問" not in shown(opened_again())


def request(question: str, person: str = "") -> Request:
    """A request for suggestions by somebody who signed in with that mail address, or by nobody."""
    claims = {"is_logged_in": True, "iss": "https://id", "sub": person, "email": person, "email_verified": True}
    signed = create_signed_value(get_cookie_secret(), USER_COOKIE_NAME, json.dumps(claims)).decode()
    return Request(
        {
            "type": "http",
            "method": "GET",
            "path": PATH,
            "query_string": urlencode({"q": question}).encode(),
            "headers": [(b"cookie", f"{USER_COOKIE_NAME}={signed}".encode())] if person else [],
        }
    )


def test_suggestions_begin_with_own_questions(app: AppTest) -> None:
    ask(app, "経費の締め日")
    answer = suggest(request("経費"))
    assert json.loads(bytes(answer.body)) == ["経費の締め日", "経費精算の手順.md"]
    assert answer.headers["cache-control"] == "private, no-store"
    assert json.loads(bytes(suggest(request(" ")).body)) == []


def test_strangers_get_no_suggestions_where_people_sign_in(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    app.run()
    monkeypatch.setattr(access, "sign_in_is_set_up", lambda: True)
    answer = suggest(request("経費"))
    assert (answer.status_code, bytes(answer.body)) == (403, b"[]")


def test_an_owner_is_chosen_before_the_first_question_where_files_have_owners(
    app: AppTest, settings: dict[str, str]
) -> None:
    app.run()
    assert "owners" not in [choice.key for choice in app.multiselect]
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("UPDATE drive_file_index SET owner = '佐藤' WHERE file_name LIKE '経費%'")
    st.cache_resource.clear()
    again = opened_again()
    assert again.multiselect(key="owners").options == ["佐藤 (1)"]
    again.multiselect(key="owners").set_value(["佐藤"]).run()
    assert again.query_params["owner"] in ("佐藤", ["佐藤"])
    page = shown(ask(again, "領収書"))
    assert "経費精算の手順.md" in page
    assert "週報" not in page
    next(button for button in again.button if button.label.endswith("佐藤")).click().run()
    assert again.multiselect(key="owners").value == []


@pytest.mark.parametrize(
    ("column", "key", "name", "title"),
    [("last_editor", "editors", "editor", "最終更新者"), ("drive", "drives", "drive", "共有ドライブ")],
)
def test_last_editor_and_drive_are_chosen_before_and_after_the_first_question_and_removed(
    app: AppTest, settings: dict[str, str], column: str, key: str, name: str, title: str
) -> None:
    assert key not in [choice.key for choice in app.run().multiselect]
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(f"UPDATE file_state SET {column} = '花田' WHERE file_name LIKE '経費%'")
        connection.execute(f"UPDATE file_state SET {column} = '月野' WHERE file_name LIKE '週報_0%'")
    st.cache_resource.clear()
    again = opened_again()
    assert again.multiselect(key=key).options == ["月野 (27)", "花田 (1)"]
    again.multiselect(key=key).set_value(["花田"]).run()
    assert again.query_params[name] in ("花田", ["花田"])
    page = shown(ask(again, "週報と経費"))
    assert "経費精算の手順.md" in page
    assert "週報_" not in page
    next(button for button in again.button if title in button.label and "花田" in button.label).click().run()
    assert again.multiselect(key=key).value == []
    ask(again, "週報")
    pills = next(pills for pills in again.pills if pills.key == f"facet-{name}")
    assert any("月野" in str(option) for option in pills.options)


def test_a_suggestion_never_hints_at_what_somebody_else_may_read(
    app: AppTest, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app.run()
    aki, hana = "aki@example.com", "hana@example.com"
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        for person, names in ((aki, "経費%"), (hana, "備品%")):
            connection.execute("INSERT INTO access_list VALUES (%s, %s)", (person, [f"user:{person}"]))
            changed = "UPDATE file_state SET access_key = %s, owner = %s WHERE file_name LIKE %s"
            connection.execute(changed, (person, f"持ち主 {person}", names))
    st.cache_resource.clear()
    monkeypatch.setattr(access, "sign_in_is_set_up", lambda: True)
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")

    def suggested(typed: str, person: str) -> list[str]:
        answer = suggest(request(typed, person))
        assert answer.status_code == 200
        return list(json.loads(bytes(answer.body)))

    for person in (aki, hana, aki):  # what one was shown is in nobody else's way
        mine, hers = ("経費", "備品") if person == aki else ("備品", "経費")
        assert all(name.startswith(mine) for name in suggested(mine, person))
        assert suggested(mine, person)
        assert suggested(hers, person) == suggested("存在しない", person) == []
        assert suggested("持ち主", person) == [f"持ち主 {person}"]
        assert [name for name in suggested("書", person) if name.startswith(hers)] == []
    session.locator().own_search_store.ask(
        access.owner_of({"iss": "https://id", "sub": aki}), "買収", "買収の相手", "", 9
    )
    assert suggested("買収", aki) == ["買収の相手"]
    assert suggested("買収", hana) == []
    assert suggested("経費", "stranger@example.org") == []


@pytest.mark.parametrize(("order", "told"), [("date", "更新 "), ("size", 'class="dl-size"')])
def test_a_list_shows_on_each_card_what_it_is_ordered_by(app: AppTest, order: str, told: str) -> None:
    ask(app, "2026年の週報 第3週 備品購入申請書")
    app.selectbox(key="order").set_value(order).run()
    cards = [element.value for element in app.html if 'class="dl-rank"' in element.value]
    assert len(cards) > 1
    assert all(told in card for card in cards)


def test_a_result_says_when_it_was_checked_and_indexed(app: AppTest) -> None:
    ask(app, "経費精算の手順")
    [details] = [element.value for element in app.html if "dl-details" in element.value]
    assert "に原本を確認" in details
    assert "に索引" in details


def test_no_list_of_choices_offers_all_in_english(app: AppTest) -> None:
    assert [box.label for box in app.run().multiselect if box.proto.select_all] == []


def test_a_file_that_could_not_be_read_is_tried_again_from_the_answer(app: AppTest, tables: psycopg.Connection) -> None:
    tables.execute("UPDATE file_state SET next_try_at = NULL WHERE file_name = '壊れた台帳.pdf'")
    ask(app, "壊れた台帳.pdf")
    app.button(key=_retry_of(tables)).click().run()
    assert [toast.value for toast in app.toast] == ["1 件を再試行に回しました。次の巡回で処理されます。"]
    [[due]] = tables.execute(
        "SELECT next_try_at <= now() FROM file_state WHERE file_name = '壊れた台帳.pdf'"
    ).fetchall()
    assert due


def _retry_of(tables: psycopg.Connection) -> str:
    [[file_id]] = tables.execute("SELECT file_id FROM file_state WHERE file_name = '壊れた台帳.pdf'").fetchall()
    return f"retry-{file_id}"


@pytest.mark.parametrize("administers", [True, False])
def test_only_administrators_have_a_file_tried_again(
    app: AppTest, tables: psycopg.Connection, monkeypatch: pytest.MonkeyPatch, administers: bool
) -> None:
    tables.execute("INSERT INTO access_list VALUES ('aki', '{user:aki@example.com}') ON CONFLICT DO NOTHING")
    tables.execute("UPDATE file_state SET access_key = 'aki' WHERE file_name IN ('壊れた台帳.pdf', '週報_17.md')")
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setattr(access, "reader", lambda: Reader.of("aki@example.com", {}, administers=administers))
    ask(app, "壊れた台帳.pdf")
    assert "壊れた台帳.pdf" in shown(app)
    offered = [one for one in app.button if one.key == _retry_of(tables)]
    assert bool(offered) is administers
    for one in offered:
        one.click().run()
        assert len(app.toast) == 1


def test_administrators_have_files_tried_again_on_the_status_page(
    app: AppTest, tables: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables.execute("INSERT INTO access_list VALUES ('aki', '{user:aki@example.com}') ON CONFLICT DO NOTHING")
    tables.execute("UPDATE file_state SET access_key = 'aki' WHERE file_name = '壊れた台帳.pdf'")
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setattr(access, "reader", lambda: Reader.of("aki@example.com", {}, administers=True))
    app.run()
    app.switch_page("status/status.py").run()
    next(one for one in app.button if one.key == _retry_of(tables)).click().run()
    assert not app.exception
    assert len(app.toast) == 1
    app.text_input(key="story_words").set_value("壊れた台帳").run()
    app.button(key=_retry_of(tables).replace("retry-", "again-")).click().run()
    assert not app.exception
    assert len(app.toast) == 1


def test_somebody_who_may_read_nothing_is_told_so(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setattr(access, "reader", lambda: Reader.of("nobody@example.com", {}))
    ask(app, "経費精算の手順")
    assert "あなたが閲覧できるファイルはありません。" in shown(app)
    assert "0 件すべて" not in shown(app)


def test_a_click_chooses_a_result_where_permissions_count(
    app: AppTest, tables: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables.execute("INSERT INTO access_list VALUES ('aki', '{user:aki@example.com}') ON CONFLICT DO NOTHING")
    tables.execute("UPDATE file_state SET access_key = 'aki' WHERE file_name LIKE '週報%'")
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setattr(access, "reader", lambda: Reader.of("aki@example.com", {}))
    ask(app, "開発部の週報 第3週")
    second = [one for one in app.button if str(one.key).startswith("read-")][1]
    second.click().run()
    [chosen] = [element.value for element in app.html if 'aria-current="true"' in element.value]
    assert f'data-file="{str(second.key).removeprefix("read-")}"' in chosen
