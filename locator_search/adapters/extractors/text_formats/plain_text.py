"""Plain text: paragraphs are parted by blank lines, pages by form feeds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from locator_search.adapters.extractors.cleaning import clean
from locator_search.adapters.extractors.outcome import Notes
from locator_search.adapters.extractors.text_formats.encodings import decode
from locator_search.model import Block

_BLANK_LINES = re.compile(r"\n[ \t\u3000]*\n[ \t\u3000\n]*")
_TOLERATED_UNREAD_SHARE = 0.01


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Blocks of a text file. It has page numbers only when form feeds part it."""
    pages = read_text(data, notes).split("\f")
    if len(pages) > 1 and not pages[-1].strip():
        pages.pop()
    notes.page_count = len(pages) if len(pages) > 1 else None
    for number, page in enumerate(pages, start=1):
        for paragraph in _BLANK_LINES.split(clean(page)):
            if paragraph.strip():
                yield Block("paragraph", paragraph.strip("\n"), page=number if notes.page_count else None)


def read_text(data: bytes, notes: Notes) -> str:
    """The decoded text of a file; says so in `notes` when a noticeable part could not be decoded."""
    text, encoding, _ = decode(data)
    unread = text.count("\ufffd")
    if unread > len(text) * _TOLERATED_UNREAD_SHARE:
        notes.suspicions.append(f"{unread} characters could not be decoded as {encoding}; they show as \ufffd.")
    return text
