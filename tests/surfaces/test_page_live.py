"""The live search page: progress of each service, a cited answer, links the host put there, the index folded in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app.live import LiveParts
from locator_search.config.readers import reader_with_mail
from locator_search.config.settings import load_settings
from locator_search.model import ServiceHit
from streamlit_app.shared import access, session
from tests.builders.report_folder import indexed_reports
from tests.fakes.scripted_services import GITHUB, SLACK, ScriptedServices, failure, hits
from tests.surfaces.test_page_app import fresh_app
from tests.unit.test_live_search import EVERYTHING, Model

HOSTILE = "<img src=x onerror=alert(1)> **bold** :red[x] $x^2$"


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return indexed_reports(database_server, tmp_path_factory.mktemp("pages-live"), "pages_live")


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> ScriptedServices:
    """The services that the page asks; change them before the page is opened."""
    scripted = ScriptedServices(found=EVERYTHING)
    monkeypatch.setattr(LiveParts, "gateway", scripted)
    monkeypatch.setattr(LiveParts, "chat_model", Model("上限は三回 [1]、[9]。[x](https://evil.example) <script>"))
    return scripted


@pytest.fixture
def app(settings: dict[str, str], services: ScriptedServices, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    yield from fresh_app()


def opened(app: AppTest, **address: str) -> AppTest:
    app.query_params.update(address)
    app.run()
    return app.switch_page("live/live.py").run()


def asked(app: AppTest, question: str, *, with_index: bool = False) -> AppTest:
    opened(app)
    app.toggle(key="live-index").set_value(with_index)
    app.text_input(key="live-question").set_value(question)
    return next(button for button in app.button if button.label == "質問する").click().run()


def shown(app: AppTest) -> str:
    assert not app.exception
    assert [error.value for error in app.error] == []
    return "\n".join(element.value for element in app.html if not element.proto.unsafe_allow_javascript)


def answer(app: AppTest) -> str:
    (found,) = (element.value for element in app.html if element.value.startswith('<div class="dl-answer">'))
    return found


def test_the_page_says_where_texts_go_before_anything_is_asked(app: AppTest, services: ScriptedServices) -> None:
    opened(app)
    assert "マスキングせずに言語モデル scripted" in app.info[0].value.replace("\\", "")
    assert services.searched == []


def test_servers_start_once_while_the_first_question_is_typed(app: AppTest, services: ScriptedServices) -> None:
    opened(app)
    assert services.prepared == 1
    asked(app, "設計はどこ？")
    assert services.prepared == 1


def test_a_question_shows_progress_queries_answer_and_evidence_links(app: AppTest) -> None:
    page = shown(asked(app, "設計はどこ？"))
    lines = [line.value for line in app.status[0].text]
    assert "✓ Slack: 3 件（0.1 秒）" in lines
    assert not any(line.startswith("…") for line in lines), "nothing is under way any more"
    assert "✓ 回答をまとめています..." in lines
    assert "✓ GitHub: 本文 3 件を読み取りました" in lines
    assert "<td>slack__message query</td>" in page
    assert '<a href="https://drive.example/file/0" target="_blank" rel="noopener">drive file 0</a>' in page
    assert re.findall(r'<a href="([^"]*)"[^>]*>\[(\d)\]</a>', answer(app)) == [
        ("https://drive.example/file/0", "1"),
        ("https://github.example/issue/1", "9"),
    ]
    assert "evil.example" not in page + answer(app)
    assert "<script" not in page + answer(app)
    assert "リンク 1 件" in app.warning[0].value
    assert app.query_params["ask"] == "設計はどこ？"


def test_a_service_that_fails_is_a_warning_and_the_others_are_shown(app: AppTest, services: ScriptedServices) -> None:
    services.failing = {("slack", "message"): failure("rate_limited", "429")}
    page = shown(asked(app, "設計はどこ？"))
    assert any("レートリミット" in warning.value for warning in app.warning)
    assert "drive file 0" in page
    assert "✗ Slack: 結果なし（レートリミット (429)）" in [line.value for line in app.status[0].text]


def test_hostile_titles_and_links_stay_text(app: AppTest, services: ScriptedServices) -> None:
    services.found = {
        ("slack", "message"): hits("slack", "message", 1, title=HOSTILE, snippet=HOSTILE, uri="javascript:alert(1)")
    }
    page = shown(asked(app, "設計はどこ？"))
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "<img" not in page
    assert 'href="javascript' not in page
    assert "<a" not in answer(app)


def test_nothing_found_offers_other_queries_and_a_click_tries_one_alone(
    app: AppTest, services: ScriptedServices
) -> None:
    services.found = {}
    asked(app, "設計はどこ？")
    assert "見つかりませんでした。" in answer(app)
    services.found = EVERYTHING
    app.button(key="live-alternative-2").click().run()
    assert [query.query for query in services.searched[-1]] == ["slack__message wider"]
    assert "slack message 0" in shown(app)


def test_what_the_index_knows_too_is_shown_once_and_the_rest_is_added(app: AppTest, services: ScriptedServices) -> None:
    opened(app)
    found = session.live().search(with_index=True).index
    assert found is not None
    first = found.search("経費精算の手順", 1).value[0]
    services.found = {("drive", "file"): (ServiceHit("drive", "file", "経費精算の手順", "", first.link),)}
    page = shown(asked(app, "経費精算の手順", with_index=True))
    assert page.count(f">{first.file_name}<") == 0, "the indexed copy has no place of its own"
    assert "索引にもあり（索引時の更新日" in page
    services.found = {}
    page = shown(asked(app, "経費精算の手順", with_index=True))
    assert "索引だけで見つかりました" in page
    assert first.file_name in page


def test_an_example_asks_itself_once(app: AppTest, services: ScriptedServices) -> None:
    opened(app)
    next(button for button in app.button if "再送の上限" in button.label).click().run()
    assert app.text_input(key="live-question").value == "再送の上限に関する Issue"
    assert len(services.searched) == 1


def test_a_page_with_sign_in_does_not_search_with_the_tokens_of_whoever_runs_it(
    app: AppTest, services: ScriptedServices
) -> None:
    app.secrets["auth"] = {"client_id": "x", "client_secret": "y"}
    app.user = {"is_logged_in": True, "sub": "aoki"}
    opened(app)
    assert "サインインが設定されているページではライブ検索を使えません" in app.warning[0].value
    assert [one.key for one in app.text_input] == []


def signed_in(monkeypatch: pytest.MonkeyPatch, mail: str) -> None:
    monkeypatch.setattr(access, "sign_in_is_set_up", lambda: True)
    monkeypatch.setattr(access, "admission", lambda: "admitted")
    monkeypatch.setattr(access, "owner", lambda: mail)
    monkeypatch.setattr(access, "reader", lambda: reader_with_mail(load_settings(), mail))


def test_with_permissions_a_person_is_shown_what_the_services_open_to_them_found_and_nobody_elses_answer(
    app: AppTest, services: ScriptedServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    services.offered = [replace(SLACK, readers=("domain:example.com",)), GITHUB]
    signed_in(monkeypatch, "aki@example.com")

    def page() -> str:
        app.text_input(key="live-question").set_value("再送の上限は？")
        return shown(next(button for button in app.button if button.label == "質問する").click().run())

    opened(app)
    first = page()
    assert "slack message 0" in first
    assert "github" not in first
    assert "GitHub は、あなたの代わりには検索していません" in "".join(one.value for one in app.warning)
    assert {query.service for queries in services.searched for query in queries} == {"slack"}
    signed_in(monkeypatch, "out@other.org")
    assert "slack message" not in shown(app.run())
    assert "slack message" not in page()


def test_the_page_speaks_english_too(app: AppTest) -> None:
    opened(app, lang="en")
    assert "One question over Drive, Slack and GitHub" in shown(app)


def test_a_question_that_follows_is_answered_below_from_the_same_evidence_until_another_is_asked(
    app: AppTest, services: ScriptedServices
) -> None:
    asked(app, "再送の上限は？")
    searched = len(services.searched)
    for question in ("期限はいつ？", "担当は？"):
        app.text_input(key="live-follow-question").set_value(question)
        next(button for button in app.button if button.label == "続けて質問").click().run()
    html = shown(app)
    assert html.index("上限は三回") < html.index("期限はいつ？") < html.index("担当は？") < html.index("根拠リンク")
    assert html.count('<div class="dl-answer">') == 3
    assert "evil.example" not in html
    assert len(services.searched) == searched
    asked(app, "別の質問")
    assert "期限はいつ？" not in shown(app)
