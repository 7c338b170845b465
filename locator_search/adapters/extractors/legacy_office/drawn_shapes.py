"""Shapes as the old formats of Office draw them (MS-ODRAW), as far as they say of themselves what they are."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from locator_search.adapters.extractors.pictures import alternative_text

PROPERTIES = frozenset({0xF00B, 0xF121, 0xF122})
"""Kinds of records that hold properties of a shape."""
_DESCRIPTION = 0x0381
_NUMBER, _HAS_CONTENT = 0x3FFF, 0x8000
_CONTAINER = 0xF
_DEEPEST = 32


def shape_texts(drawing: bytes, start: int = 0, end: int | None = None, depth: int = 0) -> Iterator[str]:
    """The texts of all shapes in nested records; a record that ends beyond the drawing ends with it."""
    end = len(drawing) if end is None else end
    while start + 8 <= end:
        head, kind, length = struct.unpack_from("<HHI", drawing, start)
        start, after = start + 8, min(start + 8 + length, end)
        if kind in PROPERTIES:
            yield from described(drawing[start:after], head >> 4)
        elif head & 0xF == _CONTAINER and depth < _DEEPEST:
            yield from shape_texts(drawing, start, after, depth + 1)
        start = after


def described(properties: bytes, count: int) -> Iterator[str]:
    """The text that a person wrote about a shape with these properties. Their contents follow the table in order."""
    place = 6 * count
    for number, value in struct.iter_unpack("<HI", properties[: min(place, len(properties) // 6 * 6)]):
        size = value if number & _HAS_CONTENT else 0
        if number & _NUMBER == _DESCRIPTION and size:
            written = properties[place : place + size].decode("utf-16-le", "replace").partition("\0")[0]
            if text := alternative_text(written):
                yield text
        place += size
