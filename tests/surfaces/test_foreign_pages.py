"""A page of somebody else in the same browser: it can read nothing of ours, change nothing and show nothing."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, sync_playwright

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from tests.builders.page_server import page_server
from tests.builders.recording_browser import FLAGS, PATIENCE
from tests.builders.report_folder import indexed_reports
from tests.surfaces.test_page_browser import chromium

pytestmark = pytest.mark.browser
__all__ = ["chromium"]

TRIES = """async ours => {
  const told = promise => promise.then(() => 'done', () => 'refused');
  const socket = new Promise(say => {
    const s = new WebSocket(ours.replace('http', 'ws') + '/_stcore/stream', ['streamlit']);
    s.onopen = () => say('done'); s.onerror = () => say('refused');
  });
  const image = new Promise(say => {
    const i = new Image();
    i.onload = () => say('done'); i.onerror = () => say('refused');
    i.src = ours + '/favicon.png';
  });
  return {
    read: await told(fetch(ours + '/_stcore/health').then(answer => answer.text())),
    embedded: await image,
    socket: await socket,
  };
}"""


@pytest.fixture(scope="module")
def address(chromium: str, database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp("foreign-pages")
    with page_server(root, indexed_reports(database_server, root, "foreign_pages")) as running:
        yield running


@pytest.fixture(scope="module")
def foreign_address() -> Iterator[str]:
    """A page on another port of this machine, which is what any program on it can serve."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><p>nothing of yours</p>")

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page(chromium: str) -> Iterator[Page]:
    """A tab of a browser whose name server points foreign names at this machine."""
    rebinding = "--host-resolver-rules=MAP *.example.org 127.0.0.1"
    flags = [flag for flag in FLAGS if not flag.startswith("--host-resolver-rules")]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*flags, rebinding], timeout=PATIENCE)
        tab = browser.new_page()
        tab.set_default_timeout(PATIENCE)
        yield tab
        browser.close()


def test_our_own_page_may_do_what_a_foreign_one_may_not(page: Page, address: str, foreign_address: str) -> None:
    page.goto(address)
    assert page.evaluate(TRIES, address) == {"read": "done", "embedded": "done", "socket": "done"}
    for foreign in (foreign_address, foreign_address.replace("127.0.0.1", "evil.example.org")):
        page.goto(foreign)
        assert page.evaluate(TRIES, address) == {"read": "refused", "embedded": "refused", "socket": "refused"}


def test_a_name_that_was_pointed_at_us_shows_nothing(page: Page, address: str) -> None:
    rebound = f"http://evil.example.org:{urlsplit(address).port}"
    answer = page.goto(f"{rebound}/?q=週報")
    assert answer is not None
    assert answer.status == 421
    assert "LOCATOR_ALLOWED_HOSTS" in page.content()
    assert page.evaluate("fetch('/_stcore/health').then(answer => answer.status)") == 421


def test_a_frame_around_our_page_stays_empty(page: Page, address: str, foreign_address: str) -> None:
    page.goto(foreign_address)
    page.evaluate(
        "ours => { const f = document.createElement('iframe'); f.src = ours; document.body.append(f) }", address
    )
    page.wait_for_timeout(3000)
    (frame,) = page.frames[1:]
    assert "Document Locator" not in frame.content()
    assert not frame.url.startswith(address)


def test_a_form_of_a_foreign_page_is_refused(page: Page, address: str, foreign_address: str) -> None:
    page.goto(foreign_address)
    with page.expect_navigation() as gone:
        page.evaluate(
            "ours => { const f = document.createElement('form'); f.method = 'post'; f.action = ours + '/x';"
            " document.body.append(f); f.submit() }",
            address,
        )
    assert gone.value is not None
    assert gone.value.status == 403
