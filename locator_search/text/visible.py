"""Characters that a reader cannot see, and that change what the others look like or do. Pure."""

from __future__ import annotations

import re

_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
"""C0 without tab and line feed, and C1: a terminal obeys them."""
_DIRECTION = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""They can reverse a part of a file name ("exe.fdp" for "pdf.exe")."""
_NOT_THERE = r"\u00ad\u180e\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
"""Of no width: words that look whole and are not, and tags that only a model reads."""
_LONE_SURROGATES = r"\ud800-\udfff"

_INVISIBLE = re.compile(f"[{_CONTROLS}{_DIRECTION}{_NOT_THERE}{_LONE_SURROGATES}]")
_UNPRINTABLE = re.compile(f"[{_CONTROLS}\t\n{_DIRECTION}{_LONE_SURROGATES}\u2028\u2029]")


def visible(text: str) -> str:
    """The text without these characters; tabs and line feeds stay."""
    return _INVISIBLE.sub("", text)


def printable(text: str) -> str:
    """The text on one line, a space in the place of each control character, direction mark and lone surrogate; its
    length stays the same."""
    return _UNPRINTABLE.sub(" ", text)


def printable_lines(text: str) -> str:
    """The same with line feeds left."""
    return "\n".join(map(printable, text.split("\n")))
