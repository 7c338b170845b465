"""OLE compound files and Word 97 documents, written byte by byte (MS-CFB, MS-DOC)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

_SECTOR = 512
_END, _FREE, _FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_SMALLEST_STREAM = 4096  # smaller ones would live in the mini stream
_TEXT = 0x800


def compound_file(path: Path, streams: Mapping[str, bytes]) -> Path:
    """At most three streams, of 50 KB together."""
    contents = [_padded(content, max(_SMALLEST_STREAM, len(content))) for content in streams.values()]
    fat, starts = [_FAT, _END], []
    for content in contents:
        count = len(content) // _SECTOR
        starts.append(len(fat))
        fat += [*range(len(fat) + 1, len(fat) + count), _END]
    header = struct.pack("<8s16xHHHHH6xIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 62, 3, 0xFFFE, 9, 6, 0, 1, 1, 0,
                         _SMALLEST_STREAM, _END, 0, _END, 0)  # fmt: skip
    directory = _entry("Root Entry", 5, right=_FREE, child=1, start=_END, size=0)
    for number, (name, content) in enumerate(zip(streams, contents, strict=True), start=1):
        right = number + 1 if number < len(contents) else _FREE
        directory += _entry(name, 2, right=right, child=_FREE, start=starts[number - 1], size=len(content))
    table = struct.pack("<128I", *fat, *[_FREE] * (128 - len(fat)))
    difat = struct.pack("<109I", 0, *[_FREE] * 108)
    path.write_bytes(header + difat + table + _padded(directory, _SECTOR) + b"".join(contents))
    return path


def doc(
    path: Path,
    text: str,
    *,
    styles: Sequence[int] = (),
    modifiers: Mapping[int, bytes] | None = None,
    deleted: tuple[int, int] | None = None,
    footnotes: str = "",
    flags: int = 0x0200,
    version: int = 0x00C1,
    one_byte: bool = False,
) -> Path:
    """A document whose `text` has its control characters in it.

    `styles` and `modifiers` are by number of the paragraph; `deleted` is a span of characters.
    """
    whole = text + footnotes
    width = 1 if one_byte else 2
    raw = whole.encode("cp1252" if one_byte else "utf-16-le")
    ends = [index + 1 for index, character in enumerate(whole) if character in "\r\x07\x0c"]
    properties = [
        struct.pack("<H", styles[number] if number < len(styles) else 0) + (modifiers or {}).get(number, b"")
        for number in range(len(ends))
    ]
    first, last = deleted or (0, 0)
    runs = [(0, b""), (first, struct.pack("<HB", 0x0800, 0x81)), (last, b"")]
    body = _padded(raw, _SECTOR)
    page = (_TEXT + len(body)) // _SECTOR
    limits = [_TEXT + width * end for end in ends]
    character_page = _page([_TEXT + width * start for start, _ in runs] + [limits[-1]], [m for _, m in runs], 1)
    paragraph_page = _page([_TEXT, *limits], properties, 13)

    table = bytearray()
    fields = {}
    for index, number in ((12, page), (13, page + 1)):
        fields[index] = (len(table), 12)
        table += struct.pack("<III", _TEXT, limits[-1], number)
    position = 0x40000000 | _TEXT * 2 if one_byte else _TEXT
    clx = struct.pack("<BI", 2, 16) + struct.pack("<IIHIH", 0, len(whole), 0, position, 0)
    fields[33] = (len(table), len(clx))
    table += clx

    main = bytearray(_TEXT)
    struct.pack_into("<HH6xH", main, 0, 0xA5EC, version, flags)
    struct.pack_into("<II", main, 0x4C, len(text), len(footnotes))
    for index, (offset, length) in fields.items():
        struct.pack_into("<II", main, 0x9A + 8 * index, offset, length)
    return compound_file(
        path, {"WordDocument": bytes(main) + body + character_page + paragraph_page, "1Table": bytes(table)}
    )


def _page(limits: list[int], properties: list[bytes], width: int) -> bytes:
    """A page of formatted runs; `width` is that of an index entry (1 for characters, 13 for paragraphs)."""
    page = bytearray(_SECTOR)
    page[-1] = len(properties)
    struct.pack_into(f"<{len(limits)}I", page, 0, *limits)
    offset = _SECTOR - 2
    for number, content in enumerate(properties):
        if width == 1:
            stored = bytes([len(content)]) + content
        else:
            content += b"\0" * (len(content) % 2)
            stored = bytes([0, len(content) // 2]) + content
        offset -= len(stored) + len(stored) % 2
        page[offset : offset + len(stored)] = stored
        page[4 * len(limits) + width * number] = offset // 2 if content else 0
    return bytes(page)


def _entry(name: str, kind: int, *, right: int, child: int, start: int, size: int) -> bytes:
    raw = name.encode("utf-16-le")
    return struct.pack("<64sHBBIII36xIQ", raw, len(raw) + 2, kind, 1, _FREE, right, child, start, size)


def _padded(content: bytes, size: int) -> bytes:
    return content.ljust(-(-max(size, len(content)) // _SECTOR) * _SECTOR, b"\0")
