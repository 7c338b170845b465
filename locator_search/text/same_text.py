"""The key that equal texts have in common, whatever kind of file they were read from. Pure."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter

import regex

LEAST_PAIRS = 30
"""Different pairs of characters from which a text tells something: the stamp that a scanner puts on every page, or a
title alone, is the whole text of many files."""

_PAGE_NUMBER = regex.compile(
    r"\W*(?:page|p)?\W*(?P<page>\d+)(?:\s*(?:/|of)\s*\d+)?\W*(?:ページ|頁)?\W*", regex.IGNORECASE
)


def text_key(text: str) -> str | None:
    """A hash of the letters and digits of a text, without what layout adds: line ends, marks of lists and tables, and
    page numbers and running titles at the edges of pages (which form feeds part). None where there is too little."""
    written = unicodedata.normalize("NFKC", _without_edges(text)).casefold()
    letters = "".join(letter for letter in written if letter.isalnum())
    if len({letters[place : place + 2] for place in range(len(letters) - 1)}) < LEAST_PAIRS:
        return None
    return hashlib.sha256(letters.encode("utf-8", "replace")).hexdigest()


def _without_edges(text: str) -> str:
    """The text without the first and last lines of pages that are the number of the page, or the same on most pages."""
    pages = [[line for line in page.splitlines() if line.strip()] for page in text.split("\f")]
    edges = Counter(line for page in pages if page for line in {page[0], page[-1]})
    usual = {line for line, times in edges.items() if times > 2 and times > len(pages) / 2}
    for number, page in enumerate(pages, start=1):
        for end in (-1, 0):
            while page and (page[end] in usual or _is_number_of(number, page[end])):
                page.pop(end)
    return "\n".join(line for page in pages for line in page)


def _is_number_of(page: int, line: str) -> bool:
    written = _PAGE_NUMBER.fullmatch(unicodedata.normalize("NFKC", line))
    return written is not None and int(written["page"]) == page
