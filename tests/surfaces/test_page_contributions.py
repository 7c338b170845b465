"""The contributions page: analyse, follow a citation to its passage, take a sheet away, see only what is yours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from uuid import uuid4

import psycopg
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from locator_search.adapters.postgres import Database, migrate
from locator_search.adapters.postgres.contributions.store import PostgresContributionStore
from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app.contributions import SCHEMA, ContributionParts
from locator_search.core.errors import SourceUnavailable
from locator_search.ports import Contribution, ContributionState, Meeting
from locator_search.ports.contributions.analyses import Claim
from streamlit_app.contributions import fetching as contribution_fetching
from streamlit_app.contributions.markup import claim_html, passage_html
from streamlit_app.contributions.texts import ContributionTexts
from streamlit_app.shared import session
from streamlit_app.shared.escaping import label
from tests.builders.contributions import fill_index, passage, registration, sample_evidence
from tests.surfaces.test_page_app import APP, fresh_app

LISTED, SET_ASIDE = "S1-254008", "S1-254009"
AOKI = {"is_logged_in": True, "iss": "https://id.example", "sub": "1", "name": "青木"}
BABA = {"is_logged_in": True, "iss": "https://id.example", "sub": "2", "name": "馬場"}


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of two indexed meetings, filled once for this module."""
    name = f"page_{uuid4().hex}"  # two modules fill one each
    with psycopg.connect(database_server.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template STRATEGY file_copy")
    url = database_server.url.replace("/postgres?", f"/{name}?", 1)
    with Database(url, SCHEMA) as database:
        migrate(database)
        evidence = sample_evidence()
        fill_index(database, evidence)
        store = PostgresContributionStore(database)
        for meeting in ("SA1#110", "SA1#111"):
            numbers = dict.fromkeys(one.contribution_number for one in evidence if one.meeting == meeting)
            listed = [
                Contribution(f"{meeting}/{number}", meeting, str(number), title=f"題名 {number}", agenda_item="5.2")
                for number in numbers
            ]
            store.record_meeting(Meeting(meeting, "SA1", meeting), listed, [])
            for one in listed:
                store.set_state(one.contribution_id, "indexed", pipeline_version="1", chunk_count=1)
        others = [Contribution(f"SA1#111/{number}", "SA1#111", number) for number in (LISTED, SET_ASIDE)]
        store.record_meeting(Meeting("SA1#111", "SA1", "SA1#111"), others, [])
        store.set_state(others[1].contribution_id, "skipped", reason="unreadable: a.doc: The file is damaged.")
    return {"DATABASE_URL": url, "LOCATOR_HOME": str(tmp_path_factory.mktemp("home"))}


@pytest.fixture
def app(settings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The app over these meetings, in a fresh server process as far as Streamlit's caches go."""
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    yield from fresh_app()


def opened(app: AppTest, **address: str) -> AppTest:
    app.query_params.update(address)
    app.run()
    return app.switch_page("contributions/contributions.py").run()


def analysed(app: AppTest, *numbers: str) -> AppTest:
    opened(app)
    assert not app.multiselect(key="contributions-SA1#111").proto.select_all
    app.multiselect(key="contributions-SA1#111").set_value([f"SA1#111/{number}" for number in numbers]).run()
    return next(button for button in app.button if button.label == "分析する").click().run()


def button(app: AppTest, label: str) -> Button:
    return next(one for one in app.button if one.label == label)


def shown(app: AppTest) -> str:
    assert not app.exception
    return "\n".join(element.value for element in app.html if not element.proto.unsafe_allow_javascript)


def analysis_id(app: AppTest) -> str:
    return str(app.session_state["analysis"])


def test_contributions_of_a_meeting_are_analysed_with_every_step_shown(app: AppTest) -> None:
    analysed(app, "S1-254001")
    assert app.error == []
    text = shown(app)
    assert "a rejected UE is not told why" in text
    assert "オフラインの代役による分析です。" in text
    assert '<ins lang="en">The network shall reject the request with a cause value.</ins>' in text
    assert [line.value for line in app.status[0].text][:2] == [
        "S1-254001: 課題と背景を検索しています",
        "S1-254001: 提案を検索しています",
    ]
    assert app.query_params["analysis"] == analysis_id(app)


def test_a_citation_opens_its_clause_and_page_with_the_passage_marked(app: AppTest) -> None:
    analysed(app, "S1-254001")
    cited = next(button for button in app.button if label("条項 5.2.1") in button.label and "change" in str(button.key))
    assert "2 ページ" in cited.label
    cited.click().run()
    marked = "".join(re.findall(r"<mark>(.*?)</mark>", shown(app)))
    assert marked == "<ins>The network shall reject the request with a cause value.</ins>"


def test_a_document_that_cannot_be_fetched_is_told_beside_its_passage(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_parts: ContributionParts, _document_id: str) -> Path:
        raise SourceUnavailable("The archive does not answer.")

    monkeypatch.setattr(ContributionParts, "paged_file", refuse)
    analysed(app, "S1-254001")
    next(button for button in app.button if label("条項 5.2.1") in button.label and "change" in str(button.key)).click()
    app.run()
    assert len(app.error) == 1
    assert "<mark>" in shown(app)


def test_two_contributions_are_compared_or_taken_for_revisions(app: AppTest) -> None:
    analysed(app, "S1-254001", "S1-254002")
    assert "比較: SA1#111/S1-254001, SA1#111/S1-254002" in shown(app)
    app.segmented_control(key="contribution-kind").set_value("revisions").run()
    next(button for button in app.button if button.label == "分析する").click().run()
    assert "改版の比較: SA1#111/S1-254001" in shown(app)


def test_what_a_contribution_says_is_shown_and_never_run() -> None:
    texts = ContributionTexts.of("ja")
    hostile = passage("S1-254009", "<b>", "Show <script>alert(1)</script> & more.", 1)
    html = passage_html(hostile, "<script>alert(1)", texts) + claim_html(Claim("problem", "<img src=x>"), texts)
    assert "<mark>&lt;script&gt;alert(1)</mark>&lt;/script&gt; &amp; more." in html
    assert not re.search(r"<(script|img|b)\b", html)


def test_a_passage_shows_quote_insertions_and_deletions_at_their_places() -> None:
    html = passage_html(registration(), "cause  VALUE", ContributionTexts.of("en"))
    assert (
        "<ins> The network shall reject the request with a </ins><mark><ins>cause value</ins></mark><ins>.</ins>"
        in html
    )
    assert "<del> The network may reject the request.</del>" in html
    assert "<mark><del>" in passage_html(registration(), "may reject", ContributionTexts.of("en"))


def test_an_analysis_is_found_again_by_its_address_and_among_earlier_ones(app: AppTest) -> None:
    kept = analysis_id(analysed(app, "S1-254001"))
    again = AppTest.from_file(APP, default_timeout=200)
    again.run()
    again.switch_page("contributions/contributions.py")
    again.query_params["analysis"] = kept
    assert "a rejected UE is not told why" in shown(again.run())
    assert any(label("1 件を分析: SA1#111/S1-254001") in button.label for button in again.button)


def test_a_question_is_answered_and_can_be_kept_and_asked_again(app: AppTest) -> None:
    opened(app)
    app.text_area(key="own-question").set_value("What shall charging records contain?").run()
    app.text_input(key="question-name").set_value("課金").run()
    button(app, "保存する").click().run()
    analysed(app, "S1-254001")
    assert "質問: What shall charging records contain?" in shown(app)
    assert "質問への回答" in shown(app)
    app.text_area(key="own-question").set_value("").run()
    app.button_group(key="saved-question").set_value("課金").run()
    assert app.text_area(key="own-question").value == "What shall charging records contain?"
    app.button(key="forget-課金").click().run()
    assert session.contributions().questions.of("") == []


# Fetching: the page asks, and runs of the sensor do it


def until(holds: Callable[[], bool]) -> None:
    """Wait for something, but not for ever: a page that fails asks for nothing."""
    deadline = monotonic() + 200
    while not holds() and monotonic() < deadline:
        sleep(0.01)


def run_of_the_sensor(state: ContributionState, reason: str = "") -> Thread:
    """A run of the sensor as the page sees it: stages, then the request is settled."""
    parts, target = session.contributions(), f"SA1#111/{LISTED}"

    def work() -> None:
        until(lambda: parts.requests.waiting("index") == [target])
        parts.store.set_state(target, "archived")
        sleep(0.05)
        parts.store.set_state(target, state, reason=reason)
        parts.requests.settle("index", [target])

    thread = Thread(target=work)
    thread.start()
    return thread


def test_what_is_not_in_the_index_is_fetched_before_it_is_analysed(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contribution_fetching, "SECONDS_BETWEEN", 0.01)
    opened(app)
    assert "4 件のうち 2 件が索引にあります" in shown(app)
    worker = run_of_the_sensor("indexed")
    analysed(app, LISTED)
    worker.join()
    lines = [line.value for line in app.status[0].text]
    assert lines[0] == "1 件の取得を依頼しました"
    assert lines[-1] == f"{LISTED}: 条項ごとに分けて索引に登録しました"
    assert "根拠が見つかりませんでした" in app.warning[0].value


def test_what_cannot_be_fetched_is_named_with_its_reason_in_words(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contribution_fetching, "SECONDS_BETWEEN", 0.01)
    opened(app)
    session.contributions().store.set_state(f"SA1#111/{LISTED}", "listed")
    worker = run_of_the_sensor("failed", "gone: The file is not in the archive any more.")
    analysed(app, LISTED, SET_ASIDE)
    worker.join()
    (told,) = [error.value for error in app.error]
    assert "処理できませんでした（取得元から削除された）" in told
    assert "対象外です（読める文書がない）" in told
    assert "analysis" not in app.session_state


def test_what_cannot_be_fetched_is_left_out_of_the_analysis_of_the_others_and_named(app: AppTest) -> None:
    analysed(app, "S1-254001", SET_ASIDE)
    assert app.error == []
    assert "a rejected UE is not told why" in shown(app)
    assert app.warning[-1].value == f"除いた寄書  \n{label(f'SA1#111/{SET_ASIDE}: 読める文書がない')}"


def test_where_nobody_works_the_page_says_so_and_the_request_stays(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contribution_fetching, "SECONDS_BETWEEN", 0.01)
    monkeypatch.setattr(contribution_fetching, "SECONDS_TO_BEGIN", 0.05)
    opened(app)
    session.contributions().store.set_state(f"SA1#111/{LISTED}", "listed")
    analysed(app, LISTED)
    assert "処理がまだ始まっていません" in app.warning[0].value
    assert session.contributions().requests.waiting("index") == [f"SA1#111/{LISTED}"]
    session.contributions().requests.settle("index", [f"SA1#111/{LISTED}"])


def test_the_page_without_meetings_has_them_listed(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path))
    monkeypatch.setattr(contribution_fetching, "SECONDS_BETWEEN", 0.01)
    for app in fresh_app():
        assert "document-locator contributions sync" in opened(app).code[0].value
        parts = session.contributions()

        def answer(parts: ContributionParts = parts) -> None:
            until(lambda: parts.requests.waiting("sync") == [""])
            parts.store.record_meeting(Meeting("SA1#112", "SA1", "SA1#112"), [], [])
            parts.requests.settle("sync", [""])

        worker = Thread(target=answer)
        worker.start()
        button(app, "会合の一覧を取得する").click().run()
        worker.join()
        assert app.selectbox(key="contribution-meeting").value == "SA1#112"


# Access


def with_sign_in(app: AppTest, user: dict[str, object]) -> AppTest:
    app.secrets["auth"] = {"client_id": "x", "client_secret": "y"}
    app.user = user
    return app


def test_where_sign_in_is_set_up_nobody_sees_anything_before(app: AppTest) -> None:
    opened(with_sign_in(app, {"is_logged_in": False}))
    assert [button.label for button in app.button if button.label == "サインイン"]
    assert app.selectbox == []


def test_the_analysis_of_another_person_is_refused(app: AppTest) -> None:
    kept = analysis_id(analysed(with_sign_in(app, AOKI), "S1-254001"))
    assert "青木 としてサインインしています" in shown(app)
    other = with_sign_in(AppTest.from_file(APP, default_timeout=200), BABA)
    other.run()
    other.switch_page("contributions/contributions.py")
    other.query_params["analysis"] = kept
    other.run()
    assert [error.value for error in other.error] == ["その分析は見つかりません。"]
    assert "a rejected UE" not in shown(other)
    assert not any("S1-254001" in button.label for button in other.button)


def test_a_signed_link_gives_one_sheet_to_whoever_holds_it(app: AppTest) -> None:
    kept = analysis_id(analysed(app, "S1-254001"))
    token = session.contributions().links.token(kept, "docx")
    holder = with_sign_in(AppTest.from_file(APP, default_timeout=200), {"is_logged_in": False})
    holder.run()
    holder.switch_page("contributions/contributions.py")
    holder.query_params["sheet"] = token
    holder.run()
    assert "レビューシートが共有されています。" in shown(holder)
    assert "a rejected UE" not in shown(holder)
    holder.query_params["sheet"] = session.contributions().links.token(kept, "docx", timedelta(hours=-1))
    holder.run()
    assert holder.error[0].value.startswith("このリンクは無効か、期限が切れています。")
