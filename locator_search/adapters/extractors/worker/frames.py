"""Messages between parent and worker: JSON in frames of four length bytes (big-endian) and a body.

The worker parses hostile files, so the parent believes nothing but JSON of the expected shape.

Names of files may hold bytes that are no text; Python carries them as lone surrogates, and so do the frames.

parent -> worker   {"path": str, "mime_type": str | null}
                   {"go": true}                                                  after "begun"
worker -> parent   {"ready": version}                                            once
                   {"begun": true}                                               it holds a file and has not opened it
                   {"mime_type": str}                                            when it is known
                   {"blocks": [[kind, text, level, page, changes], ...]}         any number of times per file
                   {"state", "reason", "mime_type", "page_count", "memory"}      ends a file
"""

from __future__ import annotations

import json
import struct
from typing import Any

HEADER = struct.Struct(">I")
MAX_FRAME_BYTES = 128 * 1024 * 1024

Frame = dict[str, Any]


def pack(frame: Frame) -> bytes:
    """One frame as bytes."""
    body = json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return HEADER.pack(len(body)) + body


def unpack(buffer: bytearray) -> Frame | None:
    """Take the first whole frame out of a buffer; None while it is incomplete.

    Raises ValueError or TypeError for what is no frame.
    """
    if len(buffer) < HEADER.size:
        return None
    (length,) = HEADER.unpack_from(buffer)
    if length > MAX_FRAME_BYTES:
        raise ValueError("frame too long")
    if len(buffer) < HEADER.size + length:
        return None
    body = bytes(buffer[HEADER.size : HEADER.size + length])
    del buffer[: HEADER.size + length]
    frame = json.loads(body.decode("utf-8", "surrogatepass"))
    if not isinstance(frame, dict):
        raise TypeError("frame is no object")
    return frame
