"""CSV and tab-separated tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from locator_search.adapters.extractors.cleaning import clean, table_blocks
from locator_search.adapters.extractors.limits import MAX_CELLS, MAX_CHARACTERS
from locator_search.adapters.extractors.outcome import Notes
from locator_search.adapters.extractors.text_formats.plain_text import read_text
from locator_search.model import Block

_DELIMITERS = (",", "\t", ";")
_LINES_LOOKED_AT = 50


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """The rows of a table, whichever delimiter it uses."""
    text = clean(read_text(data, notes))
    csv.field_size_limit(MAX_CHARACTERS)
    return table_blocks(_rows(text, _delimiter(text), notes))


def _rows(text: str, delimiter: str, notes: Notes) -> Iterator[list[str]]:
    cells = 0
    for row in csv.reader(io.StringIO(text), delimiter=delimiter):
        cells += len(row)
        if cells > MAX_CELLS:
            notes.shortfalls.append(f"Only the first {MAX_CELLS:,} cells were read.")
            return
        yield row


def _delimiter(text: str) -> str:
    """The delimiter that most lines at the beginning contain; title rows above the header have none."""
    lines = text.split("\n", _LINES_LOOKED_AT)[:_LINES_LOOKED_AT]
    return max(_DELIMITERS, key=lambda delimiter: sum(delimiter in line for line in lines))
