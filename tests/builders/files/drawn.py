"""Shapes of the old formats of Office with a description (MS-ODRAW)."""

from __future__ import annotations

import struct


def shape(description: str) -> bytes:
    """A drawing with one shape that has a name, too."""
    texts = [f"{text}\0".encode("utf-16-le") for text in ("図 1", description)]
    table = b"".join(
        struct.pack("<HI", 0xC000 | number, len(text)) for number, text in zip((0x0380, 0x0381), texts, strict=True)
    )
    lines = struct.pack("<HI", 0x01BF, 0x00010001)  # a property without content
    properties = record(0xF00B, lines + table + b"".join(texts), instance=3, version=3)
    return record(0xF002, record(0xF003, record(0xF004, properties, version=0xF), version=0xF), version=0xF)


def record(kind: int, content: bytes, *, instance: int = 0, version: int = 0) -> bytes:
    return struct.pack("<HHI", instance << 4 | version, kind, len(content)) + content
