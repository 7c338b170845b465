"""From Markdown as somebody wrote it to the tree of what is allowed. Pure.

Links leave their text, images their description; addresses are taken out, and those of evidence become its number.
HTML, formulas, footnotes and directives are no Markdown here: they stay text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, reference
from markdown_it.token import Token

from locator_search.text.markdown.addresses import without_addresses
from locator_search.text.markdown.inline import Sources, inline, words_of
from locator_search.text.markdown.tree import (
    Block,
    CodeBlock,
    Heading,
    Inline,
    Items,
    Paragraph,
    Quote,
    Rule,
    Table,
)
from locator_search.text.visible import visible

LONGEST = 50_000
"""Characters that are read."""
_AN_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:|[/#]|www\.", re.IGNORECASE)


def _definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`[name]: address` on a line of its own; `[1]: words` is a line of the text."""
    line, known = state.line, dict(state.env.get("references", {}))
    if not reference(state, start, end, silent):
        return False
    made = [one["href"] for name, one in state.env.get("references", {}).items() if name not in known]
    if silent or all(_AN_ADDRESS.match(href) for href in made):
        return True
    state.line, state.env["references"] = line, known
    return False


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
setattr(_MARKDOWN, "validateLink", lambda _url: True)  # noqa: B010 - none survives, whatever its scheme
_MARKDOWN.block.ruler.at("reference", _definition)


def parsed(text: str, sources: Sources) -> tuple[Block, ...]:
    """The allowed tree of a Markdown text."""
    environment: dict[str, dict[str, dict[str, str]]] = {}
    tokens = _MARKDOWN.parse(visible(text[:LONGEST]), environment)
    for definition in environment.get("references", {}).values():  # a definition is a line that shows nothing
        sources.citation_of(definition["href"])
    return tuple(_blocks(iter(tokens), sources))


def plain(text: str) -> str:
    """One line of Markdown as plain text without addresses."""
    parts = inline(_MARKDOWN.parseInline(visible(text[:LONGEST]))[0], Sources())
    return " ".join(without_addresses(words_of(parts), lambda _address: "").split())


def _blocks(tokens: Iterator[Token], sources: Sources, end: str = "") -> Iterator[Block]:
    """The blocks up to the token that ends them, without those of which nothing is left."""
    for token in tokens:
        if token.type == end:
            return
        match token.type:
            case "paragraph_open" | "heading_open":
                parts = inline(next(tokens), sources)
                if _shows_something(parts):
                    yield Heading(int(token.tag[1]), parts) if token.tag != "p" else Paragraph(parts)
            case "fence" | "code_block":
                yield CodeBlock(token.content.rstrip("\n"))
            case "hr":
                yield Rule()
            case "blockquote_open":
                if blocks := tuple(_blocks(tokens, sources, "blockquote_close")):
                    yield Quote(blocks)
            case "bullet_list_open" | "ordered_list_open":
                first = int(token.attrs.get("start", 1)) if token.tag == "ol" else None
                if items := tuple(filter(None, _items(tokens, sources, token.type.replace("open", "close")))):
                    yield Items(items, first)
            case "table_open":
                yield Table(tuple(_rows(tokens, sources)))


def _shows_something(parts: Sequence[Inline]) -> bool:
    return bool(words_of(parts).strip())


def _items(tokens: Iterator[Token], sources: Sources, end: str) -> Iterator[tuple[Block, ...]]:
    for token in tokens:
        if token.type == end:
            return
        if token.type == "list_item_open":
            yield tuple(_blocks(tokens, sources, "list_item_close"))


def _rows(tokens: Iterator[Token], sources: Sources) -> Iterator[tuple[tuple[Inline, ...], ...]]:
    cells: list[tuple[Inline, ...]] = []
    for token in tokens:
        match token.type:
            case "table_close":
                return
            case "inline":
                cells.append(inline(token, sources))
            case "tr_close":
                yield tuple(cells)
                cells = []
