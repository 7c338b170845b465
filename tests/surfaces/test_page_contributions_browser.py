"""The contributions page as a person meets it: from a choice to a marked passage in a real Chromium."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.builders.axe import AXE, axe_findings
from tests.surfaces import test_page_contributions
from tests.surfaces.test_page_browser import (
    DESKTOP,
    PAGES,
    PATIENCE,
    _free_port,
    _wait_until_healthy,
    browser,
    chromium,
)

pytestmark = [pytest.mark.browser, pytest.mark.large]
settings = test_page_contributions.settings
__all__ = ["browser", "chromium", "settings"]

FIRST_STEP_SECONDS = 3.0


@pytest.fixture(scope="module")
def address(chromium: str, settings: dict[str, str]) -> Iterator[str]:
    """The address of a Streamlit server over two indexed meetings."""
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(PAGES / "app.py"), f"--server.port={port}"]
    environment = {**os.environ, **settings, "PYTHONPATH": str(PAGES.parent)}
    server = subprocess.Popen(
        [*command, "--server.headless=true"],
        cwd=settings["LOCATOR_HOME"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_until_healthy(server, port)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(100)


def test_from_a_choice_to_the_marked_passage_and_the_saved_sheet(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=DESKTOP)
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/contributions")
    page.get_by_test_id("stMultiSelect").locator("input").click()
    page.get_by_role("option").filter(has_text="S1-254001").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="分析する").click()
    begun = time.monotonic()
    page.get_by_text("課題と背景を検索しています").first.wait_for()
    assert time.monotonic() - begun < FIRST_STEP_SECONDS
    page.get_by_role("button", name="条項 5.2.1 · 2 ページ").first.click()
    marked = page.get_by_role("dialog").locator("mark")
    expect(marked.first).to_contain_text("The network shall reject the request")
    assert not AXE.is_file() or axe_findings(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert not AXE.is_file() or axe_findings(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Word で保存").click()
    assert download.value.suggested_filename == "レビューシート_S1-254001.docx"
    page.close()
