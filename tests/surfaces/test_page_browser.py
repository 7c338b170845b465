"""The pages as a person meets them: a real server on loopback and a real Chromium."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Dialog, FloatRect, Locator, Page, Route, ViewportSize, expect, sync_playwright

import streamlit_app
from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.cli.up.local_servers import free_port
from tests.builders.page_server import page_server
from tests.builders.report_folder import HOSTILE_NAME, indexed_reports

pytestmark = pytest.mark.browser

PAGES = Path(streamlit_app.__file__).parent
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP, PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)
SHIFTS = """
  window.shifted = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
"""
"""Adds up what moved, also within half a second of an input, which a score of a browser forgives."""
PATIENT = """
  addEventListener("DOMContentLoaded", () => {
    document.head.insertAdjacentHTML("beforeend", "<style>* { animation-duration: 90s !important; }</style>");
  });
"""
"""A busy machine may need longer than the ten seconds after which what is not complete is shown all the same."""
CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
PATIENCE = 90_000  # milliseconds; the machine may be busy
SLOW = 4
"""So many times longer does a slow computer take for everything."""


@pytest.fixture(scope="module")
def chromium() -> str:
    found = next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no Chromium found (looked for {', '.join(CHROMIUM_NAMES)} on the PATH)")
    return found


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS, timeout=PATIENCE)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def address(chromium: str, database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Streamlit server over the report folder."""
    root = tmp_path_factory.mktemp("pages-browser")
    with page_server(root, indexed_reports(database_server, root, "pages_browser")) as served:
        yield served


def _free_port() -> int:
    """One that the system gives to nobody who asks for any, and other processes of the tests do not try at once."""
    return free_port(20_000 + os.getpid() % 10_000)


def _wait_until_healthy(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline:
        assert server.poll() is None, "the Streamlit server ended"
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5)
        except OSError:
            time.sleep(0.2)
        else:
            return
    pytest.fail("the Streamlit server did not answer in time")


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    opened = browser.new_page(viewport=request.param)
    opened.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    yield opened
    opened.close()


def question_field(page: Page) -> Locator:
    """The field of the search page: a text box until it is used, from then on one with suggestions."""
    return page.locator(".st-key-question input")


def ask(page: Page, question: str) -> None:
    field = question_field(page)
    field.fill(question)
    field.press("Enter")


def at_rest(element: Locator) -> FloatRect:
    """Where it stands once it has come in."""
    before = None
    while (now := element.bounding_box()) is None or now != before:
        before = now
        element.page.wait_for_timeout(100)
    return now


def fits(page: Page) -> bool:
    """Whether nothing sticks out sideways, of the window or of a card."""
    return bool(
        page.evaluate(
            "[...document.querySelectorAll('html, .stMain, .stMainBlockContainer, .dl-card')]"
            ".every(box => box.scrollWidth <= box.clientWidth + 1)"
        )
    )


def test_enter_searches_and_shows_the_file(page: Page, address: str) -> None:
    page.goto(address)
    ask(page, "経費精算の手順")
    expect(page.locator(".dl-title").first).to_contain_text("経費精算の手順.md")
    expect(page.locator(".dl-snippet mark").first).to_be_visible()
    expect(page.get_by_text("オフラインの代替モデルが回答しています")).to_be_visible()
    assert fits(page)


def test_a_narrowing_question_is_answered_by_a_button_and_a_reload_keeps_it(page: Page, address: str) -> None:
    page.goto(address)
    ask(page, "週報")
    choice = page.locator(".st-key-choice-1 button")
    expect(choice).to_be_visible()
    asked = page.locator(".dl-outcome").inner_text()
    choice.click()
    expect(page.locator(".dl-outcome")).not_to_have_text(asked)  # fewer hits, perhaps with another question
    finished = page.locator(".stApp[data-test-script-state=notRunning]")  # until then old results may still stand
    expect(finished).to_be_visible()
    answered = page.locator(".dl-outcome").inner_text()
    titles = page.locator(".dl-title").all_inner_texts()
    page.reload()
    expect(question_field(page)).to_have_value("週報")
    expect(page.locator(".dl-outcome")).to_have_text(answered)
    expect(finished).to_be_visible()
    assert page.locator(".dl-title").all_inner_texts() == titles


