"""Excel 97-2003 workbooks (.xls), read without any office program: every sheet, row by row."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from locator_search.adapters.extractors.cleaning import table_blocks
from locator_search.adapters.extractors.legacy_office.compound_file import CompoundFile
from locator_search.adapters.extractors.legacy_office.excel97_file import (
    TOO_OLD,
    Record,
    Sheet,
    Workbook,
    long_string,
    records,
    string,
)
from locator_search.adapters.extractors.limits import MAX_CELLS, MAX_COLUMN_GAP
from locator_search.adapters.extractors.office.excel_values import number_text
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.model import Block

_FORMULA, _NUMBER, _LABEL, _BOOLERR, _STRING = 0x0006, 0x0203, 0x0204, 0x0205, 0x0207
_RK, _MULRK, _RSTRING, _LABELSST = 0x027E, 0x00BD, 0x00D6, 0x00FD
_ERRORS = {0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A"}
_TEXT_FOLLOWS, _TRUTH, _ERROR = 0, 1, 2

Cell = tuple[int, int, str]
"""Row, column, text."""


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Each sheet as a heading with its name and its rows as a table; the page number is the sheet's."""
    container = CompoundFile(data)
    if "Workbook" not in container.names:
        raise CannotExtract("unsupported", TOO_OLD)
    workbook = Workbook(container.stream("Workbook"))
    reader = _Sheets(workbook, notes)
    for number, sheet in enumerate(workbook.sheets, start=1):
        notes.page_count = number
        yield Block("heading", sheet.name, level=1, page=number)
        if sheet.has_cells:
            yield from table_blocks(reader.rows(sheet), page=number)


class _Sheets:
    """Reads the rows of sheets under one common limit of cells."""

    def __init__(self, workbook: Workbook, notes: Notes) -> None:
        self._workbook = workbook
        self._notes = notes
        self._cells_left = MAX_CELLS

    def rows(self, sheet: Sheet) -> Iterator[list[str]]:
        """The rows that have content. Columns left empty are kept as empty cells, up to a limit."""
        cells: list[str] = []
        current, next_column = -1, 0
        for row, column, text in self._cells(sheet):
            if row != current:
                if cells:
                    yield cells
                cells, current, next_column = [], row, 0
            self._cells_left -= 1
            if self._cells_left < 0:
                self._notes.shortfalls = [f"Only the first {MAX_CELLS:,} cells were read."]
                return
            cells.extend([""] * min(max(column - next_column, 0), MAX_COLUMN_GAP))
            cells.append(text)
            next_column = column + 1
        if cells:
            yield cells

    def _cells(self, sheet: Sheet) -> Iterator[Cell]:
        waiting: tuple[int, int] | None = None  # a formula whose text is in the next STRING record
        for record in records(self._workbook.stream, sheet.offset):
            if record.kind == _STRING and waiting is not None:
                yield (*waiting, long_string(record))
                waiting = None
            elif record.kind == _FORMULA and record.data[12:14] == b"\xff\xff" and record.data[6] == _TEXT_FOLLOWS:
                waiting = struct.unpack_from("<HH", record.data)
            else:
                yield from self._cells_of(record)

    def _cells_of(self, record: Record) -> Iterator[Cell]:
        data = record.data
        if record.kind == _MULRK:
            row, first = struct.unpack_from("<HH", data)
            for place, (style, packed) in enumerate(struct.iter_unpack("<HI", data[4:-2])):
                yield row, first + place, self._number(_unpacked(packed), style)
            return
        if record.kind not in (_LABELSST, _LABEL, _RSTRING, _NUMBER, _RK, _BOOLERR, _FORMULA):
            return
        row, column, style = struct.unpack_from("<HHH", data)
        if record.kind == _LABELSST:
            (index,) = struct.unpack_from("<I", data, 6)
            strings = self._workbook.strings
            yield row, column, strings[index] if index < len(strings) else ""
        elif record.kind in (_LABEL, _RSTRING):
            yield row, column, string(data, 6)
        elif record.kind == _RK:
            yield row, column, self._number(_unpacked(struct.unpack_from("<I", data, 6)[0]), style)
        elif record.kind == _BOOLERR:
            yield row, column, _special(_ERROR if data[7] else _TRUTH, data[6])
        elif record.kind == _FORMULA and data[12:14] == b"\xff\xff":
            yield row, column, _special(data[6], data[8])
        else:
            yield row, column, self._number(struct.unpack_from("<d", data, 6)[0], style)

    def _number(self, value: float, style: int) -> str:
        text = repr(value)
        return self._workbook.formats.date_text(text, str(style)) or number_text(text)


def _unpacked(packed: int) -> float:
    """A number in 30 bits: an integer or the upper half of a double, maybe in hundredths (MS-XLS, 2.5.122)."""
    if packed & 2:
        value = float((packed >> 2) - (1 << 30) if packed & 0x80000000 else packed >> 2)
    else:
        value = float(struct.unpack("<d", struct.pack("<Q", (packed & 0xFFFFFFFC) << 32))[0])
    return value / 100 if packed & 1 else value


def _special(kind: int, value: int) -> str:
    """A truth value, an error, or an empty text."""
    if kind == _TRUTH:
        return "TRUE" if value else "FALSE"
    return _ERRORS.get(value, "") if kind == _ERROR else ""
