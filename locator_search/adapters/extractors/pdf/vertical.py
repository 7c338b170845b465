"""Pages of vertical Japanese, whose columns run from right to left.

PDFium orders what stands side by side from left to right, which turns the columns of such a page around, and it sees
spaces and line ends between letters that lie on their side. Both are put right here, and nothing else: the boxes of
characters in vertical fonts are not to be trusted along the column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

_JAPANESE = ("\u3041", "\u9fff")
_FEWEST_PAIRS = 4
# Shares of a character's size: a space between letters, the farthest next character, the same column.
_SPACE = 0.15
_NEAR = 1.6
_SAME_COLUMN = 0.6


class Glyph(NamedTuple):
    """One character and its box in points; y grows upwards. `turned` is a letter that lies on its side; `before` is
    what PDFium saw between it and the one before."""

    character: str
    left: float
    bottom: float
    right: float
    top: float
    turned: bool = False
    before: Literal["", " ", "\n"] = ""

    @property
    def middle(self) -> float:
        """Where its column runs."""
        return (self.left + self.right) / 2

    @property
    def size(self) -> float:
        """The longer side of the box."""
        return max(self.right - self.left, self.top - self.bottom, 0.1)


def is_vertical(glyphs: Sequence[Glyph]) -> bool:
    """Whether most Japanese characters are followed by one below rather than beside them."""
    below = beside = 0
    for first, second in pairwise(glyphs):
        if all(_JAPANESE[0] <= glyph.character <= _JAPANESE[1] for glyph in (first, second)):
            across, down = abs(second.left - first.left), abs(second.bottom - first.bottom)
            if max(across, down) < first.size * _NEAR:
                below += down > across
                beside += across >= down
    return below > beside and below >= _FEWEST_PAIRS


def vertical_text(glyphs: Sequence[Glyph]) -> str:
    """The columns of a page as lines, in reading order."""
    columns: list[_Column] = []
    for glyph in glyphs:
        if not columns or not columns[-1].take(glyph):
            columns.append(_Column(glyph.character, glyph, glyph))
    ordered: list[_Column] = []
    turned_around: list[_Column] = []
    for column in columns:
        if turned_around and not turned_around[-1].lies_left_of(column):
            ordered += reversed(turned_around)
            turned_around = []
        turned_around.append(column)
    ordered += reversed(turned_around)
    return "\n".join(column.text for column in ordered)


@dataclass(slots=True)
class _Column:
    """Characters between two line ends that are real."""

    text: str
    first: Glyph
    last: Glyph

    def take(self, glyph: Glyph) -> bool:
        """Add the next character unless it begins another column; whether it was added."""
        if glyph.before and self._ends_before(glyph):
            return False
        self.text += _between(self.last, glyph) + glyph.character
        self.last = glyph
        return True

    def _ends_before(self, glyph: Glyph) -> bool:
        across = abs(glyph.middle - self.last.middle) > glyph.size * _SAME_COLUMN
        same_line = abs(glyph.bottom - self.last.bottom) < glyph.size * _SAME_COLUMN  # a page number is not vertical
        return across and (glyph.before == "\n" or not same_line)

    def lies_left_of(self, other: _Column) -> bool:
        """Whether the columns stand side by side in the wrong order."""
        apart = other.first.middle - self.first.middle > self.first.size * _SAME_COLUMN
        overlap = self.first.top > other.last.bottom and other.first.top > self.last.bottom
        return apart and overlap


def _between(first: Glyph, second: Glyph) -> str:
    if not second.before:
        return ""
    if first.turned and second.turned:
        return " " if first.bottom - second.top > second.size * _SPACE else ""
    return "" if all(glyph.character >= _JAPANESE[0] for glyph in (first, second)) else " "
