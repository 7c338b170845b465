"""Sheets as Excel workbooks, a worksheet for the facts and one for each section. No cell is ever a formula."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from locator_search.adapters.sheets.cells import defused
from locator_search.ports.sheets import Sheet, SheetLine

WIDEST_COLUMN = 60
"""In characters; wide ones take two."""
_LINK = re.compile(r"https?://\S{1,2000}")
_NOT_IN_A_TITLE = re.compile(r"[\[\]:*?/\\]|[\ud800-\udfff\ufffe\uffff]")


class ExcelSheetWriter:
    """A SheetWriter."""

    suffix = ".xlsx"
    mime_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    def write(self, sheet: Sheet) -> bytes:
        """The whole file."""
        book = Workbook()
        first = book.active or book.create_sheet()
        first.title = _title(sheet.title)
        _fill(first, [(sheet.title,), *sheet.facts])
        for section in sheet.sections:
            page = book.create_sheet(_title(section.title))  # a title that is taken gets a number
            table = section.table
            rows = [table.columns, *table.rows] if table else []
            _fill(page, [(section.title,), *rows, *(_cells(line) for line in section.lines)])
        written = io.BytesIO()
        book.save(written)
        return written.getvalue()


def _cells(line: SheetLine) -> tuple[str, ...]:
    return (f"⚠ {line.text}" if line.marked else line.text, *line.sources)


def _fill(page: Worksheet, rows: Iterable[tuple[str, ...]]) -> None:
    for number, row in enumerate(rows, start=1):
        for place, text in enumerate(row, start=1):
            cell = page.cell(number, place)
            cell.value = defused(text)
            cell.data_type = "s"
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            cell.font = Font(bold=number == 1)
            if _LINK.fullmatch(text):
                cell.hyperlink = text
    for place, column in enumerate(page.iter_cols(min_row=2), start=1):
        longest = max((len(str(cell.value or "")) for cell in column), default=0)
        page.column_dimensions[get_column_letter(place)].width = min(WIDEST_COLUMN, 2 * longest + 2)


def _title(text: str) -> str:
    return _NOT_IN_A_TITLE.sub(" ", ILLEGAL_CHARACTERS_RE.sub("", text)).strip(" '")[:28] or "-"
