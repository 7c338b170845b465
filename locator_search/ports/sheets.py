"""Sheets: a result in the form in which it is handed around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

SheetFormat = Literal["csv", "docx", "md", "xlsx"]


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line of a sheet. `marked` lines stand out: they are not supported. `sources` are printed below it."""

    text: str
    sources: tuple[str, ...] = ()
    marked: bool = False
    inserted: bool = False
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table; every row has a cell for each column. A cell may have several lines."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SheetSection:
    """A heading and what stands below it: lines, a table or both."""

    title: str
    lines: tuple[SheetLine, ...] = ()
    table: SheetTable | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A result as a document: title, facts as (name, value), sections."""

    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[SheetSection, ...]


class SheetWriter(Protocol):
    """Writes sheets in one format."""

    suffix: str
    mime_type: str

    def write(self, sheet: Sheet) -> bytes:
        """The whole file."""
        ...
