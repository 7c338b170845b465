"""Whom a browser asks when somebody opens our pages: this machine and nobody else."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from tests.builders.page_server import page_server
from tests.builders.recording_browser import recording_browser
from tests.builders.report_folder import indexed_reports
from tests.surfaces.test_page_browser import chromium

pytestmark = pytest.mark.browser
__all__ = ["chromium"]

PAGES = ("", "live", "x", "contributions", "status")


@pytest.fixture(scope="module")
def address(chromium: str, database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp("pages-requests")
    with page_server(root, indexed_reports(database_server, root, "pages_requests")) as running:
        yield running


@pytest.mark.parametrize("page", PAGES)
def test_opening_a_page_asks_no_foreign_host_and_breaks_no_rule_of_ours(chromium: str, address: str, page: str) -> None:
    told: list[str] = []
    with recording_browser(chromium) as browser:
        tab = browser.new_page()
        tab.on("console", lambda message: told.append(message.text))
        tab.goto(f"{address}/{page}")
        tab.locator(".dl-head").first.wait_for()
        tab.wait_for_timeout(1500)
        assert browser.urls
        assert browser.foreign == []
        assert [line for line in told if "Content Security Policy" in line] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_again_and_again_compressed_or_not(address: str, page: str) -> None:
    plain, packed = {"Accept-Encoding": "identity"}, {"Accept-Encoding": "gzip"}
    documents = {httpx2.get(f"{address}/{page}", headers=how).text for how in (plain, packed, packed, plain)}
    assert len(documents) == 1
    assert "<style>" in documents.pop()
