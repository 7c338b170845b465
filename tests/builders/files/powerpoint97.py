"""PowerPoint 97-2003 presentations, record by record."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.builders.files.word97 import compound_file

_TITLE, _OTHER = 0, 4


class Slide(NamedTuple):
    """The title stands in the list of all slides, the text in the drawing of this one."""

    title: str
    text: str = ""
    notes: str = ""


def presentation97(
    path: Path,
    slides: Sequence[Slide],
    *,
    edited: str = "",
    comment: str = "",
    drawn: bytes = b"",
    inside: bytes = b"",
    older: bool = False,
) -> Path:
    """`edited` is written as a second copy of the first slide's text, as PowerPoint does when it saves quickly;
    `comment` and `drawn` stand on the first slide; `inside` is an object of another program; `older`: the file is one
    for PowerPoint 95 as well, and its presentation stands beside that."""
    listed = b"".join(
        _record(0x03F3, struct.pack("<5I", number + 2, 0, 0, 256 + number, 0)) + _text(_TITLE, slide.title)
        for number, slide in enumerate(slides)
    )
    noted = [number for number, slide in enumerate(slides) if slide.notes]
    notes = b"".join(_record(0x03F3, struct.pack("<5I", 100 + number, 0, 0, number, 0)) for number in noted)
    lists = _record(0x0FF0, listed, 0xF) + _record(0x0FF0, notes, 0xF, instance=2)
    objects = {1: _record(0x03E8, lists, 0xF)}
    for number, slide in enumerate(slides):
        objects[number + 2] = _slide(slide.text)
        if slide.notes:
            atom = _record(0x03F1, struct.pack("<II", 256 + number, 0))
            objects[100 + number] = _record(0x03F0, atom + _drawing(_text(_OTHER, slide.notes)), 0xF)
    if comment:
        strings = b"".join(_record(0x0FBA, text.encode("utf-16-le"), instance=place) for place, text in
                           enumerate(["鈴木", comment, "鈴"]))  # fmt: skip
        tags = _record(0x1388, _record(0x138A, _record(0x138B, _record(0x2EE0, strings, 0xF)), 0xF), 0xF)
        objects[2] = _slide(slides[0].text, tags)
    if drawn:
        objects[2] = _slide(slides[0].text, drawn)
    if inside:
        objects[50] = _record(0x1011, struct.pack("<I", len(inside)) + zlib.compress(inside), instance=1)
    stream = _with_directory(b"", objects)
    if edited:
        stream = _with_directory(stream, {2: _slide(edited)})
    if older:
        return compound_file(
            path, {"PowerPoint Document": b"\x03\0\0\0\xff\xff\0\0", "PP97_DUALSTORAGE/PowerPoint Document": stream}
        )
    return compound_file(path, {"PowerPoint Document": stream})


def _slide(text: str, more: bytes = b"") -> bytes:
    reference = _record(0x0F9E, struct.pack("<I", 0))
    return _record(0x03EE, _drawing(reference) + (_drawing(_text(_OTHER, text)) if text else b"") + more, 0xF)


def _drawing(content: bytes) -> bytes:
    return _record(0x040C, _record(0xF00D, content, 0xF), 0xF)


def _text(kind: int, text: str) -> bytes:
    return _record(0x0F9F, struct.pack("<I", kind)) + _record(0x0FA0, text.encode("utf-16-le"))


def _with_directory(stream: bytes, objects: dict[int, bytes]) -> bytes:
    entries = b""
    for number, content in objects.items():
        entries += struct.pack("<II", 1 << 20 | number, len(stream))
        stream += content
    directory = len(stream)
    edit = struct.pack("<7I", 0, 0, 0, directory, 1, 0, 0)
    return stream + _record(0x1772, entries) + _record(0x0FF5, edit)


def _record(kind: int, content: bytes, version: int = 0, *, instance: int = 0) -> bytes:
    return struct.pack("<HHI", instance << 4 | version, kind, len(content)) + content
