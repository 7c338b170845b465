"""The part of a text that answers a query best, with the places that match it.

Matching works on normalised text; the marks lie on the original. Whole parts of the query are looked for first, then
its words, then its pairs of characters, and marks that touch become one.
"""

from __future__ import annotations

from dataclasses import dataclass

import regex

from locator_search.model import Matching
from locator_search.text.cutting import ELLIPSIS, grapheme_boundary, sentence_spans
from locator_search.text.matching import Mark, find_marks
from locator_search.text.variants.finding import ALL_RULES

_LONGEST_TEXT = 20_000
"""Characters of a text that are looked at; chunks are far shorter."""

_LONGEST_WORD = 20
_REPEATED = 0.2
"""The value of each further match of the same words; the first one counts 1."""

_WHITE_SPACE = regex.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of a text on one line. `highlights` are (start, end) offsets into `text`, in order and apart."""

    text: str
    highlights: tuple[tuple[int, int], ...] = ()


def make_snippet(text: str, query: str, max_length: int = 160, matching: Matching = ALL_RULES) -> Snippet:
    """At most `max_length` characters of the text around its best matches; its beginning when nothing matches."""
    line = _WHITE_SPACE.sub(" ", text[:_LONGEST_TEXT]).rstrip()
    marks = find_marks(line, query, matching)
    start, end = (0, len(line)) if len(line) <= max_length else _window(line, marks, max_length)
    before = ELLIPSIS if start > 0 else ""
    after = ELLIPSIS if end < len(line) else ""
    shift = len(before) - start
    highlights = tuple(
        (max(mark.start, start) + shift, min(mark.end, end) + shift)
        for mark in marks
        if mark.start < end and mark.end > start
    )
    return Snippet(before + line[start:end] + after, highlights)


def _window(line: str, marks: list[Mark], max_length: int) -> tuple[int, int]:
    room = max(1, max_length - 2 * len(ELLIPSIS))
    first, last = _best_marks(marks, room)
    start = _start(line, first, last, room)
    end = _word_boundary(line, grapheme_boundary(line, start + room))
    return start, end if end > start else min(start + room, len(line))


def _best_marks(marks: list[Mark], room: int) -> tuple[int, int]:
    """(start of the first, end of the last) of the marks that together weigh most and fit into the room."""
    best, best_weight = (0, 0), 0.0
    for index, first in enumerate(marks):
        weight, seen = 0.0, set()
        for mark in marks[index:]:
            if mark.end - first.start > room:
                break
            weight += mark.weight * (_REPEATED if mark.needle in seen else 1.0)
            seen.add(mark.needle)
            if weight > best_weight:
                best, best_weight = (first.start, mark.end), weight
    return best


def _start(line: str, first: int, last: int, room: int) -> int:
    """Where the sentence of the first mark begins, if all marks still fit; else a little before the first mark."""
    sentence = max((start for start, _ in sentence_spans(line) if start <= first), default=0)
    if last - sentence <= room and first - sentence <= room // 2:
        start = sentence
    else:
        start = first - (room - (last - first)) // 4
    return _word_boundary(line, grapheme_boundary(line, max(0, min(start, len(line) - room))))


def _word_boundary(line: str, position: int) -> int:
    """`position`, or the beginning of the Latin word it lies in, where that is near."""
    for earlier in range(position, max(0, position - _LONGEST_WORD), -1):
        if earlier == len(line) or not (
            line[earlier - 1 : earlier + 1].isascii() and line[earlier - 1 : earlier + 1].isalnum()
        ):
            return earlier
    return position
