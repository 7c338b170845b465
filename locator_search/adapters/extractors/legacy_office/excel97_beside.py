"""Text beside the cells of a workbook of Excel 97-2003: comments, text boxes, headers, footers, messages
of cells, charts (MS-XLS)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Literal, NamedTuple

from locator_search.adapters.extractors.legacy_office.drawn_shapes import shape_texts

_BEGIN, _END, _CONTINUED = 0x0809, 0x000A, 0x003C
_BOX, _COMMENT, _CHART_TEXT, _CHART_SOURCE = 0x01B6, 0x001C, 0x100D, 0x1051
_SHEET_NAME, _VALIDATION, _DRAWING = 0x0085, 0x01BE, 0x00EC
_MARGINS = (0x0014, 0x0015)
_EXCEL_97, _SHEET, _NO_CELLS = 0x0600, 0x0010, (1, 2)
_SOURCE_VALUES, _SOURCE_LITERAL, _SOURCE_CELLS = 1, 1, 2
_MESSAGES = 4  # of a validation: title and text of the invitation and of the refusal

Kind = Literal["box", "picture", "margin", "message", "sheet", "typed", "copied", "values"]
"""`sheet` is the name of a sheet that is a chart or of macros, `message` what a cell tells whoever fills it in;
texts of charts are typed or copied from cells, and `values` says that a chart holds values of its own."""


class Beside(NamedTuple):
    """A text with the number of the sheet it stands beside, from 1."""

    sheet: int
    kind: Kind
    text: str


def records(stream: bytes) -> Iterator[tuple[int, int, int]]:
    """The kind, start and end of the content of every record that is whole."""
    offset = 0
    while offset + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, offset)
        offset += 4 + length
        if offset > len(stream):
            return
        yield kind, offset - length, offset


def has_older_comments(stream: bytes) -> bool:
    """Whether it is a workbook of Excel 5 or 95, which keep comments in another way, and has some."""
    version = struct.unpack_from("<H", stream, 4)[0] if len(stream) > 5 else _EXCEL_97
    return version < _EXCEL_97 and any(kind == _COMMENT for kind, _, _ in records(stream))


def texts_beside(stream: bytes) -> Iterator[Beside]:
    """The texts of a workbook since Excel 97, in the order of the file."""
    depth = sheet = missing = source = 0
    box = ""
    names = _names_of_other_sheets(stream)
    for kind, start, end in records(stream):
        content = stream[start:end]
        if kind == _CONTINUED and missing > 0:
            box += _characters(content[:1], content[1:], missing)
            missing -= len(content) // (1 + (content[0] & 1))
            if missing <= 0:
                yield Beside(sheet, "box", box)
            continue
        missing = 0
        if kind == _BEGIN:
            depth += 1
            sheet += depth == 1 and struct.unpack_from("<H", content, 2)[0] == _SHEET
            if depth == 1 and start - 4 in names:
                yield Beside(sheet, "sheet", names[start - 4])
        elif kind == _END:
            depth -= 1
        elif kind == _BOX:
            box, missing = "", struct.unpack_from("<H", content, 10)[0]
        elif kind in _MARGINS and depth == 1 and len(content) > 3:
            yield Beside(sheet, "margin", _characters(content[2:3], content[3:], int.from_bytes(content[:2], "little")))
        elif kind == _CHART_SOURCE:
            part, source, length = struct.unpack_from("<BB4xH", content)
            if (part, source) == (_SOURCE_VALUES, _SOURCE_LITERAL) and length:
                yield Beside(sheet, "values", "")
        elif kind == _CHART_TEXT:
            text = _characters(content[3:4], content[4:], content[2])
            yield Beside(sheet, "copied" if source == _SOURCE_CELLS else "typed", text)
        elif kind == _DRAWING:
            yield from (Beside(sheet, "picture", text) for text in shape_texts(content))
        elif kind == _VALIDATION:
            yield from (Beside(sheet, "message", text) for text in _messages(content))


def _names_of_other_sheets(stream: bytes) -> dict[int, str]:
    """The names of sheets that hold a chart or macros instead of cells, by the place where they begin."""
    names: dict[int, str] = {}
    for kind, start, end in records(stream):
        if kind == _SHEET_NAME and end - start > 8 and stream[start + 5] in _NO_CELLS:
            name = _characters(stream[start + 7 : start + 8], stream[start + 8 : end], stream[start + 6])
            names[int.from_bytes(stream[start : start + 4], "little")] = name
    return names


def _messages(content: bytes) -> Iterator[str]:
    """The message of a cell to whoever fills it in; a NUL stands for nothing."""
    place = 4
    for _ in range(_MESSAGES):
        count = int.from_bytes(content[place : place + 2], "little")
        text = _characters(content[place + 2 : place + 3], content[place + 3 :], count)
        place += 3 + count * (1 + (content[place + 2] & 1 if len(content) > place + 2 else 0))
        if text.strip("\0"):
            yield text


def _characters(flags: bytes, content: bytes, count: int) -> str:
    wide = bool(flags and flags[0] & 1)
    return content[: count * (1 + wide)].decode("utf-16-le" if wide else "latin-1", "replace")
