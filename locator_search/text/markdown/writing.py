"""The allowed tree as Markdown in which no renderer finds anything else, and plain text as such Markdown. Pure.

What some renderers make a link of without being asked, mail addresses and names with a dot for instance, is written as
code: that is the one thing all of them leave alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from locator_search.text.markdown.addresses import like_addresses
from locator_search.text.markdown.tree import (
    Block,
    Citation,
    Code,
    CodeBlock,
    Heading,
    Inline,
    Items,
    LineBreak,
    Marked,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
)
from locator_search.text.visible import visible

MARKS = {"strong": "**", "em": "*", "s": "~~"}
_MARKUP = re.compile(
    r"""[\\`*$\[]|~(?=~)|(?<=~)~|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|:(?=[\w+-]+[:\[/])"""  # :red[ :smile:
)
_LINE_START = re.compile(r"^([ \t]*)(?:([#+\-=:>|])|(\d{1,9})(?=[.)]))", re.MULTILINE)
_BARE_PIPE = re.compile(r"(?<!\\)\|")
_AFTER_CITATION = re.compile(r"^(?=[(:])")
"""Where it could make a link or a definition of the number before it."""


def as_markdown(blocks: Sequence[Block]) -> str:
    """The text, without a line feed at its end."""
    return "\n\n".join(filter(None, map(_block, blocks)))


def text_as_markdown(text: str) -> str:
    """Plain text on one line that Markdown shows as it is."""
    return _beginnings_escaped(_line((Text(visible(text)),)))


def _block(block: Block) -> str:
    match block:
        case Paragraph(parts):
            return _beginnings_escaped(_inline(parts))
        case Heading(level, parts):
            return f"{'#' * level} {_line(parts)}" if _line(parts) else ""
        case CodeBlock(text):
            fence = _fence(text, 3)
            return f"{fence}\n{text}\n{fence}"
        case Quote(blocks):
            return _prefixed(as_markdown(blocks), "> ", "> ")
        case Items(items, first):
            marks = ["- " if first is None else f"{first + place}. " for place in range(len(items))]
            return "\n".join(_item(item, mark) for item, mark in zip(items, marks, strict=True))
        case Table(rows):
            head, *body = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
            return "\n".join([head, f"|{'---|' * len(rows[0])}", *body])
        case Rule():
            return "---"


def _item(blocks: Sequence[Block], mark: str) -> str:
    is_short = len(blocks) == 1 or (len(blocks) == 2 and isinstance(blocks[1], Items) and blocks[1].first in (None, 1))
    written = ("\n" if is_short else "\n\n").join(filter(None, map(_block, blocks)))
    return _prefixed(written, mark, " " * len(mark)).rstrip()


def _prefixed(text: str, first: str, others: str) -> str:
    head, *rest = text.split("\n")
    return "\n".join([first + head, *(f"{others}{line}".rstrip() for line in rest)])


def _cell(parts: Sequence[Inline]) -> str:
    return _BARE_PIPE.sub(r"\\|", _line(parts))


def _line(parts: Sequence[Inline]) -> str:
    return " ".join(_inline(parts).replace("\\\n", " ").split())


def _inline(parts: Sequence[Inline]) -> str:
    written = ""
    for before, part in zip((None, *parts), parts, strict=False):
        piece = _part(part)
        written += _AFTER_CITATION.sub(r"\\", piece) if isinstance(before, Citation) else piece
    return written.strip()


def _part(part: Inline) -> str:
    match part:
        case Text(text):
            return _text(text)
        case Code(text):
            return code_as_markdown(text)
        case LineBreak():
            return "\\\n"
        case Citation(number):
            return f"[{number}]"
        case Marked(kind, parts):
            inner = _inline(parts)
            return f"{MARKS[kind]}{inner}{MARKS[kind]}" if inner else ""


def _text(text: str) -> str:
    return "".join(
        code_as_markdown(piece) if is_address else _escaped(piece) for piece, is_address in like_addresses(text)
    )


def _escaped(text: str) -> str:
    return _MARKUP.sub(lambda match: "&lt;" if match.group() == "<" else "\\" + match.group(), text)


def _beginnings_escaped(lines: str) -> str:
    """Lines that would begin a list, a heading or a table, escaped; no mark of ours begins like that."""
    return _LINE_START.sub(lambda at: f"{at[1]}\\{at[2]}" if at[2] else f"{at[1]}{at[3]}\\", lines)


def code_as_markdown(text: str) -> str:
    """Text on one line in a fixed width, whatever it is."""
    one_line = " ".join(visible(text).split())
    fence = _fence(one_line, 1)
    pad = " " if one_line.startswith("`") or one_line.endswith("`") else ""
    return f"{fence}{pad}{one_line}{pad}{fence}" if one_line else ""


def _fence(text: str, least: int) -> str:
    """More backticks than stand side by side in the text."""
    return "`" * max(least, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
