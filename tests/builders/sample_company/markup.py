"""The small markup the sample texts are written in, and the blocks every writer understands.

One source line is one block: ``# heading`` (up to ``###``), ``- bullet``, ``| cell | cell |`` (neighbouring rows form
one table, the first row is its header), ``---`` (page break), anything else a paragraph. Blank lines only separate.
A long paragraph is continued in the Python source with a backslash. ``{+inserted+}`` and ``{-deleted-}`` are tracked
changes; only the docx writer knows them.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Heading:
    """A heading; ``level`` is 1 to 3."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """One paragraph of running text."""

    text: str


@dataclass(frozen=True)
class Bullet:
    """One item of an unnumbered list."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows of cells; the first row is the header."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PageBreak:
    """A page break."""


Block = Heading | Paragraph | Bullet | Table | PageBreak

_HEADING = re.compile(r"(#{1,3}) (.+)")


def parse(text: str) -> list[Block]:
    """Read ``text`` (see the module's description) into blocks."""
    blocks: list[Block] = []
    rows: list[tuple[str, ...]] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            rows.append(tuple(cell.strip() for cell in line.strip().strip("|").split("|")))
            continue
        if rows:
            blocks.append(Table(tuple(rows)))
            rows = []
        if line.strip():
            blocks.append(_block(line.strip()))
    return blocks


def _block(line: str) -> Block:
    if heading := _HEADING.fullmatch(line):
        return Heading(len(heading[1]), heading[2])
    if line.startswith("- "):
        return Bullet(line[2:])
    if line == "---":
        return PageBreak()
    return Paragraph(line)
