"""The browser that writes down whom a page asks: it must see what it is there to see."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.builders.recording_browser import recording_browser, requested_urls
from tests.surfaces.test_page_browser import chromium

pytestmark = pytest.mark.browser
__all__ = ["chromium"]

CURIOUS = """<!doctype html>
<link rel="icon" href="http://icon.example.org/i.svg">
<style>@font-face { font-family: far; src: url(http://font.example.org/f.woff2) } p { font-family: far }</style>
<p>text</p><img src="//image.example.org/a.png"><iframe src="http://frame.example.org/"></iframe>
<script>
  fetch("https://fetch.example.org/").catch(() => 0);
  navigator.sendBeacon("http://beacon.example.org/");
  new WebSocket("ws://socket.example.org/");
  new WebSocket(`ws://${location.host}/own-socket`);
</script>"""


@pytest.fixture
def curious_page() -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(CURIOUS.encode())

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_every_way_of_asking_a_foreign_host_is_seen(chromium: str, curious_page: str) -> None:
    with recording_browser(chromium) as browser:
        page = browser.new_page()
        page.goto(curious_page)
        page.wait_for_timeout(1000)
        asked = {urlsplit(url).hostname for url in browser.foreign}
    names = ("icon", "font", "image", "frame", "fetch", "beacon", "socket")
    assert asked == {f"{name}.example.org" for name in names}


def test_what_stays_here_is_listed_and_not_foreign(chromium: str, curious_page: str) -> None:
    urls = requested_urls(chromium, curious_page, lambda page: page.wait_for_timeout(500))
    assert curious_page in urls
    assert f"{curious_page.replace('http', 'ws')}own-socket" in urls