def test_the_steps_of_a_search_unfold_above_what_was_found(page: Page, address: str) -> None:
    page.goto(f"{address}/?q={quote('報告書')}")
    outcome = page.locator(".dl-outcome").first
    expect(outcome).to_be_visible(timeout=PATIENCE)
    line = page.locator(".stMain .st-key-line details")
    line.locator("summary").click()
    expect(line.locator(".dl-steps, p").last).to_be_visible(timeout=PATIENCE)
    page.wait_for_timeout(1000)  # it unfolds slowly
    steps, below = line.bounding_box(), outcome.bounding_box()
    assert steps is not None
    assert below is not None
    assert steps["height"] > 60
    assert steps["y"] + steps["height"] <= below["y"]


def test_a_hostile_file_name_shows_as_text(page: Page, address: str) -> None:
    alarms: list[str] = []

    def noticed(dialog: Dialog) -> None:
        alarms.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", noticed)
    page.goto(address)
    ask(page, "点検記録")
    expect(page.locator(".dl-title").first).to_contain_text(HOSTILE_NAME)
    assert page.locator(".dl-card img, .dl-card script, .katex").count() == 0
    assert alarms == []
    assert fits(page)


def test_the_page_speaks_english_too(page: Page, address: str) -> None:
    page.goto(f"{address}/?lang=en&q=経費精算の手順")
    expect(page.get_by_text("One file was found.")).to_be_visible()
    expect(page.get_by_text("Offline stand-in models are answering")).to_be_visible()


def settled(page: Page) -> float:
    """What has moved since it was last asked, once the run of the page has ended and its widgets have come in."""
    expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    page.wait_for_timeout(500)
    return float(page.evaluate("[window.shifted, window.shifted = 0][0]"))


def test_nothing_on_the_page_moves_while_it_comes_in(page: Page, address: str) -> None:
    page.add_init_script(SHIFTS)
    page.goto(address)
    expect(page.get_by_text("質問の例")).to_be_visible()
    moved = {"opening": settled(page)}
    for question in ("週報", "経費精算の手順", "量子暗号衛星打上計画", "週報"):
        ask(page, question)
        expect(page).to_have_url(re.compile(f"q={quote(question)}.*run="))
        moved[question] = settled(page)
    before = page.url
    page.locator(".st-key-choice-1 button").click()
    expect(page).not_to_have_url(before)
    moved["narrowing"] = settled(page)
    page.reload()
    expect(page.locator(".dl-outcome").first).to_be_visible()
    moved["again"] = settled(page)
    assert {what: score for what, score in moved.items() if score > 0.05} == {}


@pytest.mark.parametrize("opened", ["?q=週報", "status", "live"])
def test_nothing_moves_on_a_slow_computer_either(page: Page, address: str, opened: str) -> None:
    page.add_init_script(SHIFTS + PATIENT)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
    page.goto(f"{address}/{opened}")
    expect(page.locator(".stMain :is(.dl-outcome, .dl-table, .dl-muted)").first).to_be_visible()
    assert settled(page) <= 0.05


