"""Makes untrusted text fit for a page: text without markup, and links that lead to the web only. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from markupsafe import Markup, escape

from locator_search.model import Evidence, FileRef
from locator_search.text.visible import visible as visible  # noqa: PLC0414 - what pages escape with stands here

PDF = "application/pdf"

_WWW = re.compile(r"(www)(?=\.)", re.IGNORECASE)
_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def escaped(text: str) -> Markup:
    """Text that an HTML page shows as it is."""
    return escape(visible(text))


def label(text: str) -> str:
    """Text that a Streamlit label shows as it is: no Markdown, no formula, no emoji code, no link made of an address.

    An invisible word joiner after a colon, a dash, `<`, `@` and the like keeps `:smile:`, `--`, `->` and mail addresses
    from being replaced, which a backslash does not: Streamlit replaces them after it has read the Markdown. The same
    goes for `www.`, where it has to stand before the dot.
    """
    one_line = _WWW.sub("\\1\u2060", " ".join(visible(text).split()))
    return re.sub(r"(\\[:<>=~@-])", "\\1\u2060", _MARKDOWN.sub(r"\\\1", one_line))


def highlighted(text: str, spans: Iterable[tuple[int, int]]) -> Markup:
    """The escaped text with its spans in `<mark>`. Spans that overlap or lie outside are cut to fit."""
    pieces, position = list[Markup](), 0
    for start, end in sorted(spans):
        start, end = max(start, position), min(end, len(text))
        if start < end:
            pieces += [escaped(text[position:start]), Markup("<mark>{}</mark>").format(visible(text[start:end]))]
            position = end
    return Markup().join([*pieces, escaped(text[position:])])


def web_link(link: str) -> str | None:
    """The link when it is an http(s) one, else None."""
    try:
        return link if urlsplit(link).scheme in ("http", "https") else None
    except ValueError:
        return None


def page_link(file: Evidence | FileRef) -> str | None:
    """The http(s) link of a file, at its page."""
    link = web_link(file.link)
    return link and at_page(link, file)


def at_page(link: str, file: Evidence | FileRef) -> str:
    """A link to a file; to a PDF, at the page shown: browsers and most viewers read `#page=`."""
    page = file.page_number if isinstance(file, Evidence) and file.mime_type == PDF else None
    return f"{link}#page={page}" if page and "#" not in link else link


def local_path(link: str) -> str | None:
    """The path a `file:` link names, else None."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return None
    return visible(unquote(parts.path)) if parts.scheme == "file" else None
