"""The contributions page: analyse, follow a citation to its passage, take a sheet away, see only what is yours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from streamlit.testing.v1 import AppTest

from locator_search.adapters.postgres import Database, migrate
from locator_search.adapters.postgres.contributions import PostgresContributionStore
from locator_search.adapters.postgres.embedded import EmbeddedServer
from locator_search.contribution_parts import SCHEMA
from locator_search.ports import Contribution, Meeting
from locator_search.ports.analyses import Claim
from streamlit_app import session
from streamlit_app.contribution_markup import claim_html, passage_html
from streamlit_app.contribution_texts import contribution_texts
from streamlit_app.markup import label
from tests.builders.contributions import fill_index, passage, registration, sample_evidence
from tests.surfaces.test_page_app import APP, fresh_app

AOKI = {"is_logged_in": True, "iss": "https://id.example", "sub": "1", "name": "青木"}
BABA = {"is_logged_in": True, "iss": "https://id.example", "sub": "2", "name": "馬場"}


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of two indexed meetings, filled once for this module."""
    with psycopg.connect(database_server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE page_contributions TEMPLATE template STRATEGY file_copy")
    url = database_server.url.replace("/postgres?", "/page_contributions?", 1)
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
    return app.switch_page("views/contributions.py").run()


def analysed(app: AppTest, *numbers: str) -> AppTest:
    opened(app)
    app.multiselect(key="contributions-SA1#111").set_value([f"SA1#111/{number}" for number in numbers]).run()
    return next(button for button in app.button if button.label == "分析する").click().run()


def shown(app: AppTest) -> str:
    assert not app.exception
    return "\n".join(element.value for element in app.html)


def analysis_id(app: AppTest) -> str:
    return str(app.session_state["analysis"])


def test_contributions_of_a_meeting_are_analysed_with_every_step_shown(app: AppTest) -> None:
    analysed(app, "S1-254001")
    assert app.error == []
    text = shown(app)
    assert "a rejected UE is not told why" in text
    assert "オフラインの代役による分析です。" in text
    assert "<ins>The network shall reject the request with a cause value.</ins>" in text
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


def test_two_contributions_are_compared_or_taken_for_revisions(app: AppTest) -> None:
    analysed(app, "S1-254001", "S1-254002")
    assert "比較: SA1#111/S1-254001, SA1#111/S1-254002" in shown(app)
    app.segmented_control(key="contribution-kind").set_value("revisions").run()
    next(button for button in app.button if button.label == "分析する").click().run()
    assert "改版の比較: SA1#111/S1-254001" in shown(app)


def test_what_a_contribution_says_is_shown_and_never_run() -> None:
    texts = contribution_texts("ja")
    hostile = passage("S1-254009", "<b>", "Show <script>alert(1)</script> & more.", 1)
    html = passage_html(hostile, "<script>alert(1)", texts) + claim_html(Claim("problem", "<img src=x>"), texts)
    assert "<mark>&lt;script&gt;alert(1)</mark>&lt;/script&gt; &amp; more." in html
    assert not re.search(r"<(script|img|b)\b", html)


def test_a_passage_shows_quote_insertions_and_deletions_at_their_places() -> None:
    html = passage_html(registration(), "cause  VALUE", contribution_texts("en"))
    assert (
        "<ins> The network shall reject the request with a </ins><mark><ins>cause value</ins></mark><ins>.</ins>"
        in html
    )
    assert "<del> The network may reject the request.</del>" in html
    assert "<mark><del>" in passage_html(registration(), "may reject", contribution_texts("en"))


def test_an_analysis_is_found_again_by_its_address_and_among_earlier_ones(app: AppTest) -> None:
    kept = analysis_id(analysed(app, "S1-254001"))
    again = AppTest.from_file(APP, default_timeout=60)
    again.run()
    again.switch_page("views/contributions.py")
    again.query_params["analysis"] = kept
    assert "a rejected UE is not told why" in shown(again.run())
    assert any(label("1 件を分析: SA1#111/S1-254001") in button.label for button in again.button)


def test_the_page_without_meetings_says_how_to_get_some(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path))
    for app in fresh_app():
        assert "document-locator contributions sync" in opened(app).code[0].value


# Access


def with_sign_in(app: AppTest, user: dict[str, object]) -> AppTest:
    app.secrets["auth"] = {"client_id": "x"}
    app.user = user
    return app


def test_where_sign_in_is_set_up_nobody_sees_anything_before(app: AppTest) -> None:
    opened(with_sign_in(app, {"is_logged_in": False}))
    assert [button.label for button in app.button if button.label == "サインイン"]
    assert app.selectbox == []


def test_the_analysis_of_another_person_is_refused(app: AppTest) -> None:
    kept = analysis_id(analysed(with_sign_in(app, AOKI), "S1-254001"))
    assert "青木 としてサインインしています" in shown(app)
    other = with_sign_in(AppTest.from_file(APP, default_timeout=60), BABA)
    other.run()
    other.switch_page("views/contributions.py")
    other.query_params["analysis"] = kept
    other.run()
    assert [error.value for error in other.error] == ["その分析は見つかりません。"]
    assert "a rejected UE" not in shown(other)
    assert not any("S1-254001" in button.label for button in other.button)


def test_a_signed_link_gives_one_sheet_to_whoever_holds_it(app: AppTest) -> None:
    kept = analysis_id(analysed(app, "S1-254001"))
    token = session.contributions().links.token(kept, "docx")
    holder = with_sign_in(AppTest.from_file(APP, default_timeout=60), {"is_logged_in": False})
    holder.run()
    holder.switch_page("views/contributions.py")
    holder.query_params["sheet"] = token
    holder.run()
    assert "レビューシートが共有されています。" in shown(holder)
    assert "a rejected UE" not in shown(holder)
    holder.query_params["sheet"] = session.contributions().links.token(kept, "docx", timedelta(hours=-1))
    holder.run()
    assert holder.error[0].value.startswith("このリンクは無効か、期限が切れています。")
