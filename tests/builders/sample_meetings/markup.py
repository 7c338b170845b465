"""Contributions as lists of simple parts, written as WordprocessingML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.builders.files.word import PAGE_MARK, paragraph, run, table

CHANGED_AT = "2025-08-11T09:00:00Z"


@dataclass(frozen=True)
class Ins:
    """Text that was inserted as a tracked change."""

    text: str
    author: str = "Aoki (Kaede Telecom)"

    def xml(self, number: int) -> str:
        inside = f"<w:r><w:t xml:space='preserve'>{self.text}</w:t></w:r>"
        return f'<w:ins w:id="{number}" w:author="{self.author}" w:date="{CHANGED_AT}">{inside}</w:ins>'


@dataclass(frozen=True)
class Del:
    """Text that was deleted as a tracked change."""

    text: str
    author: str = "Aoki (Kaede Telecom)"

    def xml(self, number: int) -> str:
        inside = f"<w:r><w:delText xml:space='preserve'>{self.text}</w:delText></w:r>"
        return f'<w:del w:id="{number}" w:author="{self.author}" w:date="{CHANGED_AT}">{inside}</w:del>'


Inline = str | Ins | Del


@dataclass(frozen=True)
class Heading:
    """A heading; `clause` stands before the title, as people type it in contributions."""

    clause: str
    title: str
    level: int = 1

    def xml(self, _number: int) -> str:
        text = f"{self.clause}</w:t><w:tab/><w:t>{self.title}" if self.clause else self.title
        return (
            f'<w:p><w:pPr><w:pStyle w:val="{min(self.level, 2)}"/><w:outlineLvl w:val="{self.level - 1}"/></w:pPr>'
            f"<w:r><w:t>{text}</w:t></w:r></w:p>"
        )


@dataclass(frozen=True, init=False)
class Para:
    """A paragraph of plain, inserted and deleted text."""

    parts: tuple[Inline, ...]

    def __init__(self, *parts: Inline) -> None:
        object.__setattr__(self, "parts", parts)

    def xml(self, number: int) -> str:
        written = (
            run(part) if isinstance(part, str) else part.xml(number * 100 + place)
            for place, part in enumerate(self.parts)
        )
        return paragraph(inside="".join(written))


@dataclass(frozen=True)
class Table:
    """Rows of texts."""

    rows: Sequence[Sequence[str]] = field(default_factory=tuple)

    def xml(self, _number: int) -> str:
        return table(*[list(row) for row in self.rows])


@dataclass(frozen=True)
class NewPage:
    """Where Word began a new page when it last laid the document out."""

    def xml(self, _number: int) -> str:
        return paragraph(inside=f'<w:r><w:br w:type="page"/></w:r>{PAGE_MARK}')


Part = Heading | Para | Table | NewPage


def body_of(parts: Sequence[Part]) -> str:
    """The XML inside `w:body`."""
    return "".join(part.xml(number) for number, part in enumerate(parts, start=1))
