"""Every page and what opens on it, looked at by axe-core (WCAG 2.2 AA and its advice), in both languages and themes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Page, expect

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
from locator_search.drive_search.asked_questions import NOBODY
from locator_search.drive_search.page_filters import PageFilters
from tests.builders.asked import asked_by
from tests.builders.axe import AXE, axe_findings
from tests.builders.page_server import page_server
from tests.builders.recording_browser import PATIENCE, RecordingBrowser, recording_browser
from tests.builders.report_folder import indexed_reports
from tests.surfaces.test_page_browser import DESKTOP, PHONE, chromium, question_field

pytestmark = pytest.mark.browser
__all__ = ["chromium"]

ENGLISH_NAMES = r"""() => {
  const names = ["aria-label", "aria-roledescription", "aria-valuetext", "placeholder"];
  return [...document.querySelectorAll(names.map((name) => `[${name}]`).join())]
    .filter((element) => !element.closest(".stHtml, .stMarkdown"))
    .flatMap((element) => names.map((name) => element.getAttribute(name)))
    .filter((text) => text && !/[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text))
    .filter((text) => /[A-Za-z]{3}/.test(text) && !document.body.innerText.includes(text));
}"""
"""What the parts of a page are called in English to those who do not see them, or before they are used."""
SAVED, ASKED = "経費精算の手順", "立て替えの期限"


def _fold_out(page: Page) -> None:
    for summary in page.locator(".stMain .stExpander summary:visible").all():
        summary.click()


def _ask(page: Page, text: str) -> None:
    field = page.locator(".stMain input[type=text]").first
    field.fill(text)
    field.press("Enter")


def _keys(page: Page) -> None:
    page.keyboard.press("Escape")
    page.locator(".dl-outcome").first.click()
    page.keyboard.press("?")
    expect(page.locator(".dl-keys")).to_be_visible()


def _type(page: Page) -> None:
    question_field(page).press_sequentially("備品", delay=40)
    expect(page.locator(".dl-suggestions")).to_be_visible()


def _sidebar(page: Page) -> None:
    opener = page.get_by_test_id("stExpandSidebarButton")
    if opener.is_visible():
        opener.click()
    page.locator(".stSidebar .stExpander summary").first.click()


def _tell_a_story(page: Page) -> None:
    field = page.locator(".stMain input[type=text]").first
    field.fill("壊れた台帳")
    field.press("Enter")
    expect(page.locator(".dl-story").first).to_be_visible()


def _ask_services(page: Page) -> None:
    _ask(page, "Project Alpha の設計ドキュメントはどこ？")
    expect(page.locator(".dl-live").first).to_be_visible()
    _fold_out(page)


def _why(page: Page) -> None:
    page.locator("[class*='st-key-why-'] button").first.click()
    expect(page.get_by_role("dialog").get_by_role("table")).to_be_visible()


def _asked_by_others(page: Page) -> None:
    expect(page.get_by_role("button", name=ASKED)).to_be_visible()


STATES: dict[str, tuple[str, Callable[[Page], Any]]] = {
    "welcome": ("/", lambda page: None),
    "popular questions": ("/", _asked_by_others),
    "related questions": (f"/?q={SAVED}", _asked_by_others),
    "why a result changed": ("/", _why),
    "suggestions": ("/", _type),
    "no hit": ("/?q=量子暗号衛星打上計画", _fold_out),
    "narrowing question": ("/?q=週報", lambda page: None),
    "keys": ("/?q=週報", _keys),
    "filters": ("/?q=週報&folder=資料/総務部", _sidebar),
    "facet": ("/?q=週報&folder=資料/総務部", lambda page: None),
    "text": ("/?q=備品購入申請書", lambda page: page.locator("[class*='st-key-read-'] button").first.click()),
    "export": ("/?q=備品購入申請書", lambda page: page.get_by_test_id("stPopoverButton").first.click()),
    "saving": ("/?q=備品購入申請書", lambda page: page.locator(".st-key-order-row button").first.click()),
    "saved": ("/", lambda page: None),
    "how it came about": ("/?q=経費精算の手順", _fold_out),
    "a file that was not read": ("/?q=壊れた台帳", lambda page: None),
    "adding": ("/add", lambda page: None),
    "status": ("/status", _fold_out),
    "usage": ("/usage", _fold_out),
    "story": ("/status", _tell_a_story),
    "live": ("/live", lambda page: None),
    "live answer": ("/live", _ask_services),
    "posts": ("/x", lambda page: _ask(page, "在宅勤務の不満")),
    "contributions": ("/contributions", lambda page: None),
}


@pytest.fixture(scope="module")
def address(chromium: str, database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Streamlit server over the report folder, with made-up services."""
    root = tmp_path_factory.mktemp("pages-axe")
    settings = {**indexed_reports(database_server, root, "pages_axe"), "ALLOW_REAL": "0"}
    url = settings["DATABASE_URL"]
    with open_locator(load_settings(database_url=url, locator_home=Path(settings["LOCATOR_HOME"]))) as locator:
        assert locator.own_searches.save(NOBODY, SAVED, PageFilters())
    with psycopg.connect(url) as connection:  # the look of yesterday found nothing
        connection.execute("UPDATE search_look SET looked_at = now() - interval '1 day', found = '[]', hit_count = 0")
        named = "SELECT file_id FROM drive_file_index WHERE file_name = %s"
        [[file_id]] = connection.execute(named, (f"{SAVED}.md",)).fetchall()
    asked_by(url, ASKED, ("aki", "hana", "mei"), str(file_id))
    with page_server(root, settings) as served:
        yield served


@dataclass(frozen=True)
class Watched:
    """A page in one language and theme, what the browser asked for, and the errors it reported."""

    browser: RecordingBrowser
    page: Page
    language: str
    errors: list[str]


@pytest.fixture(
    scope="module", params=[(DESKTOP, "light", "ja"), (PHONE, "dark", "en")], ids=["wide-light-ja", "phone-dark-en"]
)
def watched(request: pytest.FixtureRequest, chromium: str) -> Iterator[Watched]:
    window, scheme, language = request.param
    expect.set_options(timeout=PATIENCE)
    with recording_browser(chromium, viewport=window, color_scheme=scheme) as browser:
        page, errors = browser.new_page(), []
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield Watched(browser, page, language, errors)


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: `make node-servers`")
@pytest.mark.parametrize("state", STATES)
def test_no_state_has_a_finding_or_an_error_or_asks_another_machine(watched: Watched, address: str, state: str) -> None:
    page, (path, act) = watched.page, STATES[state]
    page.goto(f"{address}{path}{'&' if '?' in path else '?'}lang={watched.language}")
    finished = page.locator(".stApp[data-test-script-state=notRunning]")
    expect(finished).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", watched.language)
    page.wait_for_timeout(500)  # lists and dialogs come in slowly
    act(page)
    page.wait_for_timeout(500)
    expect(finished).to_be_visible()
    assert axe_findings(page) == []
    assert watched.language == "en" or page.evaluate(ENGLISH_NAMES) == []
    assert watched.errors == []
    assert watched.browser.foreign == []
