"""CSV and tab-separated tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from locator_search.adapters.extractors.cells import CellLimit
from locator_search.adapters.extractors.cleaning import clean, table_blocks
from locator_search.adapters.extractors.limits import MAX_CHARACTERS
from locator_search.adapters.extractors.outcome import Notes
from locator_search.adapters.extractors.text_formats.plain_text import read_text
from locator_search.model import Block

_DELIMITERS = (",", "\t", ";")
_LINES_LOOKED_AT = 50


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """The rows of a table, whichever delimiter it uses."""
    text = clean(read_text(data, notes))
    csv.field_size_limit(MAX_CHARACTERS)
    return table_blocks(CellLimit(notes).within(csv.reader(io.StringIO(text), delimiter=_delimiter(text))))


def _delimiter(text: str) -> str:
    """The delimiter that most lines at the beginning contain; title rows above the header have none."""
    lines = text.split("\n", _LINES_LOOKED_AT)[:_LINES_LOOKED_AT]
    return max(_DELIMITERS, key=lambda delimiter: sum(delimiter in line for line in lines))
