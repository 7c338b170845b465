"""Excel 97-2003 workbooks, record by record (MS-XLS)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.builders.files.word97 import compound_file

Rows = Sequence[Sequence[object]]
DATE_STYLE = 1


class Formula(str):
    """A text that a formula gives."""

    __slots__ = ()


class Day(float):
    """A number shown as a date."""


def workbook97(
    path: Path,
    sheets: Mapping[str, Rows],
    *,
    cut_strings_at: int | None = None,
    encrypted: bool = False,
    beside: bytes = b"",
    chart_sheet: tuple[str, bytes] | None = None,
) -> Path:
    """Texts are shared strings, the table of which is continued after so many bytes of it (`cut_strings_at`);
    `beside` are more records of the first sheet, `chart_sheet` is the last one: its name and its chart."""
    texts = list(dict.fromkeys(cell for rows in sheets.values() for row in rows for cell in row if type(cell) is str))
    substreams = [_sheet(rows, texts, b"" if number else beside) for number, rows in enumerate(sheets.values())]
    named = [(name, 0) for name in sheets]
    if chart_sheet is not None:
        named.append((chart_sheet[0], 2))
        substreams.append(chart_sheet[1])
    offset, names = 0, b""
    for _ in range(2):  # once to learn how long the globals are, once with the right offsets
        names, start = b"", offset
        for (name, kind), body in zip(named, substreams, strict=True):
            raw = name.encode("utf-16-le")
            names += _record(0x0085, struct.pack("<IBBBB", start, 0, kind, len(name), 1) + raw)
            start += len(body)
        formats = _record(0x041E, struct.pack("<HHB", 164, 8, 0) + b"yyyy/m/d")
        styles = b"".join(_record(0x00E0, struct.pack("<HH16x", 0, number)) for number in (0, 164))
        content = _bof(5, 0x0600) + (_record(0x002F, b"\1\0") if encrypted else b"") + formats + styles + names
        content += _strings(texts, cut_strings_at) + _record(0x000A, b"")
        offset = len(content)
    return compound_file(path, {"Workbook": content + b"".join(substreams)})


def workbook95(path: Path, name: str, rows: Rows) -> Path:
    """A workbook of Excel 95 (BIFF5) with one sheet, its texts in the cells and in the code page of Japan."""

    def globals_of(offset: int) -> bytes:
        title = name.encode("cp932")
        sheet = _record(0x0085, struct.pack("<IBBB", offset, 0, 0, len(title)) + title)
        return _bof(5, 0x0500) + _record(0x0042, struct.pack("<H", 932)) + sheet + _record(0x000A, b"")

    body = _bof(0x10, 0x0500)
    for row, cells in enumerate(rows):
        for column, value in enumerate(cells):
            raw = str(value).encode("cp932")
            body += _record(0x0204, struct.pack("<HHHH", row, column, 0, len(raw)) + raw)
    return compound_file(path, {"Book": globals_of(len(globals_of(0))) + body + _record(0x000A, b"")})


def text_box(text: str, *, cut_at: int) -> bytes:
    """A text box, its text continued in a second record after so many characters."""
    parts = [b"\1" + text[:cut_at].encode("utf-16-le"), b"\1" + text[cut_at:].encode("utf-16-le"), b"\0" * 16]
    object_ = _record(0x005D, struct.pack("<HHHH14xHH", 0x15, 0x12, 6, 1, 0, 0))
    return (
        object_
        + _record(0x01B6, struct.pack("<10xHHI", len(text), 16, 0))
        + b"".join(_record(0x003C, each) for each in parts)
    )


def drawing(content: bytes) -> bytes:
    """A drawing beside the cells."""
    return _record(0x00EC, content)


def header(text: str) -> bytes:
    return _record(0x0014, struct.pack("<HB", len(text), 1) + text.encode("utf-16-le"))


def chart(*texts: str, copied: Sequence[str] = (), own_values: bool = False) -> bytes:
    """A chart with titles, texts copied from cells, and perhaps values that stand in no cell."""
    titles = b"".join(_source(0, 1) + _chart_text(text) for text in texts)
    titles += b"".join(_source(0, 2) + _chart_text(text) for text in copied)
    return _bof(0x20, 0x0600) + titles + (_source(1, 1, b"\x60") if own_values else b"") + _record(0x000A, b"")


def _chart_text(text: str) -> bytes:
    return _record(0x100D, struct.pack("<HBB", 0, len(text), 1) + text.encode("utf-16-le"))


def _source(part: int, kind: int, formula: bytes = b"") -> bytes:
    return _record(0x1051, struct.pack("<BBHHH", part, kind, 0, 0, len(formula)) + formula)


def message(*texts: str) -> bytes:
    """What a cell tells whoever fills it in: title and text of the invitation, title and text of the refusal."""
    said = b"".join(struct.pack("<HB", len(text), 1) + text.encode("utf-16-le") for text in texts)
    return _record(0x01BE, struct.pack("<I", 0) + said + struct.pack("<HHHHH", 0, 0, 0, 0, 0))


def _sheet(rows: Rows, texts: Sequence[str], beside: bytes = b"") -> bytes:
    body = _bof(0x10, 0x0600)
    for row, cells in enumerate(rows):
        for column, value in enumerate(cells):
            body += _cell(struct.pack("<HH", row, column), value, texts)
    return body + beside + _record(0x000A, b"")


def _cell(place: bytes, value: object, texts: Sequence[str]) -> bytes:
    style = struct.pack("<H", DATE_STYLE if isinstance(value, Day) else 0)
    if value is None:
        return b""
    if isinstance(value, Formula):
        result = _record(0x0006, place + style + b"\0" * 6 + b"\xff\xff" + b"\0" * 8)
        return result + _record(0x0207, struct.pack("<HB", len(value), 1) + value.encode("utf-16-le"))
    if isinstance(value, str):
        return _record(0x00FD, place + style + struct.pack("<I", texts.index(value)))
    if isinstance(value, bool):
        return _record(0x0205, place + style + struct.pack("<BB", value, 0))
    if isinstance(value, int):
        return _record(0x027E, place + style + struct.pack("<I", (value << 2 | 2) & 0xFFFFFFFF))
    assert isinstance(value, float)
    return _record(0x0203, place + style + struct.pack("<d", value))


def numbers(row: int, values: Sequence[int]) -> bytes:
    """A record with several integers side by side."""
    cells = b"".join(struct.pack("<HI", 0, value << 2 | 2) for value in values)
    return _record(0x00BD, struct.pack("<HH", row, 0) + cells + struct.pack("<H", len(values) - 1))


def _strings(texts: Sequence[str], cut_at: int | None) -> bytes:
    table = struct.pack("<II", len(texts), len(texts))
    for text in texts:
        table += struct.pack("<HB", len(text), 1) + text.encode("utf-16-le")
    if cut_at is None:
        return _record(0x00FC, table)
    return _record(0x00FC, table[:cut_at]) + _record(0x003C, b"\1" + table[cut_at:])


def _bof(kind: int, version: int) -> bytes:
    return _record(0x0809, struct.pack("<HH12x", version, kind))


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data
