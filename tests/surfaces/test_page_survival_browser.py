"""Two pages behind a proxy: when the one that a browser talks to dies, its search goes on at the other."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from tests.builders.page_proxy import page_proxy
from tests.builders.page_server import free_test_port, page_server
from tests.builders.report_folder import indexed_reports
from tests.surfaces.test_page_browser import PATIENCE, ask, browser, chromium

pytestmark = pytest.mark.browser
__all__ = ["browser", "chromium"]


def test_a_search_that_was_narrowed_goes_on_at_the_other_page(
    browser: Browser, database_server: EmbeddedServer, tmp_path: Path
) -> None:
    settings = indexed_reports(database_server, tmp_path, "page_survival")
    ports = free_test_port(), free_test_port()
    places = [tmp_path / "one", tmp_path / "other"]
    for place in places:
        place.mkdir()
    addresses = [f"http://127.0.0.1:{port}" for port in ports]
    expect.set_options(timeout=PATIENCE)
    with ExitStack() as one, ExitStack() as other, page_proxy(addresses) as address:
        one.enter_context(page_server(places[0], settings, ports[0]))
        tab = browser.new_page()
        tab.set_default_timeout(PATIENCE)
        tab.goto(address)
        ask(tab, "週報")
        tab.locator(".st-key-choice-1 button").click()
        expect(tab.locator(".st-key-undo button")).to_be_visible()
        expect(tab.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()  # the address is set last
        told, step = tab.locator(".dl-outcome").first.inner_text(), tab.url
        other.enter_context(page_server(places[1], settings, ports[1]))
        with tab.expect_event("websocket", timeout=PATIENCE):  # it looks for another connection
            one.close()
        ask(tab, "経費精算の手順")
        expect(tab.locator(".dl-title").first).to_contain_text("経費精算の手順.md")
        tab.goto(step)
        expect(tab.locator(".dl-outcome").first).to_have_text(told)
        tab.locator(".st-key-undo button").click()
        expect(tab.locator(".dl-outcome").first).not_to_have_text(told)
        tab.close()
