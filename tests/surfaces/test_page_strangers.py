"""Where sign-in is set up, whoever has not signed in sees the way in and nothing else, on every page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app import locator as composition
from streamlit_app.shared import session
from tests.builders.report_folder import SINGLE_FILES, WEEKLY_REPORTS, indexed_reports
from tests.surfaces.test_page_app import fresh_app

PAGES = (
    "adding/adding.py",
    "contributions/contributions.py",
    "live/live.py",
    "search/search.py",
    "status/status.py",
    "x/x.py",
)
WHOLE = {"client_id": "x", "client_secret": "y", "server_metadata_url": "http://127.0.0.1:9/"}
STRANGER: Mapping[str, object] = {"is_logged_in": False}
AOKI = {"is_logged_in": True, "sub": "1", "iss": "https://id", "email": "aoki@example.com", "email_verified": True}


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return indexed_reports(database_server, tmp_path_factory.mktemp("strangers"), "pages_strangers")


@pytest.fixture
def app(settings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    yield from fresh_app()


def seen_by(who: Mapping[str, object], app: AppTest, page: str, **address: str) -> AppTest:
    app.secrets["auth"] = dict(WHOLE)
    app.user = dict(who)
    app.query_params.update(address)
    app.run()
    return app.switch_page(page).run() if page != "search/search.py" else app


def everything(app: AppTest) -> str:
    """All that was sent to the browser, in whatever element."""
    return "\n".join(str(element.proto) for element in [*app.main, *app.sidebar])


def test_every_page_is_tried() -> None:
    assert len(PAGES) == 6


@pytest.mark.parametrize("page", PAGES)
def test_a_stranger_sees_the_way_in_and_triggers_nothing(
    page: str, app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("something was opened for a stranger")

    monkeypatch.setattr(composition, "open_locator", never)
    monkeypatch.setattr(session, "open_locator", never)
    seen_by(STRANGER, app, page, q="経費精算の手順", run="x", ask="x", session="x", analysis="x")
    assert not app.exception
    assert [button.label for button in app.button] == ["サインイン"]
    assert [error.value for error in app.error] == []
    for kind in ("text_input", "selectbox", "multiselect", "text_area", "dataframe", "table", "metric", "expander"):
        assert len(app.get(kind)) == 0, kind
    sent = everything(app)
    names = {Path(name).stem for name in (*WEEKLY_REPORTS, *SINGLE_FILES)} | {"営業部", "開発部", "総務部"}
    assert [name for name in names if name in sent] == []
    assert not re.search(r"\d+ ?件", sent)
    monkeypatch.undo()


def test_whoever_signed_in_finds_what_the_address_asks_for(app: AppTest) -> None:
    seen_by(AOKI, app, "search/search.py", q="経費精算の手順")
    assert "経費精算の手順.md" in everything(app)
    assert "サインアウト" in [button.label for button in app.button]


def test_signing_out_takes_everything_away(app: AppTest) -> None:
    seen_by(AOKI, app, "search/search.py", q="経費精算の手順")
    app.user = dict(STRANGER)
    app.run()
    assert [button.label for button in app.button] == ["サインイン"]
    assert "経費精算の手順.md" not in everything(app)


@pytest.mark.parametrize(
    ("change", "admitted"),
    [({}, True), ({"email": "aoki@elsewhere.example"}, False), ({"email_verified": False}, False)],
)
def test_a_list_admits_whom_it_names(
    change: dict[str, object], admitted: bool, app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCATOR_ALLOWED_USERS", "example.com")
    seen_by({**AOKI, **change}, app, "status/status.py")
    if admitted:
        assert "サインアウト" in [button.label for button in app.button]
        return
    assert [button.label for button in app.button] == ["サインアウト"]
    assert "許可されていません" in app.error[0].value
    assert [element for element in app.html if "dl-muted" in element.value and "<style" not in element.value] == []


def test_what_went_wrong_at_the_provider_is_said_in_the_language_of_the_page(app: AppTest) -> None:
    seen_by(STRANGER, app, "search/search.py", lang="en", **{"sign-in-failed": "1"})
    assert [error.value for error in app.error] == ["Signing in did not work. Please try again."]
    assert [button.label for button in app.button] == ["Sign in"]


def test_each_provider_has_a_way_in(app: AppTest) -> None:
    app.secrets["auth"] = {"redirect_uri": "x", "google": dict(WHOLE), "entra": dict(WHOLE)}
    app.user = dict(STRANGER)
    app.run()
    assert [button.label for button in app.button] == ["サインイン (google)", "サインイン (entra)"]
