"""Text that every store and page can take: no control characters, no half characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from locator_search.model import Block

_LINE_ENDS = re.compile("\r\n?|[\v\x85\u2028\u2029]")
# PostgreSQL refuses NUL; a form feed would count as a page; lone surrogates cannot be written as UTF-8.
_UNWANTED = re.compile("[\x00-\x08\x0c\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
_ROWS_PER_BLOCK = 200
_LONGEST_NAME = 200


def clean(text: str) -> str:
    """`text` with `\\n` as its only line end and without control characters other than tab."""
    return _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))


def one_line(text: str) -> str:
    """`text` with every run of white space as one space."""
    return " ".join(text.split())


def shown_name(name: str) -> str:
    """A name from inside a file, fit for a heading and a sentence."""
    return one_line(clean(name))[:_LONGEST_NAME]


def table_blocks(rows: Iterable[list[str]], page: int | None = None) -> Iterator[Block]:
    """A table as blocks: one line per row, cells parted by tabs, empty rows left out.

    A long table comes in several blocks, so that its beginning is there when time runs out.
    """
    lines = ("\t".join(one_line(cell) for cell in row).rstrip() for row in rows)
    filled = (line for line in lines if line.strip())
    while piece := list(islice(filled, _ROWS_PER_BLOCK)):
        yield Block("table", "\n".join(piece), page=page)
