"""One line on the terminal. What is not ours is printed as text: no markup, no control characters."""

from __future__ import annotations

import unicodedata

from rich.text import Text

from locator_search.cli.output import console

DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """The text with each control character and direction mark replaced by a space; its length stays the same."""
    return "".join(
        " " if unicodedata.category(letter) == "Cc" or letter in DIRECTION_MARKS else letter for letter in text
    )


def show_line(*parts: str | tuple[str, str] | Text) -> None:
    """Print one line; parts are texts, or (text, style)."""
    line = Text()
    for part in parts:
        if isinstance(part, Text):
            line.append_text(part)
        elif isinstance(part, tuple):
            line.append(printable(part[0]), style=part[1])
        else:
            line.append(printable(part))
    console.print(line, soft_wrap=True)
