"""OLE containers of damaged files: olefile reads on where a chain of sectors loops, which gives text that is none."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from olefile import OleFileIO


def open_container(data: bytes) -> OleFileIO:
    """The container, its directory followed to the end. Raises OSError, ValueError, IndexError or struct.error for
    what is none."""
    container = OleFileIO(BytesIO(data))
    _require_end(container.fat, container.first_dir_sector)
    return container


def read_stream(container: OleFileIO, name: str) -> bytes:
    """The content of a stream, `/` between storages. Raises OSError where there is none, ValueError where it loops."""
    entry = container.root
    for step in name.lower().split("/"):
        entry = entry.kids_dict.get(step) if entry is not None else None
    if entry is not None and entry.is_minifat:
        container.loadminifat()
        _require_end(container.fat, container.root.isectStart)
        _require_end(container.minifat, entry.isectStart)
    elif entry is not None:
        _require_end(container.fat, entry.isectStart)
    content: bytes = container.openstream(name).read()
    return content


def _require_end(table: Sequence[int], sector: int) -> None:
    followed = 0
    while sector < len(table):
        followed += 1
        if followed > len(table):
            raise ValueError("a chain of sectors loops")
        sector = table[sector]
