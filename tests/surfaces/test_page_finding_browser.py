"""What people do with results, in a real browser: take them along, find more like one, come back to a question."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import psycopg
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from tests.builders.asked import asked_by
from tests.builders.page_server import page_server
from tests.builders.report_folder import HOSTILE_NAME, indexed_reports
from tests.surfaces.test_page_browser import SHIFTS, ask, browser, chromium, page, question_field, settled

pytestmark = pytest.mark.browser
__all__ = ["browser", "chromium", "page"]


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of an index over the report folder."""
    return indexed_reports(database_server, tmp_path_factory.mktemp("finding-browser"), "finding_browser")


@pytest.fixture(scope="module")
def address(chromium: str, settings: dict[str, str]) -> Iterator[str]:
    """The address of a Streamlit server over it."""
    with page_server(Path(settings["LOCATOR_HOME"]).parent, settings) as served:
        yield served


def taken(page: Page, form: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"{form} で保存").click()
    return Path(download.value.path()).read_bytes()


def test_the_list_is_taken_along_as_csv_and_as_a_workbook_in_the_order_shown(page: Page, address: str) -> None:
    page.goto(address)
    ask(page, "経費精算の手順")
    expect(page.locator(".dl-title").first).to_contain_text("経費精算の手順.md")
    page.get_by_role("button", name="一覧を書き出す").click()
    rows = list(csv.DictReader(io.StringIO(taken(page, "CSV").decode("utf-8-sig"))))
    shown = [title.inner_text() for title in page.locator("[class*='st-key-result-'] .dl-title").all()]
    assert [f"{row['番号']}{row['ファイル名']}" for row in rows if not row["まとめ"]] == [
        "".join(one.split()) for one in shown
    ]
    book = openpyxl.load_workbook(io.BytesIO(taken(page, "Excel")))
    assert [row[1] for row in book["見つかったファイル"].iter_rows(min_row=3, values_only=True)] == [
        row["ファイル名"] for row in rows
    ]


def suggested(page: Page, typed: str) -> Locator:
    """The suggestions for a text that is typed."""
    question_field(page).press_sequentially(typed, delay=40)
    options = page.get_by_role("listbox", name="入力の候補").get_by_role("option")
    expect(options.first).to_be_visible()
    return options


def test_suggestions_are_chosen_by_keyboard_and_the_chosen_one_is_asked(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_text("質問の例")).to_be_visible()
    assert {*suggested(page, "備品").all_inner_texts()} == {"備品購入申請書_v1.md", "備品購入申請書_v2.md"}
    expect(question_field(page)).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox", name="入力の候補")).to_be_hidden()
    expect(suggested(page, "購")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    chosen = page.get_by_role("option", selected=True).inner_text()
    page.keyboard.press("Enter")
    expect(page.locator(".dl-title").first).to_contain_text(chosen)
    expect(question_field(page)).to_have_value(chosen)
    expect(page.get_by_role("listbox", name="入力の候補")).to_be_hidden()
    expect(page.locator(".st-key-result-1")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".st-key-result-1")).to_be_focused()


def test_escape_cancels_suggestions_that_are_on_their_way(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_text("質問の例")).to_be_visible()
    options = page.get_by_role("listbox", name="入力の候補").get_by_role("option")

    def slowly(route: Route) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    for wait in (0, 200):  # before they are asked for, and while they are fetched
        page.route("**/suggest?*", slowly)
        question_field(page).fill("")
        question_field(page).press_sequentially("備品")
        page.wait_for_timeout(wait)
        page.keyboard.press("Escape")
        page.wait_for_timeout(1_500)
        expect(options).to_have_count(0)
        page.unroute("**/suggest?*")
    assert {*suggested(page, "購").all_inner_texts()} == {"備品購入申請書_v1.md", "備品購入申請書_v2.md"}


def test_what_is_typed_is_asked_where_no_suggestion_is_chosen(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_text("質問の例")).to_be_visible()
    suggested(page, "経費")
    page.keyboard.press("Enter")
    expect(page.locator(".dl-title").first).to_contain_text("経費精算の手順.md")
    expect(question_field(page)).to_have_value("経費")
    expect(page.get_by_role("listbox", name="入力の候補")).to_be_hidden()


def test_a_hostile_name_is_a_suggestion_like_any_other_and_a_click_asks_it(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_text("質問の例")).to_be_visible()
    options = suggested(page, "<img")
    expect(options).to_have_text([HOSTILE_NAME])
    options.first.click()
    expect(page.locator(".dl-title").first).to_contain_text(HOSTILE_NAME)
    assert page.locator("img").count() == 0


@pytest.fixture
def asked_by_three(settings: dict[str, str]) -> str:
    """A question that three people have asked and that led to the expenses."""
    question = "立て替えの期限"
    with psycopg.connect(settings["DATABASE_URL"]) as connection:
        connection.execute("TRUNCATE own_search CASCADE")
        wanted = "SELECT file_id FROM drive_file_index WHERE file_name = '経費精算の手順.md'"
        [[file_id]] = connection.execute(wanted).fetchall()
    asked_by(settings["DATABASE_URL"], question, ("aki", "hana", "mei"), str(file_id))
    return question


def test_what_many_ask_is_reached_by_keyboard_and_moves_nothing(page: Page, address: str, asked_by_three: str) -> None:
    page.add_init_script(SHIFTS)
    page.goto(address)
    offered = page.get_by_role("button", name=asked_by_three)
    expect(offered).to_be_visible()
    assert settled(page) <= 0.05
    for _ in range(30):
        page.keyboard.press("Tab")
        if offered.evaluate("button => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(question_field(page)).to_have_value(asked_by_three)
    expect(page.locator(".dl-outcome").first).to_be_visible()
    ask(page, "経費精算の手順")
    expect(page.get_by_text("関連する質問")).to_be_visible()
    expect(page.get_by_role("button", name=asked_by_three)).to_be_visible()
    assert settled(page) <= 0.05
