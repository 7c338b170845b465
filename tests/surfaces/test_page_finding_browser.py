"""What people do with results, in a real browser: take them along, find more like one, come back to a question."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Page, expect

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from tests.surfaces.test_page_browser import ask, browser, chromium, page, serving

pytestmark = pytest.mark.browser
__all__ = ["browser", "chromium", "page"]


@pytest.fixture(scope="module")
def address(chromium: str, database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Streamlit server over the report folder."""
    with serving(database_server, tmp_path_factory.mktemp("finding-browser"), "finding_browser") as served:
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
