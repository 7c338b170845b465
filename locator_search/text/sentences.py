"""Sentences of Japanese and English text.

A sentence ends at 。！？ or at a full stop before a space, with the closing brackets that follow, but not inside
brackets (「はい。そうです。」と言った。 is one). A line break always ends one, and forgives brackets that stay open.
"""

from __future__ import annotations

import regex

_OPENING, _CLOSING = "「『（(【［[〈《“", "」』）)】］]〉》”"
_ABBREVIATION = regex.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|no|vol|fig|e\.g|i\.e|etc|vs|inc|ltd|co|st)|\b[a-z])$", regex.I
)
_TOKEN = regex.compile(rf"\n|\f|[{regex.escape(_OPENING + _CLOSING)}]|[。！？!?．]+|\.(?=\s|$)")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence without the white space around it, in order."""
    spans: list[tuple[int, int]] = []
    start = depth = 0
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if token.start() < start:  # a bracket that already belongs to the last sentence
            continue
        if mark in "\n\f":
            _add(spans, text, start, token.start())
            start, depth = token.end(), 0
        elif mark in _OPENING:
            depth += 1
        elif mark in _CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0 and not (mark == "." and _ABBREVIATION.search(text, start, token.start())):
            end = _after_closing(text, token.end())
            _add(spans, text, start, end)
            start = end
    _add(spans, text, start, len(text))
    return spans


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order."""
    return [text[start:end] for start, end in sentence_spans(text)]


def _after_closing(text: str, end: int) -> int:
    while end < len(text) and text[end] in _CLOSING + "\"'":
        end += 1
    return end


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + len(piece) - len(piece.lstrip())
        spans.append((first, first + len(stripped)))
