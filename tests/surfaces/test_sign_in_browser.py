"""Signing in as a person meets it: a provider of our own on loopback, real servers, a real Chromium."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from locator_assets.instance import dagster_environment
from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
from tests.builders.identity_provider import IdentityProvider, identity_provider
from tests.builders.page_server import APP, free_test_port, page_server, wait_until_it_answers
from tests.builders.recording_browser import recording_browser
from tests.builders.report_folder import indexed_reports
from tests.surfaces.test_page_browser import chromium

pytestmark = pytest.mark.browser
__all__ = ["chromium"]
pytest.importorskip("authlib", reason="the extra `login` is not installed")

QUESTION = "?q=経費精算の手順"
FILE = "経費精算の手順.md"


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProvider]:
    with identity_provider() as running:
        yield running


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return indexed_reports(database_server, tmp_path_factory.mktemp("sign-in"), "sign_in_browser")


@pytest.fixture(scope="module")
def address(
    chromium: str, provider: IdentityProvider, settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The pages, under the name that the provider sends people back to."""
    folder, port = tmp_path_factory.mktemp("page"), free_test_port()
    provider.secrets_file(folder, f"http://localhost:{port}/oauth2callback")
    with page_server(folder, settings, port):
        yield f"http://localhost:{port}"


def status_of(address: str, path: str, method: str = "GET", **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(address).port or 80, timeout=100)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    return connection.getresponse().status


def test_from_the_way_in_to_the_file_and_out_again(chromium: str, address: str, provider: IdentityProvider) -> None:
    with recording_browser(chromium) as browser:
        page = browser.new_page()
        page.goto(f"{address}/{QUESTION}")
        page.get_by_role("button", name="サインイン").wait_for()
        assert FILE not in page.content()
        page.get_by_role("button", name="サインイン").click()
        page.get_by_text("青木 としてサインインしています").wait_for()
        page.goto(f"{address}/{QUESTION}")
        expect(page.locator(".dl-title").first).to_contain_text(FILE, use_inner_text=True)
        page.get_by_role("button", name="サインアウト").click()
        page.get_by_role("button", name="サインイン").wait_for()
        page.goto(f"{address}/status")
        page.get_by_role("button", name="サインイン").wait_for()
        assert browser.foreign == []


def test_a_provider_that_sends_nobody_back_is_said_so(
    chromium: str, address: str, provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "person", None)
    with recording_browser(chromium) as browser:
        page = browser.new_page()
        page.goto(address)
        page.get_by_role("button", name="サインイン").click()
        page.get_by_text("サインインできませんでした。").wait_for()


def test_a_provider_that_does_not_answer_is_said_so_beside_the_way_in(
    chromium: str, settings: dict[str, str], tmp_path: Path
) -> None:
    port = free_test_port()
    IdentityProvider("http://127.0.0.1:9").secrets_file(tmp_path, f"http://localhost:{port}/oauth2callback")
    with page_server(tmp_path, settings, port), recording_browser(chromium) as browser:
        page = browser.new_page()
        page.goto(f"http://localhost:{port}/status")
        page.get_by_role("button", name="サインイン").click()
        page.get_by_text("サインインの提供元に接続できませんでした。").wait_for()
        page.get_by_role("button", name="サインイン").wait_for()


@pytest.mark.parametrize("path", ["/media/x.docx", "/_stcore/upload_file/a/b", "/_stcore/metrics", "/component/x/y",
                                  "/_stcore/agent/openapi.json", "/app/static/x", "/original/x"])  # fmt: skip
def test_what_people_see_and_upload_goes_to_no_stranger(address: str, path: str) -> None:
    for method in ("GET", "PUT", "POST", "DELETE"):
        assert status_of(address, path, method) == 401
        assert status_of(address, path, method, Cookie="_streamlit_user=forged|1|x; document_locator_sheet=x") == 401


def test_what_shows_the_way_in_is_open_under_our_name_only(address: str) -> None:
    assert status_of(address, "/_stcore/health") == 200
    assert status_of(address, "/status", Host=urlsplit(address).netloc) == 200
    assert status_of(address, "/status") == 307  # to localhost, where the provider sends people back to
    assert status_of(address, "/status", Host="evil.example.org") == 421
    assert status_of(address, "/_stcore/health", "POST", Origin="http://evil.example.org") == 403


