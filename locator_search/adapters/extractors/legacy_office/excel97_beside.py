"""Text beside the cells of a workbook of Excel 97-2003: comments, text boxes, headers, footers, charts (MS-XLS)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Literal, NamedTuple

_BEGIN, _END, _CONTINUED = 0x0809, 0x000A, 0x003C
_BOX, _COMMENT, _CHART_TEXT = 0x01B6, 0x001C, 0x100D
_MARGINS = (0x0014, 0x0015)
_EXCEL_97, _SHEET = 0x0600, 0x0010

Kind = Literal["box", "margin", "chart"]


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
    depth = sheet = missing = 0
    box = ""
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
        elif kind == _END:
            depth -= 1
        elif kind == _BOX:
            box, missing = "", struct.unpack_from("<H", content, 10)[0]
        elif kind in _MARGINS and depth == 1 and len(content) > 3:
            yield Beside(sheet, "margin", _characters(content[2:3], content[3:], int.from_bytes(content[:2], "little")))
        elif kind == _CHART_TEXT:
            yield Beside(sheet, "chart", _characters(content[3:4], content[4:], content[2]))


def _characters(flags: bytes, content: bytes, count: int) -> str:
    wide = bool(flags and flags[0] & 1)
    return content[: count * (1 + wide)].decode("utf-16-le" if wide else "latin-1", "replace")
