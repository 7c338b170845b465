"""The record of changes of one corpus: the user's own, or that of one shared drive.

As in Drive, an item has at most one entry, its latest; an entry says that the item changed and not what it was.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Literal

ChangeType = Literal["file", "drive"]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something happened to `id` at `time`; `number` grows through all logs of a tree."""

    number: int
    change_type: ChangeType
    id: str
    time: datetime


class ChangeLog:
    """Entries in the order in which they happened."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._latest: dict[tuple[ChangeType, str], int] = {}

    def record(self, entry: Entry) -> None:
        """Add an entry; an older one of the same item is no longer told."""
        self._entries.append(entry)
        self._latest[entry.change_type, entry.id] = entry.number

    def since(self, number: int, limit: int) -> list[Entry]:
        """At most `limit` entries after `number`, oldest first."""
        found: list[Entry] = []
        for position in range(bisect_right(self._entries, number, key=attrgetter("number")), len(self._entries)):
            entry = self._entries[position]
            if self._latest[entry.change_type, entry.id] == entry.number:
                found.append(entry)
                if len(found) == limit:
                    break
        return found
