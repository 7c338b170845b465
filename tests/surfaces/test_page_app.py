"""The pages, run by Streamlit's own test runner over a real index of real files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import psycopg
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import streamlit_app
from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
from locator_search.core.reader import Reader
from locator_search.drive_search.searcher import SearchRun
from locator_search.indexing.crawl import observe_source, record_snapshot
from streamlit_app.search import words_first
from streamlit_app.shared import access, session
from streamlit_app.shared.templates import render
from tests.builders.report_folder import SINGLE_FILES, WEEKLY_REPORTS, indexed_reports, write_files

APP = Path(streamlit_app.__file__).with_name("app.py")


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of an index over the report folder, indexed once for this module."""
    return indexed_reports(database_server, tmp_path_factory.mktemp("pages"), "pages")


@pytest.fixture
def app(settings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The app over that index, in a fresh server process as far as Streamlit's caches go."""
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    yield from fresh_app()


@pytest.fixture
def app_without_files(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The app over an empty index."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path))
    yield from fresh_app()


@pytest.fixture
def tables(settings: dict[str, str]) -> Iterator[psycopg.Connection]:
    """The tables of that index; what a test does to files and runs is undone."""
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("CREATE TEMPORARY TABLE before AS TABLE file_state")
        yield connection
        connection.execute(
            "UPDATE file_state SET (state, reason, next_try_at, revision, access_key) = (SELECT state, reason,"
            " next_try_at, revision, access_key FROM before WHERE before.file_id = file_state.file_id)"
        )
        connection.execute("DELETE FROM access_list WHERE access_key = 'aki'")
        connection.execute("TRUNCATE crawl_run; DELETE FROM model_batch")


def fresh_app() -> Iterator[AppTest]:
    st.cache_resource.clear()
    st.cache_data.clear()
    yield AppTest.from_file(APP, default_timeout=200)
    session.locator().close()
    st.cache_resource.clear()
    st.cache_data.clear()


def shown(app: AppTest) -> str:
    """Everything the page says, as one text of HTML."""
    assert not app.exception
    assert [error.value for error in app.error] == []
    return "\n".join(element.value for element in app.html if not element.proto.unsafe_allow_javascript)


def scripts(app: AppTest) -> list[str]:
    """What the browser runs."""
    return [element.value.strip() for element in app.html if element.proto.unsafe_allow_javascript]


def ask(app: AppTest, question: str) -> AppTest:
    app.run()
    return app.text_input(key="question").set_value(question).run()


def reloaded(app: AppTest) -> AppTest:
    """A new tab at the same address."""
    again = AppTest.from_file(APP, default_timeout=200)
    again.query_params.update(app.query_params)
    return again.run()


def test_the_page_opens_with_the_question_field_and_examples(app: AppTest) -> None:
    app.run()
    assert "どの文書を探しますか" in shown(app)
    assert app.text_input(key="question").value == ""
    assert "令和6年9月の議事録" in [button.label for button in app.button]


def test_an_example_asks_itself(app: AppTest) -> None:
    app.run()
    next(button for button in app.button if button.label == "経費精算の手順").click().run()
    assert app.text_input(key="question").value == "経費精算の手順"
    assert "経費精算の手順.md" in shown(app)


def test_a_question_shows_its_file_first_with_count_similarity_and_models(app: AppTest) -> None:
    page = shown(ask(app, "経費精算の手順"))
    first = next(element.value for element in app.html if 'class="dl-card"' in element.value)
    assert "経費精算の手順.md" in first
    assert "<mark>" in first
    assert "類似度" in first
    assert "確認済み" in first
    assert "件見つかりました。" in page
    assert "オフラインの代替モデルが回答しています" in page
    assert any("経費精算の手順.md" in code.value for code in app.code)


def test_a_result_leads_to_the_partition_that_dagster_names_after_its_file(
    app: AppTest, settings: dict[str, str]
) -> None:
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("UPDATE file_state SET partition_key = file_name || ' · ' || file_id")
    ask(app, "経費精算の手順")
    links = [unquote(button.proto.url) for button in app.get("link_button")]
    [first, *_] = [link for link in links if "view=partitions" in link]
    assert " · " in first
    assert "経費精算" in first


def test_a_slip_is_asked_about_and_a_click_asks_the_other_question(app: AppTest) -> None:
    ask(app, "備品講入申請書")
    button = app.button(key="did-you-mean-備品購入申請書")
    assert button.label == "もしかして: 備品購入申請書"
    button.click().run()
    assert app.text_input(key="question").value == "備品購入申請書"
    assert "備品購入申請書_v2.md" in shown(app)
    assert not [button for button in app.button if "もしかして" in button.label]


def test_a_question_that_may_be_meant_stays_text_on_its_button(app: AppTest) -> None:
    ask(app, "備品講入申請書 **x** :smile:")
    label = next(button.label for button in app.button if "もしかして" in button.label)
    assert "**x**" not in label
    assert ":smile:" not in label


def test_a_hostile_file_name_stays_text(app: AppTest) -> None:
    page = shown(ask(app, "点検記録"))
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "<img" not in page
    assert "<script" not in page
    language, keys, *shown_text = scripts(app)
    assert language == render("shared/scripts", "language", session.texts()).strip()
    assert keys == render("search/keys", "keys", session.texts()).strip()
    assert all("onerror" not in script for script in shown_text)


def test_the_decision_path_is_a_table_of_rounds(app: AppTest) -> None:
    page = shown(ask(app, "経費精算の手順"))
    assert "検索の経路" in [expander.label for expander in app.expander]
    assert "<th>しきい値</th>" in page
    assert "<td>0.70</td>" in page


def test_many_hits_bring_a_narrowing_question_whose_button_keeps_its_promise(app: AppTest) -> None:
    ask(app, "週報")
    choice = app.button(key="choice-1")
    promised = int(choice.label.rpartition("(")[2].split()[0])
    choice.click().run()
    trace = next(element.value for element in app.html if "<th>しきい値</th>" in element.value)
    assert f"<td>{promised}</td>" in trace
    assert trace.count("<tr>") > 2
    [told] = [element.value for element in app.html if "回答したモデル" in element.value]
    assert "件数はどの回も正確な数です。<br>2 回目: " in told


def test_a_narrowing_question_can_be_answered_in_words(app: AppTest) -> None:
    ask(app, "週報")
    app.text_input(key="own-answer-words").set_value("開発部")
    next(button for button in app.button if button.label == "回答する").click().run()
    assert "開発部" in next(element.value for element in app.html if "<th>しきい値</th>" in element.value)


def test_a_narrowing_question_can_be_left_unanswered(app: AppTest) -> None:
    ask(app, "週報")
    app.button(key="show-anyway").click().run()
    assert "10 件以下に絞り込めませんでした" in shown(app)
    assert "show-anyway" not in [button.key for button in app.button]


def answered(app: AppTest) -> list[str]:
    """Outcome, question and results as HTML, without links: those hold for half an hour from now."""
    parts = [element.value for element in app.html if re.search(r'class="dl-(outcome|question|card)', element.value)]
    return [re.sub(r"/original/[^\"]+", "", html) for html in parts]


def searched(tables: psycopg.Connection) -> int:
    """How many searches came to their end so far."""
    return len(tables.execute("SELECT FROM search_log").fetchall())


@pytest.mark.parametrize("at", ["the same page", "another page"])
def test_a_reload_takes_the_search_up_where_it_stood(app: AppTest, tables: psycopg.Connection, at: str) -> None:
    ask(app, "週報")
    app.button(key="choice-1").click().run()
    before, steps = answered(app), [line.value for line in app.status[0].text]
    ended = searched(tables)
    if at == "another page":
        session.locator.clear()
    again = reloaded(app)
    assert again.text_input(key="question").value == "週報"
    assert answered(again) == before
    assert before
    assert [line.value for line in again.status[0].text] == steps
    assert again.status[0].label == "検索しました"
    assert searched(tables) == ended


def test_the_line_of_a_search_ends_with_it(app: AppTest) -> None:
    ask(app, "週報")
    for _ in ("the first question", "a narrowing one"):
        (line,) = app.status
        assert (line.label, line.state) == ("検索しました", "complete")
        assert line.text
        app.button(key="choice-1").click().run()


def test_after_a_slow_search_the_next_is_said_to_run_before_words_are_asked(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []

    def noting(name: str, asked: Callable[..., Any]) -> Callable[..., Any]:
        def ask_and_note(*given: Any, **named: Any) -> Any:
            order.append(name)
            return asked(*given, **named)

        return ask_and_note

    monkeypatch.setenv("LOCATOR_WORDS_FIRST_SECONDS", "0.3")
    app.run()
    monkeypatch.setattr(words_first.pace(), "seconds", 9.0)
    monkeypatch.setattr(st, "status", noting("said", st.status))
    monkeypatch.setattr(SearchRun, "by_words", noting("words", SearchRun.by_words))
    app.text_input(key="question").set_value("週報").run()
    assert order == ["said", "words"]


def test_after_a_day_the_question_of_the_address_is_asked_anew(app: AppTest, tables: psycopg.Connection) -> None:
    ask(app, "経費精算の手順")
    session.locator().database.run("UPDATE page_step SET kept_at = now() - interval '25 hours'")
    ask(reloaded(app), "週報")
    ended = searched(tables)
    again = reloaded(app)
    assert "経費精算の手順.md" in shown(again)
    assert searched(tables) == ended + 1


def test_filters_limit_the_search_and_their_chips_lift_them(app: AppTest) -> None:
    app.query_params.update({"q": "点検記録", "type": "application/pdf"})
    app.run()
    assert "見つかりませんでした" in shown(app)
    assert app.multiselect(key="types").value == ["application/pdf"]
    next(button for button in app.button if button.label == "PDF").click().run()
    assert "type" not in app.query_params
    assert app.multiselect(key="types").value == []
    assert "点検記録" in shown(app)


def test_a_filter_searches_again_at_once_and_stands_in_the_address(app: AppTest) -> None:
    ask(app, "週報")
    app.multiselect(key="folders").set_value(["資料/開発部"]).run()
    names = [element.value for element in app.html if 'class="dl-title"' in element.value]
    assert names
    assert all("資料/開発部" in name for name in names)
    assert app.query_params["folder"] == "資料/開発部"


def test_filters_tell_how_many_documents_they_leave(app: AppTest) -> None:
    app.run()
    assert any(option == f"Markdown ({len(WEEKLY_REPORTS) + 3})" for option in app.multiselect(key="types").options)


def test_an_address_sets_question_filters_and_language(app: AppTest) -> None:
    app.query_params.update({"q": "経費精算", "period": "1w", "lang": "en"})
    app.run()
    assert app.text_input(key="question").value == "経費精算"
    assert app.selectbox(key="period").value == "1w"
    assert re.search("files? (was|were) found", shown(app))


def test_a_custom_period_that_ends_before_it_begins_is_said_so(app: AppTest) -> None:
    app.query_params.update({"q": "週報", "period": "custom", "after": "2026-09-02", "before": "2026-09-01"})
    app.run()
    assert [warning.value for warning in app.warning] == ["開始日が終了日より後になっています。"]


def test_the_language_switch_changes_every_word_of_the_frame(app: AppTest) -> None:
    ask(app, "経費精算の手順")
    app.segmented_control(key="language").set_value("en").run()
    page = shown(app)
    assert "Similarity" in page
    assert "Offline stand-in models are answering" in page
    assert app.query_params["lang"] == "en"


def cards(app: AppTest) -> list[str]:
    """The results as HTML, first to last."""
    return [element.value for element in app.html if 'class="dl-card"' in element.value]


def test_versions_of_a_document_share_one_card_and_count_as_one(app: AppTest) -> None:
    page = shown(ask(app, "備品購入申請書"))
    assert "備品購入申請書_v2.md" in cards(app)[0]
    assert not any("備品購入申請書_v1.md" in card for card in cards(app))
    folded = next(expander for expander in app.expander if expander.label == "ほか 1 件の版")
    assert "備品購入申請書_v1.md" in folded.html[0].value
    assert "別の版" in folded.html[0].value
    assert "1 件見つかりました。" in page


def test_a_result_says_in_plain_words_why_it_is_one(app: AppTest) -> None:
    page = shown(ask(app, "備品購入申請書"))
    assert "質問の語のうち 100% がこの文書にあります（語の一致では 1 位）" in page
    assert "ファイル名・フォルダー・キーワードにも質問の語があります。" in page


def test_the_text_of_a_result_opens_with_the_matching_place_marked(app: AppTest) -> None:
    ask(app, "経費精算の手順")
    next(button for button in app.button if button.label == "本文を見る").click().run()
    text = next(element.value for element in app.html if "dl-card dl-preview" in element.value)
    assert "一致した箇所" in text
    assert "<mark>経費精算</mark>" in text or "<mark>経費精算の手順</mark>" in text
    assert "承認は上長が行います。" in text


def conditions(app: AppTest) -> list[str]:
    """The chips of what was read from the question."""
    return [button.label for button in app.button if button.label.startswith("質問から")]


THIS_YEAR = f"{datetime.now(UTC):%Y}年"


def test_a_condition_read_from_the_question_can_be_lifted_and_put_back(app: AppTest) -> None:
    ask(app, f"{THIS_YEAR}の経費精算の手順")
    (chip,) = (button for button in app.button if button.label in conditions(app))
    assert THIS_YEAR in chip.label
    chip.click().run()
    assert app.query_params["without"] == "period"
    assert conditions(app) == []
    assert "経費精算の手順.md" in cards(app)[0]
    next(button for button in app.button if button.label == "外した条件を戻す").click().run()
    assert len(conditions(app)) == 1
    assert "without" not in app.query_params


def test_a_condition_that_the_search_dropped_by_itself_is_no_condition(app: AppTest) -> None:
    page = shown(ask(app, "経費精算の手順のPDF"))
    assert "条件に合う資料がなかったため" in page
    assert conditions(app) == []


def test_what_was_lifted_of_one_question_says_nothing_about_the_next(app: AppTest) -> None:
    app.query_params.update({"q": f"{THIS_YEAR}の経費精算の手順", "without": "period"})
    app.run()
    assert conditions(app) == []
    app.text_input(key="question").set_value(f"{THIS_YEAR}の点検記録").run()
    assert len(conditions(app)) == 1


def test_a_facet_narrows_the_search_to_as_many_files_as_it_says(app: AppTest) -> None:
    ask(app, "週報")
    folders = next(group for group in app.pills if group.label == "フォルダー")
    assert "営業部 (18)" in folders.options
    folders.set_value("資料/営業部").run()
    assert app.query_params["folder"] == "資料/営業部"
    assert shown(app).count("18 件あります。") == 1


def test_results_can_be_looked_at_in_another_order(app: AppTest) -> None:
    app.query_params.update({"q": "週報", "folder": "資料/営業部"})
    app.run()
    app.selectbox(key="order").set_value("name").run()
    names = [re.search(r"週報_(\d+)", card) for card in cards(app)]
    numbers = [int(name[1]) for name in names if name]
    assert numbers == sorted(numbers)
    assert len(numbers) == 10
    assert app.query_params["sort"] == "name"
    assert reloaded(app).selectbox(key="order").value == "name"


def test_nothing_found_says_what_was_tried(app: AppTest) -> None:
    page = shown(ask(app, "量子暗号衛星打上計画"))
    assert "見つかりませんでした" in page
    assert "試したこと" in page


def test_an_over_long_question_gets_one_sentence(app: AppTest) -> None:
    ask(app, "あ" * 1001)
    assert [error.value.split("  \n")[0] for error in app.error] == [
        "質問が長すぎます（1001 文字。上限は 1000 文字です）。"
    ]


def test_feedback_is_stored(app: AppTest, settings: dict[str, str]) -> None:
    ask(app, "経費精算の手順")
    app.feedback[0].set_value(1).run()
    with psycopg.connect(settings["DATABASE_URL"]) as connection:
        rows = connection.execute("SELECT useful FROM search_feedback").fetchall()
    assert rows == [(True,)]


def test_a_result_that_was_read_counts_as_opened(app: AppTest, settings: dict[str, str]) -> None:
    ask(app, "経費精算の手順")
    openings = "SELECT file_id = ANY (file_ids) FROM search_opening JOIN search_log USING (search_id)"
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        before = len(connection.execute(openings).fetchall())  # other tests of the page read results, too
        next(button for button in app.button if str(button.key).startswith("read-")).click().run()
        rows = connection.execute(openings).fetchall()
    assert len(rows) == before + 1
    assert all(shown for (shown,) in rows)


def test_without_an_index_the_page_says_how_to_make_one(app_without_files: AppTest) -> None:
    app_without_files.run()
    assert "まだ索引がありません" in app_without_files.info[0].value
    assert [link.proto.page for link in app_without_files.get("page_link")] == ["add"]


def test_while_the_first_crawl_runs_the_page_tells_its_time_left(
    app_without_files: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_files(tmp_path / "資料", {f"報告_{number}.md": "報告" for number in range(500)})
    monkeypatch.setenv("LOCATOR_FOLDERS", str(folder))
    with open_locator(load_settings()) as locator:
        snapshot = observe_source(locator.source, locator.registry, locator.indexer.version, locator.clock.now())
        record_snapshot(snapshot, locator.registry, locator.feed_log, locator.indexer.version, locator.clock.now())
        page = shown(app_without_files.run())
        assert not app_without_files.info
        assert "残り約 0:0" in page
        locator.indexer.index_file(snapshot.plan.to_index[0])
        assert "いま見つかるようになったファイル: 報告_" in shown(app_without_files.run())


def test_a_wrong_setting_is_one_sentence_and_no_stack_trace(
    app_without_files: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as wrong:
        wrong.setenv("GOOGLE_CLIENT_ID", "only-half")
        app_without_files.run()
    assert not app_without_files.exception
    assert "GOOGLE" in app_without_files.error[0].value


def test_what_nobody_foresaw_is_one_sentence_too() -> None:
    def script() -> None:
        from streamlit_app.shared import components

        with components.errors_in_words():
            raise ZeroDivisionError("secret detail")

    page = AppTest.from_function(script, default_timeout=200).run()
    assert not page.exception
    assert [error.value for error in page.error] == ["予期しない問題が起きました。記録（ログ）を確認してください。"]


def test_the_status_page_says_what_similarities_were_measured_on(app: AppTest, settings: dict[str, str]) -> None:
    assert "類似度の目盛り: モデルの出荷時の値" in shown(app.switch_page("status/status.py").run())
    with psycopg.connect(settings["DATABASE_URL"]) as connection:
        connection.execute(
            "UPDATE index_profile SET calibration = '[[0, 0], [1, 1]]', calibrated_files = 1, calibrated_at = now()"
        )
    page = shown(app.run())
    assert "1 件のファイルで測定" in page
    assert "calibrate をもう一度" in page


def test_the_status_page_accounts_for_every_listed_file(app: AppTest) -> None:
    app.run()
    app.switch_page("status/status.py").run()
    page = shown(app)
    listed = len(WEEKLY_REPORTS) + len(SINGLE_FILES)
    assert [success.value for success in app.success] == [f"合計は一覧の {listed} 件と一致しています。"]
    assert f"<td>{listed - 2}</td>" in page
    assert "壊れた台帳.pdf" in page
    assert "玄関.png" in page
    assert "オフライン代替" in page


@pytest.mark.usefixtures("tables")
def test_a_failed_file_can_be_tried_again(app: AppTest) -> None:
    app.run()
    app.switch_page("status/status.py").run()
    assert "再試行待ち" not in shown(app)
    next(button for button in app.button if button.label == "再試行").click().run()
    assert "再試行待ち" in shown(app)


def test_a_file_left_out_can_be_tried_again_too(app: AppTest) -> None:
    app.run()
    app.switch_page("status/status.py").run()
    left_out = next(expander for expander in app.expander if expander.label == "対象外のファイル（1 件）")
    assert "玄関.png" in left_out.html[0].value
    assert [button.label for button in left_out.button] == ["すべて再試行（1 件）", "再試行"]


def test_the_story_of_a_file_is_found_by_its_name_and_by_an_address(app: AppTest, tables: psycopg.Connection) -> None:
    app.run()
    app.switch_page("status/status.py").run()
    told = shown(app.text_input(key="story_words").set_value("壊れた　台帳").run())
    assert "検索できません" in told
    assert "失敗 1 回" in told
    [[file_id]] = tables.execute("SELECT file_id FROM file_state WHERE state = 'indexed' LIMIT 1").fetchall()
    linked = AppTest.from_file(APP, default_timeout=200)
    linked.query_params["file"] = file_id
    linked.switch_page("status/status.py").run()
    assert "文字を読み取りました" in shown(linked)
    assert linked.query_params["file"] == file_id
    assert "一覧にありません" in shown(linked.text_input(key="story_words").set_value("存在しない名前").run())
    assert "file" not in linked.query_params


def test_a_kind_of_fault_and_all_faults_can_be_tried_again(app: AppTest, tables: psycopg.Connection) -> None:
    tables.execute("UPDATE file_state SET state = 'failed', reason = 'timeout' WHERE state = 'skipped'")
    tables.execute("UPDATE file_state SET next_try_at = NULL")
    app.run()
    app.switch_page("status/status.py").run()
    labels = [button.label for button in app.button]
    assert "すべて再試行（2 件）" in labels
    kinds = [label for label in labels if label.endswith("だけ再試行")]
    assert len(kinds) == 2
    next(button for button in app.button if button.label == kinds[1]).click().run()
    assert shown(app).count("再試行待ち") == 1
    next(button for button in app.button if button.label == "すべて再試行（2 件）").click().run()
    assert shown(app).count("再試行待ち") == 2


def test_runs_progress_and_alarms_are_on_the_status_page(app: AppTest, tables: psycopg.Connection) -> None:
    app.run()
    tables.execute(
        "INSERT INTO crawl_run SELECT 'run-1', id, now() - interval '9 s', now(), 3, 1, 1, 2, 5, 700, 0.25,"
        " '{\"indexed\": 500, \"failed\": 1}', '{}' FROM drive_sync_state WHERE id <> 'global'"
    )
    tables.execute("UPDATE file_state SET revision = revision || '+' WHERE state = 'indexed'")
    app.switch_page("status/status.py").run()
    page = shown(app)
    assert "/runs/run-1" in page
    assert "$0.2500" in page
    assert len(app.get("vega_lite_chart")) == 3
    assert any("500 件から" in warning.value for warning in app.warning)
    assert "索引に入ったファイル" in page or "残り約" in page


def test_a_batch_of_a_model_is_named_and_no_crawl_is_under_way_meanwhile(
    app: AppTest, tables: psycopg.Connection
) -> None:
    app.run()
    tables.execute("UPDATE file_state SET state = 'pending', reason = 'batch' WHERE file_name LIKE '週報%'")
    tables.execute(
        "INSERT INTO model_batch (batch_id, model, task, prompt_version, requests, estimated_cost, submitted_at)"
        " VALUES ('batch_7', 'gpt', 'summarise', '1', 3, 0.5, now() - interval '2 hours')"
    )
    page = shown(app.switch_page("status/status.py").run())
    assert "モデルのバッチ batch_7 の回答を待っています（2 時間前に送信、最大 $0.50）" in page
    assert not app.get("progress")


def test_people_who_are_no_administrators_see_their_own_coverage_and_nothing_else(
    app: AppTest, tables: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables.execute("INSERT INTO access_list VALUES ('aki', '{user:aki@example.com}')")
    changed = "UPDATE file_state SET access_key = 'aki' WHERE file_name IN ('壊れた台帳.pdf', '週報_17.md')"
    mine = tables.execute(changed).rowcount
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setattr(access, "reader", lambda: Reader.of("aki@example.com", {}))
    app.run()
    page = shown(app.switch_page("status/status.py").run())
    assert f"読めるファイル {mine} 件のうち {mine - 1} 件を検索できます" in page
    told = shown(app.text_input(key="story_words").set_value(".").run())
    assert "壊れた台帳.pdf" in told
    assert "週報_17.md" in told
    assert "玄関.png" not in told
    assert "週報_18.md" not in told
    assert [button.label for button in app.button if "再試行" in button.label] == []


def test_an_empty_index_says_what_is_crawled_and_where_to_add_something_else(app_without_files: AppTest) -> None:
    app_without_files.run()
    page = app_without_files.switch_page("status/status.py").run()
    assert any("samples" in info.value for info in page.info)
    assert [link.proto.page for link in page.get("page_link")] == ["add", "usage"]


def test_a_variant_is_named_and_its_rule_can_be_switched_off_and_on(app: AppTest) -> None:
    ask(app, "第一週の週報")
    chip = app.button(key="variant-number")
    assert "第一週 → 第1週" in chip.label
    chip.click().run()
    assert "variant-number" not in [button.key for button in app.button]
    assert app.query_params["off"] == "number"
    assert "number" not in (app.pills(key="rules").value or ())
    again = reloaded(app)
    assert "number" not in (again.pills(key="rules").value or ())
    restore = next(button for button in again.button if "漢数字" in button.label)
    restore.click().run()
    assert "variant-number" in [button.key for button in again.button]
