"""The live search page as a person meets it: an answer whose citations are links, a reload that asks nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from tests.builders.report_folder import indexed_reports
from tests.surfaces.test_page_browser import PAGES, _free_port, _wait_until_healthy, browser, chromium, fits, page

pytestmark = [pytest.mark.browser, pytest.mark.large]
__all__ = ["browser", "chromium", "page"]


@pytest.fixture(scope="module")
def address(chromium: str, database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Streamlit server that asks made-up services."""
    root = tmp_path_factory.mktemp("pages-live-browser")
    settings = indexed_reports(database_server, root, "pages_live_browser")
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(PAGES / "app.py"), f"--server.port={port}"]
    server = subprocess.Popen(
        [*command, "--server.headless=true"],
        cwd=root,
        env={**os.environ, **settings, "ALLOW_REAL": "0", "PYTHONPATH": str(PAGES.parent)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_until_healthy(server, port)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(100)


def test_a_question_is_answered_with_links_and_a_reload_asks_nothing(page: Page, address: str) -> None:
    page.goto(f"{address}/live")
    field = page.get_by_role("textbox", name="質問")
    field.fill("Project Alpha の設計ドキュメントはどこ？")
    field.press("Enter")
    expect(page.locator(".dl-live")).to_have_count(8)
    citation = page.locator(".st-key-live-answer a").first
    expect(citation).to_have_text("[1]")
    expect(citation).to_have_attribute("href", "https://docs.google.com/document/d/mock-alpha-design/edit")
    expect(page.get_by_text("架空のデータ（モック）が答えています")).to_be_visible()
    assert fits(page)
    expect(page).to_have_url(re.compile("ask="))
    page.reload()
    expect(field).to_have_value("Project Alpha の設計ドキュメントはどこ？")
    expect(page.locator(".dl-live")).to_have_count(0)


def test_nothing_found_offers_other_queries_as_buttons(page: Page, address: str) -> None:
    page.goto(f"{address}/live?lang=en")
    page.get_by_role("textbox", name="Question").fill("無関係なクエリ")
    page.get_by_role("button", name="Ask").click()
    page.locator(".st-key-live-alternative-1 button").click()
    expect(page.get_by_text("Nothing was found.")).to_be_visible()
