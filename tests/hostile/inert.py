"""Whether anything in a text can become active: in HTML as a browser parses it, in Markdown as any renderer may."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import lxml.html
from markdown_it import MarkdownIt
from markdown_it.token import Token

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = ("div", "p", "ul", "ol", "li", "pre", "blockquote", "table", "thead", "tbody", "tr", "th", "td", "hr")
ALLOWED = frozenset((*HEADINGS, *BLOCKS, "code", "em", "strong", "s", "br", "a"))
ALLOWED_ATTRIBUTES = {"a": {"href", "target", "rel"}, "ol": {"start"}, "div": {"class"}}

_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_BARE = re.compile(
    r"(?:https?|ftp)://|//\w|(?<!\w)www\.\w|\w@\w+(?:\.\w)|\w\.(?:[a-z]{2,}|рф)(?![a-z])",
    re.IGNORECASE,
)
"""More than linkify-it, GFM's literal autolinks and terminals take for an address."""
_DIRECTIVE = re.compile(r":[\w+-]+(?:[\[:]|/\w+:)|\$[^$\n]+\$")


def active_in_html(shown: str, allowed_links: frozenset[str] = frozenset()) -> list[str]:
    """Elements and attributes that are not allowed, and links that lead elsewhere."""
    return list(_active_elements(lxml.html.fragment_fromstring(shown, create_parent="div"), allowed_links))


def _active_elements(root: lxml.html.HtmlElement, allowed_links: frozenset[str]) -> Iterator[str]:
    for element in root.iter():
        tag = str(element.tag)
        if tag not in ALLOWED or set(element.attrib) - ALLOWED_ATTRIBUTES.get(tag, set()):
            yield lxml.html.tostring(element, encoding="unicode")
        elif tag == "a" and element.get("href") not in allowed_links:
            yield str(element.get("href"))


def active_in_markdown(written: str) -> list[str]:
    """The active parts of a text: by CommonMark with tables, and by renderers that make links of plain words."""
    environment: dict[str, object] = {}
    tokens = _MARKDOWN.parse(written, environment)
    found = [f"definition {name}" for name in environment.get("references", {})]  # type: ignore[attr-defined]
    for token in _all(tokens):
        if token.type in ("link_open", "image", "html_inline", "html_block"):
            found.append(f"{token.type} {token.attrs} {token.content}")
        elif token.type == "text" and _BARE.search(token.content):
            found.append(f"address {token.content}")
    if directive := _DIRECTIVE.search(_without_code(written)):
        found.append(f"directive {directive.group()}")
    return found


def everything_is_inert(written: str) -> bool:
    """Whether nothing in a Markdown text can become active; fails with what can."""
    found = active_in_markdown(written)
    assert not found, f"{found} in {written!r}"
    return True


def _all(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or [])


def _without_code(written: str) -> str:
    return html.unescape(re.sub(r"\\[^\w\s]|(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", " ", written, flags=re.DOTALL))
