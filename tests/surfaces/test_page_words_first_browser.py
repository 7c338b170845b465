"""While a search takes its time, the page shows the documents its words find; the whole result takes their place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.builders.model_office import Office, answer
from tests.builders.page_server import page_server
from tests.fakes.openai_server import Body, OpenAiServer, Reply, openai_server
from tests.surfaces.test_page_browser import SHIFTS, ask, browser, chromium, page, settled

pytestmark = [pytest.mark.browser, pytest.mark.dagster_tables]
__all__ = ["browser", "chromium", "page"]

FIRST = ".st-key-words-first .dl-title"
RESULT = "[class*='st-key-result-'] .dl-title"

EMPTY_FRAMES = """
() => {
  window.emptyFrames = 0;
  let begun = false;
  const seen = (selector) =>
    [...document.querySelectorAll(selector)].some((one) => one.checkVisibility({ visibilityProperty: true }));
  const look = () => {
    const shown = seen(".dl-title");
    begun ||= shown;
    if (begun && !shown) window.emptyFrames += 1;
    requestAnimationFrame(look);
  };
  look();
}
"""
"""Counts the frames without any document since the first one was seen."""


@pytest.fixture
def thinking() -> Event:
    """Set while the language model may answer."""
    event = Event()
    event.set()
    return event


@pytest.fixture
def server(thinking: Event) -> Iterator[OpenAiServer]:
    def answered(path: str, body: Body) -> Reply:
        if path.endswith("/chat/completions"):
            thinking.wait(120)
        return answer(path, body)

    with openai_server() as started:
        started.handler = answered
        yield started
        thinking.set()


@pytest.fixture
def address(tmp_path: Path, database_url: str, server: OpenAiServer, chromium: str) -> Iterator[str]:
    office = Office(tmp_path, database_url, server)
    office.write(12)
    office.crawl()
    settings = {name.upper(): str(value) for name, value in office.settings.items()}
    limits = {"LOCATOR_WORDS_FIRST_SECONDS": "0.3", "LOCATOR_SEARCH_SECONDS": "600"}
    with page_server(tmp_path, settings | limits) as served:
        yield served


def test_documents_found_by_words_stand_there_while_the_model_thinks_and_nothing_moves(
    page: Page, address: str, thinking: Event
) -> None:
    page.add_init_script(SHIFTS)
    page.goto(address)
    expect(page.get_by_text("質問の例")).to_be_visible()
    settled(page)
    thinking.clear()
    ask(page, "第7号報告書")
    expect(page.locator(FIRST).first).to_contain_text("報告007.txt")
    expect(page.locator(RESULT)).to_have_count(0)
    expect(page.get_by_role("status").get_by_text("まず、質問の語で見つかった文書です")).to_be_visible()
    thinking.set()
    expect(page.locator(RESULT).filter(has_text="報告007.txt")).to_be_visible()
    expect(page.locator(FIRST)).to_have_count(0)
    assert settled(page) <= 0.05
    thinking.clear()
    ask(page, "第5号報告書")  # after one that took long
    expect(page.locator(FIRST).first).to_contain_text("報告005.txt")
    thinking.set()
    expect(page.locator(RESULT).filter(has_text="報告005.txt")).to_be_visible()
    expect(page.locator(FIRST)).to_have_count(0)
    assert settled(page) <= 0.05


def test_no_frame_is_empty_between_the_first_documents_and_the_whole_result(
    page: Page, address: str, thinking: Event
) -> None:
    page.add_init_script(SHIFTS)
    page.goto(address)
    expect(page.get_by_text("質問の例")).to_be_visible()
    settled(page)
    thinking.clear()
    page.evaluate(EMPTY_FRAMES)
    ask(page, "第7号報告書")
    expect(page.locator(FIRST).first).to_contain_text("報告007.txt")
    thinking.set()
    expect(page.locator(RESULT).filter(has_text="報告007.txt")).to_be_visible()
    settled(page)
    assert page.evaluate("window.emptyFrames") == 0


def test_another_question_does_not_wait_for_the_one_before(page: Page, address: str, thinking: Event) -> None:
    page.goto(address)
    thinking.clear()
    ask(page, "第3号報告書")
    expect(page.locator(FIRST).first).to_contain_text("報告003.txt")
    ask(page, "第9号報告書")
    thinking.set()
    expect(page.locator(RESULT).filter(has_text="報告009.txt")).to_be_visible()
    expect(page).to_have_url(re.compile(f"[?&]q={quote('第9号報告書')}&.*run="))
    expect(page.locator(FIRST)).to_have_count(0)
