"""The first minutes in a real browser: an empty start, a folder with its preview, and the first hit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Page, expect

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from tests.builders.page_server import page_server
from tests.surfaces.test_page_browser import CONTRAST, SHIFTS, ask, browser, chromium, fits, page

pytestmark = pytest.mark.browser
__all__ = ["browser", "chromium", "page"]

MOST_SHIFT = 0.05
FILES = 300


@pytest.fixture
def empty(
    chromium: str, database_server: EmbeddedServer, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[str]:
    """The address of pages over an empty index, whose samples are an empty folder."""
    name = "adding_" + hashlib.sha256(request.node.callspec.id.encode()).hexdigest()[:12]
    with psycopg.connect(database_server.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template")
    (tmp_path / "samples").mkdir()
    url = database_server.url.replace("/postgres?", f"/{name}?", 1)
    settings = {"DATABASE_URL": url, "LOCATOR_HOME": str(tmp_path / "home"), "LOCATOR_FOLDERS": ""}
    with page_server(tmp_path, settings) as served:
        yield served


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "書類"
    for number in range(FILES):
        path = folder / f"第{number % 7}課" / f"報告 {number:03}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{number}番目の報告。発電機の点検を終えました。", "utf-8")
        (path.parent / f"写真 {number:03}.png").write_bytes(b"picture")
    (folder / "空調の契約.md").write_text("# 空調の契約\n\n更新料は十二万円です。\n", "utf-8")
    return folder


@pytest.mark.parametrize(
    ("language", "start", "look"),
    [
        ("ja", "追加して読み込みを始める", "検索する"),
        ("en", "Add it and begin to read", "Search (also"),
    ],
)
def test_from_an_empty_start_to_the_first_hit_in_a_folder_of_ones_own(
    page: Page, empty: str, papers: Path, tmp_path: Path, language: str, start: str, look: str
) -> None:
    page.add_init_script(SHIFTS)
    page.emulate_media(color_scheme="dark" if language == "en" else "light")
    page.goto(f"{empty}/?lang={language}")
    page.locator(".stMain").get_by_test_id("stPageLink-NavLink").click()
    field = page.locator(".st-key-path input")
    expect(field).to_be_visible()
    assert shifted(page) <= MOST_SHIFT
    page.get_by_role("radio", name="Google Drive").click()
    expect(page.get_by_text("auth google").first).to_be_visible()
    picture(page, tmp_path, "drive")
    assert fits(page)
    assert page.evaluate(CONTRAST) == []
    page.locator(".st-key-way").get_by_role("radio").first.click()
    expect(field).to_be_visible()
    assert shifted(page) <= MOST_SHIFT
    field.fill(str(papers))
    field.press("Enter")
    expect(page.get_by_text(f"{FILES + 1}").first).to_be_visible()
    expect(page.locator(".dl-table").nth(1)).to_contain_text(f"{FILES}")
    picture(page, tmp_path, "preview")
    assert fits(page)
    assert page.evaluate(CONTRAST) == []
    assert shifted(page) <= MOST_SHIFT
    page.get_by_role("button", name=start).click()
    expect(page.get_by_test_id("stProgress")).to_be_visible()
    picture(page, tmp_path, "crawl")
    found = page.locator(".stMain").get_by_role("link", name=look)
    expect(found).to_be_visible()
    assert fits(page)
    assert shifted(page) <= MOST_SHIFT
    found.click()
    ask(page, "発電機の点検")  # whichever reports have been read by now
    expect(page.locator(".dl-title").first).to_contain_text("報告")
    picture(page, tmp_path, "found")


def shifted(page: Page) -> float:
    """How far things moved since the last look."""
    return float(page.evaluate("[window.shifted, window.shifted = 0][0]"))


def picture(page: Page, folder: Path, name: str) -> None:
    page.screenshot(path=folder / f"{name}.png")
