"""Cuts that never break what a reader sees as one character, and prefer the end of a sentence."""

from __future__ import annotations

import unicodedata

import regex

from locator_search.text.sentences import sentence_spans

ELLIPSIS = "…"
_GRAPHEME = regex.compile(r"\X")
JOINED = regex.compile(
    r"[\r\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=Regional_Indicator}]"
)
"""Between two characters that are none of these lies a boundary between graphemes."""


def truncate(text: str, max_length: int) -> str:
    """The text in NFC, at most `max_length` code points; a cut text ends in … and between graphemes."""
    composed = unicodedata.normalize("NFC", text)
    if len(composed) <= max_length:
        return composed
    if max_length <= 0:
        return ""
    return composed[: grapheme_boundary(composed, max_length - len(ELLIPSIS))].rstrip() + ELLIPSIS


def truncate_at_sentence(text: str, max_length: int) -> str:
    """Like `truncate`, but at the end of the last whole sentence where that keeps at least half of the length."""
    composed = unicodedata.normalize("NFC", text)
    if len(composed) <= max_length:
        return composed
    ends = [end for _, end in sentence_spans(composed) if max_length // 2 <= end <= max_length]
    return composed[: ends[-1]] if ends else truncate(composed, max_length)


def grapheme_boundary(text: str, position: int) -> int:
    """The last boundary between graphemes at or before `position`."""
    if position >= len(text):
        return len(text)
    if position > 0 and not JOINED.search(text, position - 1, position + 1):
        return position  # the usual case, without a walk from the beginning
    boundary = 0
    for match in _GRAPHEME.finditer(text):
        if match.end() > position:
            break
        boundary = match.end()
    return boundary
