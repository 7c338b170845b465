"""The tree that Markdown of others is parsed to; it cannot hold a link, an image or HTML. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """Words; a line feed is one in the source, not a break."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Words in a fixed width."""

    text: str


@dataclass(frozen=True, slots=True)
class Citation:
    """The number of a piece of evidence."""

    number: int


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A break that was asked for."""


@dataclass(frozen=True, slots=True)
class Marked:
    """Emphasis, strong emphasis, or words struck through."""

    kind: Literal["em", "strong", "s"]
    parts: tuple[Inline, ...]


Inline: TypeAlias = Text | Code | Citation | LineBreak | Marked


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together."""

    parts: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A title, of level 1 to 6."""

    level: int
    parts: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines in a fixed width."""

    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Blocks of somebody else."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list, numbered from `first`, or with bullets."""

    items: tuple[tuple[Block, ...], ...]
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the head first."""

    rows: tuple[tuple[tuple[Inline, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""


Block: TypeAlias = Paragraph | Heading | CodeBlock | Quote | Items | Table | Rule
