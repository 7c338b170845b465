"""Excel workbooks and PowerPoint presentations."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path

import pytest
from openpyxl import Workbook

from locator_search.adapters.extractors.office.excel_values import number_text
from tests.builders.files.containers import content_types, relations, zip_file
from tests.builders.files.extracted import extracted
from tests.builders.files.office import presentation, workbook

SHEET_MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def raw_workbook(path: Path, sheet: str, strings: str = "") -> Path:
    """A workbook of one sheet whose XML is given."""
    return zip_file(
        path,
        {
            "[Content_Types].xml": content_types("xl/workbook.xml", SHEET_MAIN),
            "_rels/.rels": relations({"officeDocument": "xl/workbook.xml"}),
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="表" sheetId="1" r:id="rId1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations({"worksheet": "sheet.xml", "sharedStrings": "/xl/strings.xml"}),
            "xl/sheet.xml": sheet,
            "xl/strings.xml": f'<sst xmlns="{MAIN}">{strings}</sst>',
        },
    )


def sheet_of(rows: str) -> str:
    return f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def test_every_sheet_is_read_with_its_name_and_number(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "a.xlsx", {"売上": [["月", "額"], [9, 1200.5]], "空": [], "経費": [["旅費", None, True]]}
    )
    result = extracted(path)
    assert [(block.kind, block.text, block.page) for block in result.document.blocks] == [
        ("heading", "売上", 1),
        ("table", "月\t額\n9\t1200.5", 1),
        ("heading", "空", 2),
        ("heading", "経費", 3),
        ("table", "旅費\t\tTRUE", 3),
    ]
    assert result.document.page_count == 3


def test_dates_and_times_read_as_such(tmp_path: Path) -> None:
    row = [date(2024, 9, 10), datetime(2024, 9, 10, 13, 30), time(8, 15), 45545]
    path = workbook(tmp_path / "a.xlsx", {"日程": [row]})
    assert extracted(path).document.text.endswith("2024-09-10 00:00:00\t2024-09-10 13:30:00\t08:15:00\t45545")


@pytest.mark.parametrize("pattern", ["0.0E+00", "##0.0E+0", "G/標準", '0"日"', "[Red]-0", "#,##0"])
def test_a_pattern_of_numbers_is_no_date(tmp_path: Path, pattern: str) -> None:
    path = tmp_path / "a.xlsx"
    book = Workbook()
    assert book.active is not None
    book.active["A1"] = 45545
    book.active["A1"].number_format = pattern
    book.save(path)
    assert extracted(path).document.text.endswith("\n45545")


@pytest.mark.parametrize(
    ("stored", "shown"),
    [("0.10000000000000001", "0.1"), ("3", "3"), ("3.0", "3"), ("1E+2", "100"), ("-2.5", "-2.5"), ("x", "x")],
)
def test_numbers_read_as_excel_shows_them(stored: str, shown: str) -> None:
    assert number_text(stored) == shown


def test_rich_strings_lose_their_furigana_and_errors_show(tmp_path: Path) -> None:
    strings = "<si><r><t>東</t></r><r><t>京</t></r><rPh sb='0' eb='2'><t>トウキョウ</t></rPh></si>"
    rows = '<row><c t="s"><v>0</v></c><c t="s"><v>7</v></c><c t="e"><v>#N/A</v></c>'
    rows += '<c t="inlineStr"><is><t>直</t></is></c></row>'
    result = extracted(raw_workbook(tmp_path / "a.xlsx", sheet_of(rows), strings))
    assert result.document.text == "表\n東京\t\t#N/A\t直"


def test_a_cell_at_the_far_end_costs_nothing(tmp_path: Path) -> None:
    rows = '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'
    result = extracted(raw_workbook(tmp_path / "a.xlsx", sheet_of(rows)))
    assert result.document.text.endswith("\t7")
    assert len(result.document.text) < 100


def test_cells_beyond_the_limit_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("locator_search.adapters.extractors.cells.MAX_CELLS", 4)
    result = extracted(workbook(tmp_path / "a.xlsx", {"表": [[1, 2]] * 10}))
    assert (result.state, result.reason) == ("partial", "Only the first 4 cells were read.")


def test_a_damaged_sheet_leaves_what_was_read(tmp_path: Path) -> None:
    result = extracted(raw_workbook(tmp_path / "a.xlsx", sheet_of("<row><c><v>1</v></c></row>")[:-20]))
    assert result.state == "partial"
    assert "damaged" in result.reason


def test_slides_are_read_in_order_with_tables_and_notes(tmp_path: Path) -> None:
    result = extracted(presentation(tmp_path / "plan.pptx"))
    assert [(block.kind, block.text, block.page) for block in result.document.blocks] == [
        ("heading", "事業計画", 1),
        ("paragraph", "売上を二倍にする", 1),
        ("paragraph", "拠点を三つ増やす", 1),
        ("note", "ここで質問を受ける", 1),
        ("heading", "予算", 2),
        ("table", "項目\t金額\n広告費\t120", 2),
    ]
    assert (result.state, result.document.page_count) == ("ok", 2)
