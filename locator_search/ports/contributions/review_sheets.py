"""Review sheets: an analysis in the form in which it is handed around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line of a review sheet. `marked` lines stand out: they are not supported. `sources` are printed below it."""

    text: str
    sources: tuple[str, ...] = ()
    marked: bool = False
    inserted: bool = False
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class SheetSection:
    """A heading and what stands below it."""

    title: str
    lines: tuple[SheetLine, ...]


@dataclass(frozen=True, slots=True)
class ReviewSheet:
    """An analysis as a document: title, facts as (name, value), sections."""

    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[SheetSection, ...]


class SheetWriter(Protocol):
    """Writes review sheets in one format."""

    suffix: str
    mime_type: str

    def write(self, sheet: ReviewSheet) -> bytes:
        """The whole file."""
        ...
