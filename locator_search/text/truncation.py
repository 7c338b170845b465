"""Cutting text to a length without cutting a character as people see it."""

from __future__ import annotations

import regex

_GRAPHEME = regex.compile(r"\X")


def truncate(text: str, max_length: int) -> str:
    """At most `max_length` code points, cut between graphemes, ending in `…` where something was left out."""
    text = text.strip()
    if len(text) <= max_length:
        return text
    end = 0
    for grapheme in _GRAPHEME.finditer(text):
        if grapheme.end() > max_length - 1:
            break
        end = grapheme.end()
    return text[:end].rstrip() + "…"
