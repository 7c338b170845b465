"""Excel workbooks of the binary formats (.xls, Excel 5 to 2003), read by xlrd: every sheet, row by row."""

from __future__ import annotations

import io
from collections.abc import Iterator

import xlrd
from olefile import OleFileIO

from locator_search.adapters.extractors.cleaning import table_blocks
from locator_search.adapters.extractors.limits import MAX_CELLS, MAX_COLUMN_GAP
from locator_search.adapters.extractors.office.excel_values import date_text, number_text
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.model import Block

_END = b"\x0a\0\0\0"
_NOTHING = (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK)


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Each sheet as a heading with its name and its rows as a table; the page number is the sheet's."""
    book = _book(data, notes)
    reader = _Sheets(book, notes)
    for index, name in enumerate(book.sheet_names()):
        notes.page_count = index + 1
        yield Block("heading", name, level=1, page=index + 1)
        yield from table_blocks(reader.rows(book.sheet_by_index(index)), page=index + 1)
        book.unload_sheet(index)


def _book(data: bytes, notes: Notes) -> xlrd.Book:
    with OleFileIO(io.BytesIO(data)) as container:
        stream = container.openstream("Workbook" if container.exists("Workbook") else "Book").read()
    whole = _whole_records(stream)
    if len(whole) < len(stream):
        notes.shortfalls.append("The workbook ends in the middle.")
    try:
        return xlrd.open_workbook(file_contents=whole + _END, on_demand=True, ragged_rows=True, logfile=io.StringIO())
    except xlrd.XLRDError as error:
        if "encrypted" in str(error):
            raise CannotExtract("encrypted", "The Excel workbook is password-protected.") from None
        raise


def _whole_records(stream: bytes) -> bytes:
    """The stream without a last record that was cut short: xlrd would refuse the whole sheet for it."""
    offset = 0
    while offset + 4 <= len(stream):
        after = offset + 4 + int.from_bytes(stream[offset + 2 : offset + 4], "little")
        if after > len(stream):
            return stream[:offset]
        offset = after
    return stream


class _Sheets:
    """Reads the rows of sheets under one common limit of cells."""

    def __init__(self, book: xlrd.Book, notes: Notes) -> None:
        self._counts_from_1904 = book.datemode == 1
        self._notes = notes
        self._cells_left = MAX_CELLS

    def rows(self, sheet: xlrd.sheet.Sheet) -> Iterator[list[str]]:
        """The rows that have content. Columns left empty are kept as empty cells, up to a limit."""
        for row in range(sheet.nrows):
            cells: list[str] = []
            gap = 0
            for kind, value in zip(sheet.row_types(row), sheet.row_values(row), strict=True):
                if kind in _NOTHING:
                    gap += 1
                    continue
                cells += [""] * min(gap, MAX_COLUMN_GAP)
                cells.append(self._text(kind, value))
                self._cells_left -= 1
                gap = 0
            if self._cells_left < 0:
                self._notes.shortfalls = [f"Only the first {MAX_CELLS:,} cells were read."]
                return
            yield cells

    def _text(self, kind: int, value: str | float) -> str:
        if isinstance(value, str):
            return value
        if kind == xlrd.XL_CELL_BOOLEAN:
            return "TRUE" if value else "FALSE"
        if kind == xlrd.XL_CELL_ERROR:
            return str(xlrd.error_text_from_code.get(value, ""))
        date = date_text(value, self._counts_from_1904) if kind == xlrd.XL_CELL_DATE else None
        return date or number_text(repr(value))
