"""The Rich Text of Outlook messages, unpacked (MS-OXRTFCP)."""

from __future__ import annotations

import struct

from locator_search.adapters.extractors.limits import MAX_PART_BYTES
from locator_search.adapters.extractors.outcome import CannotExtract

_PACKED, _PLAIN = 0x75465A4C, 0x414C454D
_WINDOW = 4096
_FILLED = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0" b"\r\n" rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)  # fmt: skip


def unpacked(data: bytes) -> bytes:
    """The Rich Text. Raises CannotExtract for what is none, and beyond the limit of one part."""
    if len(data) < 16:
        raise CannotExtract("corrupt", "The body of the message is damaged.")
    _, size, kind = struct.unpack_from("<III", data)
    if kind == _PLAIN:
        return data[16:]
    if kind != _PACKED:
        raise CannotExtract("corrupt", "The body of the message is damaged.")
    if size > MAX_PART_BYTES:
        raise CannotExtract("too-large", "The body of the message is too large.")
    window = bytearray(_FILLED.ljust(_WINDOW, b"\0"))
    written, position, output = len(_FILLED), 16, bytearray()

    def put(byte: int) -> None:
        nonlocal written
        output.append(byte)
        window[written % _WINDOW] = byte
        written += 1

    while position < len(data) and len(output) < size:
        control = data[position]
        position += 1
        for bit in range(8):
            if control >> bit & 1:
                reference = int.from_bytes(data[position : position + 2], "big")
                position += 2
                start = reference >> 4
                if start == written % _WINDOW or position > len(data):
                    return bytes(output)
                for step in range((reference & 15) + 2):
                    put(window[(start + step) % _WINDOW])
            elif position < len(data):
                put(data[position])
                position += 1
    return bytes(output[:size])