def test_a_link_to_a_sheet_opens_files_for_its_holder_and_a_changed_one_does_not(
    address: str, settings: dict[str, str]
) -> None:
    kept = {"database_url": settings["DATABASE_URL"], "locator_home": Path(settings["LOCATOR_HOME"])}
    with open_locator(load_settings(**kept)) as locator:
        token = locator.contributions.links.token("x", "docx")
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(address).port or 80, timeout=100)
    connection.request("GET", f"/contributions?sheet={token}", headers={"Host": urlsplit(address).netloc})
    cookie = connection.getresponse().headers["Set-Cookie"].partition(";")[0]
    assert status_of(address, "/media/no-such-file", Cookie=cookie) == 404
    assert status_of(address, "/media/no-such-file", Cookie=cookie[:-1]) == 401
    assert status_of(address, "/_stcore/upload_file/a/b", "PUT", Cookie=cookie) == 401


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ('[auth]\nclient_id = "x"\n', "にないもの: redirect_uri, cookie_secret, client_secret"),
        ("[auth\n", "秘密の設定を読めません"),
    ],
)
def test_a_server_with_half_a_sign_in_does_not_start(
    section: str, words: str, settings: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "secrets.toml").write_text(section)
    environment = {**os.environ, **settings, "PYTHONPATH": str(APP.parents[1]), "DAGSTER_HOME": str(tmp_path)}
    port = str(free_test_port())
    for command in (
        ["streamlit", "run", str(APP), "--server.headless=true", f"--server.port={port}"],
        ["locator_assets.dagster_webserver", "--port", port],
        ["locator_search.cli.main", "up", "--no-browser"],
    ):
        ended = subprocess.run(
            [sys.executable, "-m", *command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200
        )
        assert ended.returncode == 2, ended.stderr
        assert words in ended.stderr
        assert "Traceback" not in ended.stderr


def test_a_page_that_everybody_on_the_network_could_open_does_not_start(
    settings: dict[str, str], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "streamlit", "run", str(APP), "--server.headless=true", "--server.address=0.0.0.0"]
    ended = subprocess.run(
        [*command, f"--server.port={free_test_port()}"], cwd=tmp_path, env={**os.environ, **settings},
        capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    assert ended.returncode == 2
    assert "ネットワーク（0.0.0.0）のだれに" in ended.stderr


@contextmanager
def dagster_ui(settings: dict[str, str], folder: Path) -> Iterator[str]:
    port = free_test_port()
    address = f"http://127.0.0.1:{port}"
    with open_locator(
        load_settings(database_url=settings["DATABASE_URL"], locator_home=Path(settings["LOCATOR_HOME"]))
    ) as locator:
        environment = {**os.environ, **settings, **dagster_environment(locator), "PYTHONPATH": str(APP.parents[1])}
    command = [sys.executable, "-m", "locator_assets.dagster_webserver", "--port", str(port)]
    with (folder / "dagster.log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=folder, env={**environment, "LOCATOR_DAGSTER_URL": address}, stdout=log, stderr=log
        )
    try:
        wait_until_it_answers(server, f"{address}/server_info")
        yield address
    finally:
        server.terminate()
        server.wait(100)


ASKS = json.dumps({"query": "{ version }"})


def test_the_dagster_ui_and_its_socket_open_for_whoever_signed_in(
    chromium: str, provider: IdentityProvider, settings: dict[str, str], tmp_path: Path
) -> None:
    provider.secrets_file(tmp_path, "http://localhost:8501/oauth2callback")
    with dagster_ui(settings, tmp_path) as address, recording_browser(chromium) as browser:
        for path in ("/graphql", "/", "/assets", "/logs/x", "/download_debug/x"):
            assert status_of(address, path) == 401
        assert status_of(address, "/graphql", "POST", Cookie="document_locator_dagster=e30=.x.y") == 401
        assert status_of(address, "/graphql", "POST", Origin="http://evil.example.org") == 403
        assert status_of(address, "/graphql", Host="evil.example.org:3000") == 421
        page = browser.new_page()
        page.goto(f"{address}/overview/sensors")
        assert page.get_by_text("続けるにはサインインしてください。").is_visible()
        socket = "new Promise(say => { const s = new WebSocket(`ws://${location.host}/graphql`, 'graphql-ws');"
        socket += "s.onopen = () => say('open'); s.onerror = () => say('refused') })"
        assert page.evaluate(socket) == "refused"
        page.get_by_role("link", name="サインイン").click()
        page.get_by_text("Automation").first.wait_for()
        assert urlsplit(page.url).path.startswith(("/overview", "/automation"))
        assert page.evaluate(socket) == "open"
        page.goto(f"{address}/assets")
        page.get_by_text("drive_file").first.wait_for()
        page.goto(f"{address}/runs")
        page.get_by_text("Backfills").first.wait_for()
        assert browser.foreign == []
        page.goto(f"{address}/sign-out")
        page.goto(f"{address}/assets")
        assert page.get_by_text("続けるにはサインインしてください。").is_visible()