def test_what_stands_above_a_part_that_is_not_complete_can_be_used(page: Page, address: str) -> None:
    """It was hidden again when such a part came, and keys of whoever had begun to type were lost."""
    held: list[Route] = []
    page.add_init_script(PATIENT)
    page.route("**/PageLink.*.js", lambda route: held.append(route))  # Playwright marks what it calls
    page.goto(f"{address}/status")
    field = page.get_by_placeholder("ファイル名やフォルダー名の一部")
    expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()  # no other part is on its way
    expect(page.get_by_test_id("stSkeleton")).to_have_count(1)
    expect(page.get_by_test_id("stSkeleton")).not_to_be_visible()
    expect(page.get_by_role("heading", name="それぞれの部品の実体")).not_to_be_visible()
    assert field.is_visible()
    field.press_sequentially("週報")
    expect(field).to_have_value("週報")
    for route in held:
        route.continue_()
    expect(page.get_by_role("heading", name="それぞれの部品の実体")).to_be_visible()


def test_a_page_that_opens_waits_for_the_question(page: Page, address: str) -> None:
    page.goto(address)
    expect(question_field(page)).to_be_focused()


def steps(page: Page) -> tuple[str, str, list[str]]:
    """What the page shows once its run has ended: question, outcome, titles and the chips of filters."""
    expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()
    expect(page.locator(".dl-outcome").first).to_be_visible()
    question = question_field(page).input_value()
    outcome = page.locator(".dl-outcome").first.inner_text()
    chips = page.locator("[class*='st-key-chip-'] button").all_inner_texts()
    expect(page.locator(".st-key-line summary")).to_contain_text("検索しました")
    return question, outcome, [*page.locator(".dl-title").all_inner_texts(), *chips]


def shows(page: Page, expected: tuple[str, str, list[str]]) -> None:
    """Wait until the page shows a step again."""
    question, outcome, shown = expected
    expect(question_field(page)).to_have_value(question)
    expect(page.locator(".dl-outcome").first).to_have_text(outcome)
    expect(page.locator(".dl-title, [class*='st-key-chip-'] button")).to_have_count(len(shown))
    assert steps(page) == expected


