"""One normalisation for questions, file texts and file names, so that both sides of a match look alike.

Unicode NFKC, then what NFKC leaves alone and people type either way: old forms of kanji in names (髙 and 高), the
many dashes, the wave dash, variation selectors and zero-width characters. Everything becomes lower case.

And the key that equal texts have in common, whatever kind of file they were read from.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from functools import lru_cache

import regex

from locator_search.text.cutting import JOINED
from locator_search.text.old_kanji import MODERN_KANJI

_INVISIBLE = regex.compile(
    r"[\ud800-\udfff\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    r"\ufe00-\ufe0f\U000e0000-\U000e0fff]"
)
"""Zero-width characters, direction marks, variation selectors, and the lone surrogates of broken file names: they carry
no meaning a search could use."""

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2500\u2501\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_WAVES = "\u301c\u3030\u223c\u223e\uff5e\u02dc"
_SIGNS = dict.fromkeys(map(ord, _DASHES), "-") | dict.fromkeys(map(ord, _WAVES), "~")
_FOLDED = MODERN_KANJI | _SIGNS | str.maketrans("ς‘’“”", "σ''\"\"")
_FOLDABLE = frozenset(map(chr, _FOLDED))
_OLD_KANJI = frozenset(map(chr, MODERN_KANJI))
_LONG_VOWELS_AS_DASH = regex.compile(r"(?<![ぁ-ゖァ-ヺー])ー+")
"""ー lengthens a kana; after anything else (2024ー09) somebody meant a dash."""

_SAITO = regex.compile("斉(?=藤)")
"""斉 and 斎 are two kanji, but of 斉藤, 斎藤, 齊藤 and 齋藤 nobody remembers which one a person writes."""

_GRAPHEME = regex.compile(r"\X")


def normalise(text: str) -> str:
    """The form in which texts are compared. Idempotent; lengths may change (㈱ becomes three characters)."""
    if text.isascii():
        return text.lower()
    return _fold_in_context(_fold(_INVISIBLE.sub("", text)))


def normalise_with_offsets(text: str) -> tuple[str, list[int]]:
    """`normalise(text)` and, for each of its characters, the index in `text` of the grapheme it comes from.

    One more entry than characters; the last is `len(text)`. `original_span` turns a match into a span of `text`.
    """
    if text.isascii():
        return text.lower(), list(range(len(text) + 1))
    visible, places = _visible_characters(text)
    joined = JOINED.search(visible) is not None
    if not joined and len(folded := _fold(visible)) == len(visible):  # every character became one
        return _fold_in_context(folded), [*places, len(text)]
    parts: list[str] = []
    offsets: list[int] = []
    start = 0
    for grapheme in _GRAPHEME.findall(visible) if joined else visible:
        folded, end = _fold_grapheme(grapheme), start + len(grapheme)
        parts.append(folded)
        if len(folded) == len(grapheme):
            offsets.extend(places[start:end])
        else:
            offsets.extend([places[start]] * len(folded))
        start = end
    offsets.append(len(text))
    return _fold_in_context("".join(parts)), offsets


def original_span(offsets: list[int], start: int, end: int) -> tuple[int, int]:
    """The span of the original that a non-empty match [start:end] of the normalised text covers, never empty."""
    first, after = offsets[start], end
    while offsets[after] == offsets[end - 1]:  # the match ends inside what was one character, as 株 in ㈱
        after += 1
    return first, offsets[after]


def compatible(text: str) -> str:
    """The text in half and full width as usual, visible characters only, with one kind of dash; letters and kanji stay
    as they are."""
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).translate(_SIGNS)


def with_modern_kanji(text: str) -> str:
    """The text with old forms of kanji replaced (髙 by 高), every character at its place."""
    return text if _OLD_KANJI.isdisjoint(text) else text.translate(MODERN_KANJI)


def _visible_characters(text: str) -> tuple[str, list[int]]:
    if not _INVISIBLE.search(text):
        return text, list(range(len(text)))
    places = [index for index, character in enumerate(text) if not _INVISIBLE.match(character)]
    return "".join(text[index] for index in places), places


def _fold(text: str) -> str:
    folded = _translated(_translated(unicodedata.normalize("NFKC", text)).lower())
    return folded if folded.isascii() else unicodedata.normalize("NFKC", folded)


def _translated(text: str) -> str:
    # Most texts hold none of these, and to look for them takes half as long as to replace them.
    return text if _FOLDABLE.isdisjoint(text) else text.translate(_FOLDED)


@lru_cache(maxsize=16_384)
def _fold_grapheme(grapheme: str) -> str:
    """Texts are made of few different characters, and a snippet is looked for in twenty of them for each question."""
    return _fold(grapheme)


def _fold_in_context(text: str) -> str:
    """Fold the characters whose form depends on their neighbours. Lengths stay the same."""
    text = _SAITO.sub("斎", text)
    return _LONG_VOWELS_AS_DASH.sub(lambda match: "-" * len(match.group()), text)


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
