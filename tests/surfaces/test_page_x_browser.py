"""The X page as people meet it: two tabs on one session, and 600 posts ranked behind a page that still answers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median

import pytest
from playwright.sync_api import Browser, Page, expect

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from tests.builders.report_folder import indexed_reports
from tests.fakes.x_server import TOKEN, XServer, x_server
from tests.surfaces.test_page_browser import (
    DESKTOP,
    PAGES,
    PATIENCE,
    PHONE,
    _free_port,
    _wait_until_healthy,
    browser,
    chromium,
    fits,
)

pytestmark = [pytest.mark.browser, pytest.mark.large]
__all__ = ["browser", "chromium"]

SLOWED_DOWN = 5.0
"""So many times as long an answer of the page may take while posts are ranked, compared with afterwards."""


@pytest.fixture(scope="module")
def server() -> Iterator[XServer]:
    with x_server(posts=700) as state:
        state.fresh_share, state.delay = 0.8, 0.2
        yield state


@pytest.fixture(scope="module")
def address(
    chromium: str, database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory, server: XServer
) -> Iterator[str]:
    """The address of a Streamlit server that searches X on loopback."""
    root = tmp_path_factory.mktemp("pages-x-browser")
    settings = {
        **indexed_reports(database_server, root, "pages_x_browser"),
        "X_BEARER_TOKEN": TOKEN,
        "X_API_BASE_URL": server.url,
        "PYTHONPATH": str(PAGES.parent),
    }
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(PAGES / "app.py"), f"--server.port={port}"]
    process = subprocess.Popen(
        [*command, "--server.headless=true"],
        cwd=root,
        env={**os.environ, **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_until_healthy(process, port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(100)


def test_two_tabs_follow_one_session_and_the_page_answers_while_posts_are_ranked(
    browser: Browser, address: str, server: XServer
) -> None:
    expect.set_options(timeout=PATIENCE)
    first, second = (browser.new_page(viewport=size) for size in (DESKTOP, PHONE))
    first.goto(f"{address}/x")
    first.get_by_role("textbox", name="質問").fill("インボイス制度の現場の反応")
    set_budget(first, "4")
    expect(first.get_by_text("費用は最大 4.00 ドル（投稿 800 件まで）")).to_be_visible()
    first.get_by_role("button", name="検索する").click()
    expect(first).to_have_url(re.compile("session="))
    second.goto(first.url)
    expect(second.locator(".stProgress")).to_be_visible()

    seen: dict[Page, list[int]] = {first: [], second: []}
    answered: list[float] = []
    while (percent := progress_of(first)) is not None:
        for tab in seen:
            if (shown := progress_of(tab)) is not None:
                seen[tab].append(shown)
        if percent >= 40:  # all posts are here, and are embedded and ranked
            answered.append(seconds_of_an_answer(second, len(answered)))
        time.sleep(0.05)

    for tab, progress in seen.items():
        assert progress == sorted(progress)
        assert len(set(progress)) > 1
        expect(tab.get_by_text("全 660 件のうち 660 件が該当")).to_be_visible()
        expect(tab.locator(".dl-cite").first).to_be_visible()
        expect(tab.locator(".dl-post")).to_have_count(20)
        assert fits(tab)
    quiet = [seconds_of_an_answer(second, len(answered) + number) for number in range(5)]
    assert answered
    assert median(answered) < SLOWED_DOWN * median(quiet)
    assert len(server.requests) == 8  # two tabs, one worker


def set_budget(page: Page, amount: str) -> None:
    field = page.get_by_role("spinbutton", name="予算（ドル）")
    field.fill(amount)
    field.press("Enter")


def progress_of(page: Page) -> int | None:
    """The percentage on the bar; None where there is no bar, because the session has ended."""
    said = page.evaluate("document.querySelector('.stProgress')?.innerText ?? ''")
    found = re.search(r"(\d+)%", str(said))
    return int(found[1]) if found else None


def seconds_of_an_answer(page: Page, number: int) -> float:
    """How long the page takes to say what another budget would cost."""
    began, amount = time.monotonic(), f"{0.3 + number / 10:.2f}"
    set_budget(page, amount)
    expect(page.get_by_text(f"費用は最大 {amount} ドル")).to_be_visible()
    return time.monotonic() - began


def test_cards_are_narrowed_down_and_sessions_are_listed(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=DESKTOP)
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/x")
    page.get_by_role("textbox", name="質問").fill("在宅勤務の不満")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="検索する").click()
    page.get_by_text("投稿を絞り込む").click()
    page.wait_for_timeout(500)  # it opens slowly, and closes the list of authors while it does
    page.get_by_role("combobox", name="投稿者").click()
    page.get_by_role("option").filter(has_text="@sample_").first.click()
    expect(page.get_by_text(re.compile("全 [0-9]+ 件のうち [1-9][0-9]? 件が該当"))).to_be_visible()
    page.get_by_text("検索の記録と費用").click()
    expect(page.get_by_text("うち X の応答")).to_be_visible()
    page.get_by_text("これまでのセッション").click()
    expect(page.get_by_role("button", name="在宅勤務の不満")).to_be_visible()
