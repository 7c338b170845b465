"""A real Chromium that writes down every address that is asked for, whatever asks: pages, icons, sockets.

What stays on this machine is seen by Playwright. Everything else meets a proxy that notes it and refuses: Playwright is
not told of every request (tab icons for example), and nothing may leave the machine while it is watched.
"""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, sync_playwright

PATIENCE = 90_000
"""Milliseconds; the machine may be busy."""

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No name but our own is ever looked up; the proxy is an address.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]


BROWSERS_OWN = (
    "accounts.google.com",
    "clients2.google.com",
    "content-autofill.googleapis.com",
    "redirector.gvt1.com",
    "update.googleapis.com",
)
"""Whom Chromium asks on its own account, page or not. A page that asks them is seen by Playwright."""


@dataclass
class RecordingBrowser:
    """A browser, and the addresses it asked for so far in the order of asking."""

    context: BrowserContext
    urls: list[str] = field(default_factory=list)

    @property
    def foreign(self) -> list[str]:
        """The addresses that are not of this machine."""
        return [url for url in self.urls if urlsplit(url).hostname not in ("127.0.0.1", "localhost", "::1")]

    def new_page(self) -> Page:
        """An empty tab."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("websocket", lambda websocket: self.urls.append(websocket.url))
        return page


@contextmanager
def recording_browser(chromium: str, **context: object) -> Iterator[RecordingBrowser]:
    """Start this Chromium; what else is named goes to Playwright's `new_context`."""
    with _refusing_proxy() as (proxy, asked_of_others), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=[*FLAGS, f"--proxy-server={proxy}"], timeout=PATIENCE
        )
        recording = RecordingBrowser(browser.new_context(**context), asked_of_others)  # type: ignore[arg-type]
        recording.context.on("request", lambda request: _add(recording.urls, request.url))
        yield recording
        browser.close()


def requested_urls(chromium: str, address: str, visit: Callable[[Page], None]) -> list[str]:
    """Every address that is asked for while a page opens and `visit` looks at it."""
    with recording_browser(chromium) as browser:
        page = browser.new_page()
        page.goto(address)
        visit(page)
        page.wait_for_load_state("networkidle")
        return browser.urls


def _add(urls: list[str], url: str) -> None:
    if not url.startswith(("data:", "blob:")):
        urls.append(url)


@contextmanager
def _refusing_proxy() -> Iterator[tuple[str, list[str]]]:
    """The address of an HTTP proxy on loopback that refuses everything, and what it was asked for."""
    asked: list[str] = []

    class Refuse(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            method, _, rest = self.rfile.readline().decode("latin-1").partition(" ")
            target = rest.partition(" ")[0]
            url = f"https://{target.removesuffix(':443')}/" if method == "CONNECT" else target
            if urlsplit(url).hostname not in BROWSERS_OWN:
                asked.append(url)
            while self.rfile.readline().strip():
                pass
            self.wfile.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Refuse) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{proxy.server_address[1]}", asked
        proxy.shutdown()
