"""Ids for `fetch`: that of a document, with `#part=2` after it for a later part of a long text."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST_ID = 500
"""Characters. What is longer is no id of any source."""

_PART = re.compile(r"(?P<file_id>.+?)(?:#part=(?P<number>[1-9]\d{0,6}))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class DocumentId:
    """The number of a part, from 1, of a file."""

    file_id: str
    part: int = 1

    def __str__(self) -> str:
        return self.file_id if self.part == 1 else f"{self.file_id}#part={self.part}"


def parsed(text: str) -> DocumentId | None:
    """Parse an id; None for a text that cannot be one."""
    found = _PART.fullmatch(text.strip()[: LONGEST_ID + 1])
    if found is None or len(found["file_id"]) > LONGEST_ID or not found["file_id"].isprintable():
        return None
    return DocumentId(found["file_id"], int(found["number"] or 1))
