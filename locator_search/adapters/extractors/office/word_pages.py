"""Whether the page marks in a Word document can be those of its pages.

Word marks page breaks when it has laid a document out, which it does piece by piece: one that was saved before the end,
as change requests often are, has marks for its first pages only, and all that follows would stand on the last of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from unicodedata import east_asian_width

from locator_search.model import Block

FULLEST_PAGE = 8_000
"""Characters that a page can hold at most, deleted ones among them; a wide one takes the room of two. The fullest of
the development set holds 6,551; three of five real change requests had a "page" with 9,248 to 96,201."""


class BelievedPages:
    """Passes blocks on, without pages from where a page holds more than a page can."""

    def __init__(self) -> None:
        self.lost = False

    def of(self, blocks: Iterator[Block]) -> Iterator[Block]:
        """The blocks in their order. The one that overfills a page still begins on it."""
        page, room = None, FULLEST_PAGE
        for block in blocks:
            if block.page != page:
                page, room = block.page, FULLEST_PAGE
            yield replace(block, page=None) if self.lost else block
            room -= _width(block) if block.kind != "picture" else 0
            self.lost = self.lost or (page is not None and room < 0)


def _width(block: Block) -> int:
    return sum(
        len(text) if text.isascii() else sum(1 + (east_asian_width(character) in "WF") for character in text)
        for text in (block.text, *(change.text for change in block.changes if change.kind == "delete"))
    )
