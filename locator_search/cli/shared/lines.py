"""One line on the terminal. What is not ours is printed as text: no markup, no control characters."""

from __future__ import annotations

from rich.text import Text

from locator_search.cli.shared.output import console
from locator_search.text.visible import printable

INDENT = " " * 4


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
