"""Excel workbooks of the binary formats (.xls, Excel 5 to 2003), read by xlrd: every sheet, row by row."""

from __future__ import annotations

import io
from collections.abc import Iterator

import xlrd

from locator_search.adapters.extractors.cells import CellLimit
from locator_search.adapters.extractors.cleaning import table_blocks
from locator_search.adapters.extractors.legacy_office.compound_file import open_container, read_stream
from locator_search.adapters.extractors.limits import MAX_COLUMN_GAP
from locator_search.adapters.extractors.office.excel_values import date_text, number_text
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.model import Block

_END = b"\x0a\0\0\0"
_NOTHING = (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK)


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Each sheet as a heading with its name and its rows as a table; the page number is the sheet's."""
    book = _book(data, notes)
    limit = CellLimit(notes)
    for index, name in enumerate(book.sheet_names()):
        notes.page_count = index + 1
        yield Block("heading", name, level=1, page=index + 1)
        yield from table_blocks(limit.within(_rows(book, index)), page=index + 1)
        book.unload_sheet(index)


def _book(data: bytes, notes: Notes) -> xlrd.Book:
    container = open_container(data)
    stream = read_stream(container, "Workbook" if container.exists("Workbook") else "Book")
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


def _rows(book: xlrd.Book, index: int) -> Iterator[list[str]]:
    """The rows of a sheet. Columns left empty are kept as empty cells, up to a limit."""
    sheet = book.sheet_by_index(index)
    for row in range(sheet.nrows):
        cells: list[str] = []
        gap = 0
        for kind, value in zip(sheet.row_types(row), sheet.row_values(row), strict=True):
            if kind in _NOTHING:
                gap += 1
                continue
            cells += [""] * min(gap, MAX_COLUMN_GAP)
            cells.append(_text(kind, value, book.datemode == 1))
            gap = 0
        yield cells


def _text(kind: int, value: str | float, counts_from_1904: bool) -> str:
    if isinstance(value, str):
        return value
    if kind == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if value else "FALSE"
    if kind == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(value, ""))
    date = date_text(value, counts_from_1904) if kind == xlrd.XL_CELL_DATE else None
    return date or number_text(repr(value))
