"""OLE compound files (MS-CFB): the container of Word, Excel and PowerPoint 97-2003, of messages and encrypted OOXML."""

from __future__ import annotations

import struct
from typing import NamedTuple

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LAST_SPECIAL = 0xFFFFFFFA  # from here on sector numbers mean "free", "end of chain" and the like
_NO_ENTRY = 0xFFFFFFFF
_HEADER_DIFAT = 109
_ENTRY_BYTES = 128
_STREAM = 2


class _Entry(NamedTuple):
    name: str
    kind: int
    left: int
    right: int
    child: int
    start: int
    size: int


class CompoundFile:
    """The streams at the top level of one file. Raises ValueError or struct.error when it is damaged."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        shift, mini_shift = struct.unpack_from("<HH", data, 30)
        if shift not in (9, 12) or mini_shift != 6:
            raise ValueError("no compound file")
        self._sector = 1 << shift
        self._mini_sector = 1 << mini_shift
        directory, self._mini_cutoff, mini_fat = struct.unpack_from("<I4xII", data, 48)
        self._fat = self._file_allocation_table()
        content = self._chain(directory)
        self._entries = [_entry(content, offset) for offset in range(0, len(content) - _ENTRY_BYTES + 1, _ENTRY_BYTES)]
        if not self._entries:
            raise ValueError("no directory")
        self._mini_fat = _integers(self._chain(mini_fat)) if mini_fat < _LAST_SPECIAL else ()
        self._mini_stream = self._chain(self._entries[0].start) if self._mini_fat else b""
        self._streams = {entry.name: entry for entry in self._top_level() if entry.kind == _STREAM}

    @property
    def names(self) -> frozenset[str]:
        """Names of the streams at the top level."""
        return frozenset(self._streams)

    def stream(self, name: str) -> bytes:
        """The content of one stream; KeyError when there is none."""
        entry = self._streams[name]
        if entry.size >= self._mini_cutoff:
            return self._chain(entry.start)[: entry.size]
        sectors = _follow(self._mini_fat, entry.start)
        size = self._mini_sector
        return b"".join(self._mini_stream[sector * size : (sector + 1) * size] for sector in sectors)[: entry.size]

    def _file_allocation_table(self) -> tuple[int, ...]:
        """The table that chains sectors; the header lists its first 109 sectors, further ones list the rest."""
        sectors = list(struct.unpack_from(f"<{_HEADER_DIFAT}I", self._data, 76))
        following, count = struct.unpack_from("<II", self._data, 68)
        for _ in range(min(count, len(self._data) // self._sector)):
            if following >= _LAST_SPECIAL:
                break
            *more, following = _integers(self._read(following))
            sectors += more
        return tuple(number for sector in sectors if sector < _LAST_SPECIAL for number in _integers(self._read(sector)))

    def _chain(self, start: int) -> bytes:
        return b"".join(self._read(sector) for sector in _follow(self._fat, start))

    def _read(self, sector: int) -> bytes:
        """One sector; the last one of a file may be cut short."""
        offset = (sector + 1) * self._sector
        return self._data[offset : offset + self._sector].ljust(self._sector, b"\0")

    def _top_level(self) -> list[_Entry]:
        """The entries of the root storage, which form a binary tree."""
        found: list[_Entry] = []
        waiting, seen = [self._entries[0].child], set[int]()
        while waiting:
            number = waiting.pop()
            if number < len(self._entries) and number not in seen:
                seen.add(number)
                entry = self._entries[number]
                found.append(entry)
                waiting += [entry.left, entry.right]
        return found


def _follow(table: tuple[int, ...], start: int) -> list[int]:
    """The sector numbers of a chain; ValueError when it loops."""
    chain: list[int] = []
    while start < len(table):
        chain.append(start)
        if len(chain) > len(table):
            raise ValueError("a chain of sectors loops")
        start = table[start]
    return chain


def _integers(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])


def _entry(content: bytes, offset: int) -> _Entry:
    raw, length, kind, left, right, child = struct.unpack_from("<64sHBxIII", content, offset)
    start, size = struct.unpack_from("<II", content, offset + 116)
    name = raw[: max(length - 2, 0)].decode("utf-16-le", "replace")
    return _Entry(name, kind, left, right, child, start, size)
