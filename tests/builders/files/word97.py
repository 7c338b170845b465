"""OLE compound files and Word 97 documents, written byte by byte (MS-CFB, MS-DOC)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from locator_search.adapters.extractors.legacy_office.compound_file import open_container, read_stream

_SECTOR = 512
_END, _FREE, _FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_SMALLEST_STREAM = 4096  # smaller ones would live in the mini stream
_TEXT = 0x800


def compound_file(path: Path, streams: Mapping[str, bytes]) -> Path:
    """Streams by name, those in storages with `/` between the names; all are padded to what a stream is at least."""
    contents = {name: _padded(content, max(_SMALLEST_STREAM, len(content))) for name, content in streams.items()}
    nodes = dict.fromkeys(name.rsplit("/", depth)[0] for name in contents for depth in range(name.count("/"), -1, -1))
    names = list(nodes)
    folder_sectors = -(-(len(names) + 1) * 128 // _SECTOR)
    sectors = folder_sectors + sum(map(len, contents.values())) // _SECTOR
    tables = next(count for count in range(1, 110) if count * 128 >= count + sectors)
    fat, starts = [_FAT] * tables, dict[str, int]()
    for name, count in {
        "": folder_sectors,
        **{name: len(content) // _SECTOR for name, content in contents.items()},
    }.items():
        starts[name] = len(fat)
        fat += [*range(len(fat) + 1, len(fat) + count), _END]
    header = struct.pack("<8s16xHHHHH6xIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 62, 3, 0xFFFE, 9, 6, 0, tables,
                         starts[""], 0, _SMALLEST_STREAM, _END, 0, _END, 0)  # fmt: skip

    def first_inside(folder: str) -> int:
        return next((number for number, name in enumerate(names, 1) if _folder(name) == folder), _FREE)

    directory = _entry("Root Entry", 5, right=_FREE, child=first_inside(""), start=_END, size=0)
    for number, name in enumerate(names, 1):
        right = next((other for other in range(number + 1, len(names) + 1)
                      if _folder(names[other - 1]) == _folder(name)), _FREE)  # fmt: skip
        directory += _entry(name.rpartition("/")[2], 2 if name in contents else 1, right=right,
                            child=first_inside(name), start=starts.get(name, 0),
                            size=max(len(streams[name]), _SMALLEST_STREAM) if name in streams else 0)  # fmt: skip
    table = struct.pack(f"<{128 * tables}I", *fat, *[_FREE] * (128 * tables - len(fat)))
    difat = struct.pack("<109I", *range(tables), *[_FREE] * (109 - tables))
    path.write_bytes(header + difat + table + _padded(directory, _SECTOR) + b"".join(contents.values()))
    return path


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def doc(
    path: Path,
    text: str,
    *,
    styles: Sequence[int] = (),
    modifiers: Mapping[int, bytes] | None = None,
    deleted: tuple[int, int] | None = None,
    footnotes: str = "",
    drawn: bytes = b"",
    picture: bytes = b"",
    flags: int = 0x0200,
    version: int = 0x00C1,
    one_byte: bool = False,
) -> Path:
    """A document whose `text` has its control characters in it.

    `styles` and `modifiers` are by number of the paragraph; `deleted` is a span of characters. `drawn` is a drawing
    beside the text, `picture` one in the text behind what is deleted.
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
    runs = [
        (0, b""),
        (first, struct.pack("<HB", 0x0800, 0x81)),
        (last, struct.pack("<HI", 0x6A03, 0) if picture else b""),
    ]
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

    if drawn:
        group = struct.pack("<HHI", 0xF, 0xF000, 0)
        fields[50] = (len(table), len(group) + 1 + len(drawn))
        table += group + b"\0" + drawn

    main = bytearray(_TEXT)
    struct.pack_into("<HH6xH", main, 0, 0xA5EC, version, flags)
    struct.pack_into("<II", main, 0x4C, len(text), len(footnotes))
    for index, (offset, length) in fields.items():
        struct.pack_into("<II", main, 0x9A + 8 * index, offset, length)
    streams = {"WordDocument": bytes(main) + body + character_page + paragraph_page, "1Table": bytes(table)}
    if picture:
        name = b"\3abc"
        streams["Data"] = struct.pack("<IHH60x", 68 + len(name + picture), 68, 0x66) + name + picture
    return compound_file(path, streams)


def holding_objects(path: Path, objects: Mapping[str, Mapping[str, bytes]]) -> Path:
    """A Word 97 document with the streams of each object in its pool."""
    pool = {f"ObjectPool/{name}/{stream}": content for name, streams in objects.items()
            for stream, content in streams.items()}  # fmt: skip
    return compound_file(path, streams_of(doc(path, "本文\r").read_bytes()) | pool)


def streams_of(data: bytes) -> dict[str, bytes]:
    """The streams of a container, `/` between storages."""
    container = open_container(data)
    return {"/".join(path): read_stream(container, "/".join(path)) for path in container.listdir()}


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