QUESTIONS = ("経費精算の手順", "備品購入申請書", "量子暗号衛星打上計画", "点検記録", "週報")


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_back_forward_and_undo_go_from_step_to_step(page: Page, address: str) -> None:
    page.goto(address)
    seen = []
    for question in QUESTIONS:
        ask(page, question)
        expect(page).to_have_url(re.compile(f"q={quote(question)}.*run="))
        seen.append(steps(page))

    def step_by(click: Locator) -> None:
        before = page.url
        click.click()
        expect(page).not_to_have_url(before)
        seen.append(steps(page))

    narrowing, filtering = page.locator(".st-key-choice-1 button"), page.locator(".st-key-facet-folder button").first
    for click in (narrowing, narrowing, filtering, narrowing, page.locator("[class*='st-key-chip-'] button").first):
        step_by(click)
    assert len({str(one) for one in seen[:-1]}) == len(seen[:-1])  # the last lifts the only filter
    addresses = [page.url]
    for expected in reversed(seen[:-1]):
        page.go_back()
        shows(page, expected)
        addresses.append(page.url)
    for expected, address_then in zip(seen[1:], reversed(addresses[:-1]), strict=True):
        page.go_forward()
        shows(page, expected)
        assert page.url == address_then
    page.go_back()
    shows(page, seen[-2])
    page.locator(".st-key-undo button").click()
    shows(page, seen[-3])
    page.locator(".st-key-line summary").click()
    expect(page.locator(".st-key-line")).to_contain_text("索引を検索しています")


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_back_brings_the_chosen_result_of_each_step(page: Page, address: str) -> None:
    page.goto(address)
    chosen = []
    for question in ("週報", "備品購入申請書"):
        ask(page, question)
        expect(page).to_have_url(re.compile(f"q={quote(question)}.*run="))
        steps(page)
        last = page.locator("[class*='st-key-result-']").last
        last.click()
        chosen.append(last.locator(".dl-title a").inner_text())
        expect(page.locator(".dl-name")).to_have_text(chosen[-1])
    page.go_back()
    expect(page.locator(".dl-name")).to_have_text(chosen[0])


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_the_keyboard_reaches_field_results_text_and_file(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=週報")
    page.locator(".st-key-show-anyway button").click()
    expect(page.locator(".st-key-narrowing")).to_have_count(0)
    expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()
    field, keys = question_field(page), page.keyboard
    keys.press("/")
    expect(field).to_be_focused()
    keys.press("End")
    keys.press("?")
    expect(page.locator(".dl-keys")).to_be_hidden()  # in the field it is a letter
    keys.press("Backspace")
    expect(page.get_by_role("listbox")).to_be_visible()  # typing opens the suggestions: the arrows are theirs
    keys.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    keys.press("ArrowDown")
    expect(page.locator(".st-key-result-1")).to_be_focused()
    keys.press("ArrowDown")
    expect(page.locator(".st-key-result-2")).to_be_focused()
    keys.press("ArrowUp")
    with page.expect_popup() as opened:
        keys.press("Enter")
    assert "/original/" in opened.value.url
    opened.value.close()
    keys.press("?")
    expect(page.locator(".dl-keys")).to_contain_text("次・前の結果へ")
    keys.press("Escape")
    expect(page.locator(".dl-keys")).to_be_hidden()
    keys.press("ArrowDown")
    second = page.locator(".st-key-result-2 .dl-title a").inner_text()
    keys.press("p")
    expect(page.locator(".dl-name")).to_have_text(second)
    expect(page.locator(".st-key-preview")).to_be_focused()
    expect(page.locator(".dl-hit mark.dl-here")).to_be_in_viewport()
    keys.press("Escape")
    expect(page.locator(".st-key-result-2")).to_be_focused()


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_a_list_that_is_drawn_anew_keeps_the_focus_on_its_result(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=週報")
    expect(page.locator(".st-key-show-anyway button")).to_be_visible()
    expect(page.locator(".dl-hit mark.dl-here")).to_be_in_viewport()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    focused = page.locator("[class*='st-key-result-']:focus .dl-title a")
    title = focused.inner_text()
    page.locator(".st-key-show-anyway button").evaluate("(button) => button.click()")  # no click of a mouse
    expect(page.locator(".st-key-narrowing")).to_have_count(0)
    expect(focused).to_have_text(title)
    page.keyboard.press("p")
    expect(page.locator(".dl-name")).to_have_text(title)


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_a_text_longer_than_the_window_scrolls_beside_the_list_to_its_match(page: Page, address: str) -> None:
    page.set_viewport_size({"width": DESKTOP["width"], "height": 420})
    page.goto(f"{address}/?q=備品購入申請書")
    beside = page.locator(".st-key-preview")
    expect(beside.locator("mark.dl-here")).to_be_in_viewport()
    assert beside.evaluate("(pane) => pane.scrollHeight > pane.clientHeight && pane.clientHeight < innerHeight")
    page.locator(".st-key-result-1").focus()
    for _ in range(beside.locator("mark").count()):
        page.keyboard.press("n")
        expect(beside.locator("mark.dl-here")).to_be_in_viewport()


def test_one_goes_from_match_to_match_in_the_text_of_a_result(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=備品購入申請書")
    page.get_by_role("button", name="本文を見る").click()
    number = page.locator(".dl-at")
    expect(number).to_have_text(re.compile(r"^\d+ / \d+$"))
    first, count = (int(part) for part in number.inner_text().split(" / "))
    assert count == page.locator(".dl-preview mark").count() > 1
    page.get_by_role("button", name="次の一致へ").click()
    expect(number).to_have_text(f"{first % count + 1} / {count}")
    page.get_by_role("button", name="前の一致へ").click()
    expect(number).to_have_text(f"{first} / {count}")
    page.keyboard.press("n")
    expect(number).to_have_text(f"{first % count + 1} / {count}")
    expect(page.locator("mark.dl-here")).to_be_in_viewport()
    page.evaluate("window.documentLocator.shown(false)")  # the same text is drawn once more
    expect(number).to_have_text(f"{first % count + 1} / {count}")


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_on_a_wide_screen_list_and_text_stand_side_by_side(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=週報")
    expect(page.locator(".dl-hit mark").first).to_be_in_viewport()  # of the first result, before any click
    text, card = page.locator(".st-key-preview").bounding_box(), page.locator(".st-key-result-1").bounding_box()
    assert text is not None
    assert card is not None
    assert card["x"] + card["width"] < text["x"]
    last = page.locator(".st-key-result-10")
    last.scroll_into_view_if_needed()
    expect(page.locator(".dl-name")).to_be_in_viewport()
    last.click()  # anywhere
    expect(page.locator(".dl-name")).to_have_text(last.locator(".dl-title a").inner_text())


@pytest.mark.parametrize("page", [PHONE], ids=["phone"], indirect=True)
def test_on_a_phone_the_text_lies_over_the_list_until_it_is_closed(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=備品購入申請書")
    expect(page.locator(".dl-title").first).to_be_visible()
    expect(page.locator(".st-key-preview")).to_be_hidden()
    page.get_by_role("button", name="本文を見る").click()
    expect(page.locator(".dl-hit mark").first).to_be_in_viewport()
    page.locator(".st-key-close button").click()
    expect(page.locator(".st-key-preview")).to_be_hidden()
    expect(page.locator(".dl-title").first).to_be_visible()


@pytest.mark.parametrize("page", [PHONE], ids=["phone"], indirect=True)
def test_a_text_that_lies_over_the_list_keeps_the_focus_until_it_is_closed(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=備品購入申請書")
    page.get_by_role("button", name="本文を見る").click()
    text = page.locator(".st-key-preview")
    expect(text).to_be_focused()
    for key in ("Shift+Tab", *["Tab"] * 25, *["Shift+Tab"] * 25):
        page.keyboard.press(key)
        assert page.evaluate("document.querySelector('.st-key-preview').contains(document.activeElement)"), key
    page.locator(".st-key-close button").focus()
    page.keyboard.press("Enter")
    expect(text).to_be_hidden()
    expect(page.locator(".st-key-result-1")).to_be_focused()


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_other_pages_have_keys_of_their_own(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=週報")
    expect(page.locator(".st-key-result-1")).to_be_visible()
    page.get_by_test_id("stTopNav").get_by_role("link", name="状態").click()
    expect(page.get_by_text("件と一致しています")).to_be_visible()
    page.evaluate("document.addEventListener('keydown', (event) => { window.taken = event.defaultPrevented; })")
    for key in ("/", "?", "ArrowDown", "o", "p", "n"):
        page.keyboard.press(key)
        assert page.evaluate("window.taken") is False
    page.get_by_role("link", name="検索", exact=True).click()
    expect(page.locator(".st-key-result-1")).to_be_visible()
    page.keyboard.press("/")
    expect(question_field(page)).to_be_focused()


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_nothing_fades_while_another_run_makes_it_anew(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=週報")
    expect(page.locator(".st-key-result-1")).to_be_visible()
    finished = page.locator(".stApp[data-test-script-state=notRunning]")
    expect(finished).to_be_visible()
    page.evaluate(
        "window.faint = []; const look = () => { for (const element of document.querySelectorAll("
        "'.stElementContainer[data-stale=true], .stExpander details, .stExpander > div'))"
        " if (Number(getComputedStyle(element).opacity) < 1) window.faint.push(element.className);"
        " requestAnimationFrame(look); }; look()"
    )
    before = page.url
    page.locator(".st-key-choice-1 button").click()
    expect(page).not_to_have_url(before)
    expect(finished).to_be_visible()
    assert page.evaluate("window.faint") == []


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_results_keep_their_places_when_the_question_above_them_goes(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=週報")
    expect(page.locator(".st-key-order input")).to_be_visible()
    page.evaluate(
        "window.most = 0; new MutationObserver(() => { window.most ="
        " Math.max(window.most, document.querySelectorAll('.st-key-order').length) })"
        ".observe(document.body, {childList: true, subtree: true})"
    )
    page.locator(".st-key-show-anyway button").click()
    expect(page.locator(".st-key-narrowing")).to_have_count(0)
    expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()
    assert page.evaluate("window.most") == 1


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
def test_after_a_switch_of_the_language_no_word_of_the_other_stays(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=週報")
    page.locator(".st-key-show-anyway button").click()
    expect(page.locator(".st-key-order input")).to_have_value("関連度順")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.get_by_role("radio", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".st-key-period input")).to_have_value("Any time")
    page.locator(".st-key-show-anyway button").click()
    expect(page.get_by_role("combobox", name="Order")).to_have_value("Most relevant first")
    expect(page.get_by_role("combobox", name="並び順")).to_have_count(0)
    page.goto(f"{address}/status?lang=en")
    expect(page.get_by_text("Offline stand-in").first).to_be_visible()
    expect(page.get_by_text("オフラインの代役")).to_have_count(0)


@pytest.mark.parametrize("page", [DESKTOP], ids=["desktop"], indirect=True)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_stands_out_from_what_is_behind_it(
    page: Page, address: str, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    for path in ("/", "/?q=週報", "/?q=備品購入申請書", "/status"):
        page.goto(f"{address}{path}")
        expect(page.locator(".dl-head, .dl-outcome").first).to_be_visible()
        expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()
        expect(page.get_by_role("radio", name="English")).to_be_visible()
        assert page.evaluate(CONTRAST) == []


def test_the_status_page_adds_up(page: Page, address: str) -> None:
    page.goto(f"{address}/status")
    page.reload()
    expect(page.get_by_text("件と一致しています")).to_be_visible()
    expect(page.get_by_text("壊れた台帳.pdf")).to_be_visible()
    assert fits(page)


def test_versions_unfold_and_the_text_opens_over_no_edge(page: Page, address: str) -> None:
    page.goto(f"{address}/?q=備品購入申請書")
    page.get_by_role("button", name="本文を見る").click()
    page.get_by_text("ほか 1 件の版").click()
    expect(page.locator(".dl-card.dl-group")).to_contain_text("備品購入申請書_v1.md")
    assert fits(page)
    expect(page.locator(".dl-hit mark").first).to_be_visible()
    drawer = at_rest(page.locator(".st-key-preview"))
    window = page.viewport_size
    assert window is not None
    assert drawer["x"] >= 0
    assert drawer["x"] + drawer["width"] <= window["width"] + 1


def test_streamlits_own_names_of_its_parts_follow_the_language(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=DESKTOP)
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/status?lang=ja")
    for language, skip, sidebar, explained in (
        ("日本語", "本文へ移動", "サイドバー", r"の説明$"),
        ("English", "Skip to main content", "Sidebar", r"^Help for "),
        ("日本語", "本文へ移動", "サイドバー", r"の説明$"),
    ):
        page.get_by_role("radio", name=language).click()
        expect(page.get_by_test_id("stSkipToContent")).to_have_text(skip)
        expect(page.get_by_test_id("stSidebar")).to_have_attribute("aria-label", sidebar)
        expect(page.get_by_label(re.compile(explained)).first).to_be_attached()
    page.close()


def test_a_list_without_a_match_and_a_hint_say_so_in_the_language_of_the_page(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=DESKTOP)
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/?lang=ja")
    page.locator(".st-key-types input").fill("zzz")
    expect(page.get_by_role("option", name="該当なし")).to_be_visible()
    page.goto(f"{address}/?q=経費精算の手順&lang=ja")
    page.get_by_test_id("stCode").first.hover()
    page.get_by_label("クリップボードにコピー").first.hover()
    expect(page.get_by_test_id("stTooltipContent")).to_have_text("クリップボードにコピー")
    page.close()
