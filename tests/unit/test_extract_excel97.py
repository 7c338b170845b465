"""Excel 97-2003 workbooks: every sheet, what cells show, and what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.adapters.extractors.limits import MAX_COLUMN_GAP
from tests.builders.files.excel97 import (
    Day,
    Formula,
    Rows,
    chart,
    header,
    message,
    text_box,
    workbook95,
    workbook97,
)
from tests.builders.files.extracted import extracted

ROWS: Rows = [
    ["品目", "数量", "単価"],
    ["りんご", 3, 0.1],
    ["みかん", None, -25],
    [Formula("合計です"), True, Day(45_658)],
]


def test_every_sheet_is_read_row_by_row_as_its_cells_show(tmp_path: Path) -> None:
    result = extracted(workbook97(tmp_path / "a.xls", {"在庫": ROWS, "空": [], "メモ": [["終わり"]]}))
    assert [(block.kind, block.text, block.page) for block in result.document.blocks] == [
        ("heading", "在庫", 1),
        ("table", "品目\t数量\t単価\nりんご\t3\t0.1\nみかん\t\t-25\n合計です\tTRUE\t2025-01-01 00:00:00", 1),
        ("heading", "空", 2),
        ("heading", "メモ", 3),
        ("table", "終わり", 3),
    ]
    assert (result.state, result.document.mime_type) == ("ok", "application/vnd.ms-excel")


def test_what_stands_beside_the_cells_is_read_and_of_charts_what_is_new(tmp_path: Path) -> None:
    beside = header("&C社外秘 &P") + text_box("枠の中の文", cut_at=2) + chart("品目", "月ごとの推移")
    result = extracted(workbook97(tmp_path / "a.xls", {"在庫": [["品目", 3]], "次": [["終"]]}, beside=beside))
    assert [(block.kind, block.text, block.page) for block in result.document.blocks] == [
        ("heading", "在庫", 1), ("table", "品目\t3", 1), ("note", "社外秘", 1), ("paragraph", "枠の中の文", 1),
        ("heading", "次", 2), ("table", "終", 2), ("paragraph", "月ごとの推移", 1),
    ]  # fmt: skip


def test_a_sentence_typed_into_a_chart_comes_whole_and_a_copied_one_not_again(tmp_path: Path) -> None:
    said = "Sales of paper by region, year, board"
    rows: Rows = [["Region", "Year", "Sales"], ["Paper", "Board", None]]
    typed = extracted(workbook97(tmp_path / "a.xls", {"S": rows}, beside=chart(said, "Sales by region")))
    assert [block.text for block in typed.document.blocks if block.kind == "paragraph"] == [said]
    copied = extracted(workbook97(tmp_path / "b.xls", {"S": rows}, beside=chart(copied=[said, "Region of plans"])))
    assert [block.text for block in copied.document.blocks if block.kind == "paragraph"] == ["Region of plans"]


def test_a_sheet_that_is_a_chart_has_its_name_and_messages_of_cells_come_once(tmp_path: Path) -> None:
    asks = message("部署", "番号を入れてください", "\0", "数字ではありません")
    path = workbook97(tmp_path / "a.xls", {"表": [["額", 3]]}, beside=asks + asks, chart_sheet=("図1", chart("推移")))
    result = extracted(path)
    assert result.state == "ok"
    assert [(block.kind, block.text) for block in result.document.blocks] == [
        ("heading", "表"), ("table", "額\t3"), ("note", "部署"), ("note", "番号を入れてください"),
        ("note", "数字ではありません"), ("heading", "図1"), ("paragraph", "推移"),
    ]  # fmt: skip


def test_values_that_only_a_chart_holds_are_named(tmp_path: Path) -> None:
    result = extracted(workbook97(tmp_path / "a.xls", {"表": [["額", 3]]}, beside=chart("題", own_values=True)))
    assert (result.state, result.reason) == ("partial", "The values of a chart that stand in no cell were not read.")


def test_a_table_of_strings_goes_on_in_the_next_record_in_the_middle_of_a_string(tmp_path: Path) -> None:
    whole = extracted(workbook97(tmp_path / "a.xls", {"表": ROWS})).document.text
    for cut in (13, 20, 27):  # between the characters of 品目, of 数量, of 単価
        assert extracted(workbook97(tmp_path / "b.xls", {"表": ROWS}, cut_strings_at=cut)).document.text == whole


def test_a_workbook_of_excel_95_is_read_in_the_code_page_it_names(tmp_path: Path) -> None:
    result = extracted(workbook95(tmp_path / "a.xls", "在庫", [["品目", "数量"], ["りんご", "三"]]))
    assert (result.state, result.document.text) == ("ok", "在庫\n品目\t数量\nりんご\t三")


def test_an_encrypted_workbook_says_so(tmp_path: Path) -> None:
    result = extracted(workbook97(tmp_path / "a.xls", {"表": ROWS}, encrypted=True))
    assert (result.state, result.reason) == ("encrypted", "The Excel workbook is password-protected.")


def test_a_workbook_that_ends_early_gives_what_is_there(tmp_path: Path) -> None:
    path = workbook97(tmp_path / "a.xls", {"表": [["最初"], ["次"]] * 200})
    path.write_bytes(path.read_bytes()[:-2000])
    result = extracted(path)
    assert result.document.text.startswith("表\n最初\n次")
    assert (result.state, result.reason) == ("partial", "The workbook ends in the middle.")


def test_cells_far_apart_and_more_than_anybody_reads_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = workbook97(tmp_path / "a.xls", {"表": [["左", *[None] * 200, "右"], ["次", 1], ["終"]]})
    assert extracted(path).document.text.split("\n")[1] == "左" + "\t" * (MAX_COLUMN_GAP + 1) + "右"
    monkeypatch.setattr("locator_search.adapters.extractors.cells.MAX_CELLS", 2 + MAX_COLUMN_GAP)
    result = extracted(path)
    assert (result.state, result.reason) == ("partial", f"Only the first {2 + MAX_COLUMN_GAP} cells were read.")
    assert "次" not in result.document.text
