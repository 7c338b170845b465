"""Excel 97-2003 workbooks: every sheet, what cells show, and what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.files.excel97 import Day, Formula, Rows, workbook97
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


def test_a_table_of_strings_goes_on_in_the_next_record_in_the_middle_of_a_string(tmp_path: Path) -> None:
    whole = extracted(workbook97(tmp_path / "a.xls", {"表": ROWS})).document.text
    for cut in (13, 20, 27):  # between the characters of 品目, of 数量, of 単価
        assert extracted(workbook97(tmp_path / "b.xls", {"表": ROWS}, cut_strings_at=cut)).document.text == whole


@pytest.mark.parametrize(
    ("options", "state", "words"),
    [
        ({"encrypted": True}, "encrypted", "password"),
        ({"version": 0x0500}, "unsupported", "Excel 95"),
        ({"stream": "Book"}, "unsupported", "Excel 95"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, options: dict[str, object], state: str, words: str) -> None:
    result = extracted(workbook97(tmp_path / "a.xls", {"表": ROWS}, **options))  # type: ignore[arg-type]
    assert (result.state, words in result.reason) == (state, True)


def test_a_workbook_that_ends_early_gives_what_is_there(tmp_path: Path) -> None:
    path = workbook97(tmp_path / "a.xls", {"表": [["最初"], ["次"]] * 200})
    path.write_bytes(path.read_bytes()[:-2000])
    assert extracted(path).document.text.startswith("表\n最初\n次")
