"""The allowed tree as HTML. The only links in it are those the caller gives for citations. Pure."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

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

HIGHEST_HEADING = 3
"""Above it stand the headings of the page."""
Links = Mapping[int, str]
"""The http(s) address of the evidence with a number, from fields of the evidence itself."""


def as_html(blocks: Sequence[Block], links: Links) -> str:
    """Elements without classes, styles, or handlers."""
    return "".join(_block(block, links) for block in blocks)


def _block(block: Block, links: Links) -> str:
    match block:
        case Paragraph(parts):
            return f"<p>{_inline(parts, links)}</p>"
        case Heading(level, parts):
            tag = f"h{min(6, level + HIGHEST_HEADING - 1)}"
            return f"<{tag}>{_inline(parts, links)}</{tag}>"
        case CodeBlock(text):
            return f"<pre><code>{_escaped(text)}</code></pre>"
        case Quote(blocks):
            return f"<blockquote>{as_html(blocks, links)}</blockquote>"
        case Items(items, first):
            tag, start = ("ul", "") if first is None else ("ol", f' start="{first}"')
            return f"<{tag}{start}>{''.join(f'<li>{_item(item, links)}</li>' for item in items)}</{tag}>"
        case Table(rows):
            return f"<table>{''.join(_row(row, place == 0, links) for place, row in enumerate(rows))}</table>"
        case Rule():
            return "<hr>"


def _item(blocks: Sequence[Block], links: Links) -> str:
    return (
        _inline(blocks[0].parts, links)
        if len(blocks) == 1 and isinstance(blocks[0], Paragraph)
        else as_html(blocks, links)
    )


def _row(cells: Sequence[Sequence[Inline]], is_head: bool, links: Links) -> str:
    tag = "th" if is_head else "td"
    return f"<tr>{''.join(f'<{tag}>{_inline(cell, links)}</{tag}>' for cell in cells)}</tr>"


def _inline(parts: Sequence[Inline], links: Links) -> str:
    return "".join(_part(part, links) for part in parts)


def _part(part: Inline, links: Links) -> str:
    match part:
        case Text(text):
            return _escaped(text)
        case Code(text):
            return f"<code>{_escaped(text)}</code>"
        case LineBreak():
            return "<br>"
        case Marked(kind, parts):
            return f"<{kind}>{_inline(parts, links)}</{kind}>"
        case Citation(number) if number in links:
            return f'<a href="{_escaped(links[number])}" target="_blank" rel="noopener noreferrer">[{number}]</a>'
        case Citation(number):
            return f"[{number}]"


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)
