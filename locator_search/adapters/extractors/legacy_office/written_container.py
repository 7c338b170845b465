"""OLE containers written anew (MS-CFB), so that an object which lies piecemeal in a file can be read like any file.

Only what our readers need is written: sectors of 4 KB, every stream filled up to a whole sector, since shorter ones
would need a second table, and directories as balanced trees.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from olefile import MAGIC

_SECTOR = 4096
_END, _FREE, _TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_NUMBERS = _SECTOR // 4
_MOST_TABLES = 109  # those that the header names, for 450 MB
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_BLACK = 1

Path = tuple[str, ...]


@dataclass(slots=True)
class _Entry:
    name: str
    kind: int
    left: int = _FREE
    right: int = _FREE
    child: int = _FREE
    start: int = 0
    size: int = 0

    def written(self) -> bytes:
        """The 128 bytes of the entry. A name has 31 characters at most."""
        name = self.name.encode("utf-16-le", "surrogatepass")[:62]
        return struct.pack(
            "<64sHBBIII36xIQ", name, len(name) + 2, self.kind, _BLACK, self.left, self.right, self.child, self.start,
            self.size,
        )  # fmt: skip


def container_of(streams: Mapping[Path, bytes]) -> bytes:
    """A container with these streams at their paths. Raises ValueError where they are too large for one."""
    entries = _directory(streams)
    folder_sectors = _sectors(128 * len(entries))
    used = folder_sectors + sum(max(_sectors(len(content)), 1) for content in streams.values())
    tables = -(-used // (_NUMBERS - 1))
    if tables > _MOST_TABLES:
        raise ValueError("too large for one container")
    table = [_TABLE] * tables
    _chain(table, folder_sectors)
    for path, content in streams.items():
        entry = entries[path]
        entry.start, entry.size = len(table), max(len(content), _SECTOR)
        _chain(table, max(_sectors(len(content)), 1))
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII", MAGIC, 0x3E, 4, 0xFFFE, 12, 6, folder_sectors, tables, tables, 0, _SECTOR, _END, 0,
        _END, 0,
    )  # fmt: skip
    named = struct.pack(f"<{_MOST_TABLES}I", *range(tables), *[_FREE] * (_MOST_TABLES - tables))
    numbers = struct.pack(f"<{tables * _NUMBERS}I", *table, *[_FREE] * (tables * _NUMBERS - len(table)))
    directory = b"".join(entry.written() for entry in entries.values())
    return b"".join(
        [_filled(header + named), numbers, _filled(directory), *(_filled(content) for content in streams.values())]
    )


def _directory(paths: Mapping[Path, bytes]) -> dict[Path, _Entry]:
    """The entries of the root, of storages and streams, by their path, in the order of their numbers."""
    known = dict.fromkeys(path[:length] for path in paths for length in range(1, len(path) + 1))
    entries = {(): _Entry("Root Entry", _ROOT, start=_END)} | {
        path: _Entry(path[-1], _STREAM if path in paths else _STORAGE) for path in known
    }
    numbers = {path: number for number, path in enumerate(entries)}
    inside: dict[Path, list[Path]] = {}
    for path in known:
        inside.setdefault(path[:-1], []).append(path)
    for above, members in inside.items():
        ordered = sorted(members, key=lambda path: (len(path[-1]), path[-1].upper()))
        entries[above].child = _tree(ordered, entries, numbers)
    return entries


def _tree(paths: Sequence[Path], entries: Mapping[Path, _Entry], numbers: Mapping[Path, int]) -> int:
    """Link the members of a storage; the number of the one in the middle."""
    if not paths:
        return _FREE
    middle = len(paths) // 2
    entry = entries[paths[middle]]
    entry.left = _tree(paths[:middle], entries, numbers)
    entry.right = _tree(paths[middle + 1 :], entries, numbers)
    return numbers[paths[middle]]


def _chain(table: list[int], sectors: int) -> None:
    first = len(table)
    table += [*range(first + 1, first + sectors), _END]


def _sectors(size: int) -> int:
    return -(-size // _SECTOR)


def _filled(content: bytes) -> bytes:
    return content.ljust(max(_sectors(len(content)), 1) * _SECTOR, b"\0")
