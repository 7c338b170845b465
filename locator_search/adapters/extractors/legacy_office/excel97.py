"""Excel workbooks of the binary formats (.xls, Excel 5 to 2003), read by xlrd: every sheet, row by row."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

import xlrd

from locator_search.adapters.extractors.cells import CellLimit
from locator_search.adapters.extractors.cleaning import table_blocks
from locator_search.adapters.extractors.legacy_office.compound_file import open_container, read_stream
from locator_search.adapters.extractors.legacy_office.excel97_beside import (
    Beside,
    has_older_comments,
    records,
    texts_beside,
)
from locator_search.adapters.extractors.legacy_office.ole_object import attach_objects
from locator_search.adapters.extractors.limits import MAX_COLUMN_GAP
from locator_search.adapters.extractors.office.charts import new_lines, words_of
from locator_search.adapters.extractors.office.excel_values import date_text, margin_text, number_text
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.model import Block, BlockKind

_END = b"\x0a\0\0\0"
_KINDS: dict[str, BlockKind] = {"box": "paragraph", "picture": "picture"}
_OF_CHARTS = frozenset({"sheet", "typed", "copied", "values"})
_NOTHING = (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK)


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Each sheet as a heading with its name and its rows as a table, then comments, text boxes, headers and footers
    and what cells tell whoever fills them in, at last what charts say and no cell does; pages are sheets."""
    container = open_container(data)
    stream = read_stream(container, "Workbook" if container.exists("Workbook") else "Book")
    book, older = _book(stream, notes), has_older_comments(stream)
    if older:
        notes.shortfalls.append("The comments of a workbook of Excel 95 or older are not read.")
    beside = [] if older else list(texts_beside(stream))
    charts, known = any(each.kind in _OF_CHARTS for each in beside), set[str]()
    limit = CellLimit(notes)
    for index, name in enumerate(book.sheet_names()):
        notes.page_count = index + 1
        yield Block("heading", name, level=1, page=index + 1)
        for block in table_blocks(limit.within(_rows(book, index)), page=index + 1):
            yield block
            known.update(words_of([block.text]) if charts else ())
        book.unload_sheet(index)
        # Many cells have the same message.
        for each in dict.fromkeys(each for each in beside if each.sheet == index + 1 and each.kind not in _OF_CHARTS):
            text = margin_text(each.text) if each.kind == "margin" else each.text
            yield Block(_KINDS.get(each.kind, "note"), text, page=index + 1)
    yield from _charts(beside, known)
    if any(each.kind == "values" for each in beside):
        notes.shortfalls.append("The values of a chart that stand in no cell were not read.")
    attach_objects(container, notes)


def _charts(beside: Iterable[Beside], known: set[str]) -> Iterator[Block]:
    """The names of sheets that are charts, and what charts say and no cell does."""
    for each in beside:
        page = each.sheet or None
        if each.kind == "sheet":
            yield Block("heading", each.text, level=1, page=page)
        elif each.kind in ("typed", "copied"):
            typed, copied = ([each.text], []) if each.kind == "typed" else ([], [each.text])
            yield from (Block("paragraph", line, page=page) for line in new_lines(typed, copied, known))


def _book(stream: bytes, notes: Notes) -> xlrd.Book:
    # Without a last record that was cut short: xlrd would refuse the whole sheet for it.
    end = max((end for _, _, end in records(stream)), default=0)
    whole = stream[:end] if len(stream) - end >= 4 else stream
    if len(whole) < len(stream):
        notes.shortfalls.append("The workbook ends in the middle.")
    try:
        return xlrd.open_workbook(file_contents=whole + _END, on_demand=True, ragged_rows=True, logfile=io.StringIO())
    except xlrd.XLRDError as error:
        if "encrypted" in str(error):
            raise CannotExtract("encrypted", "The Excel workbook is password-protected.") from None
        raise


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
