"""Addresses in plain text: those that are taken out, and whatever some renderer could take for one. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

_ADDRESS = re.compile(
    r"""<?(?:(?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*)?://|(?<![a-z0-9])www\.|(?<![a-z0-9])mailto:|(?<![\w:/])//(?=[\w-]+\.\w))"""
    r"""[^\s<>"'`()\[\]{}「」『』（）【】、。，！？]+>?""",
    re.IGNORECASE,
)
_MAIL_ADDRESS = re.compile(r"[\w.+%-]*\w@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_RUN = re.compile(r"(?:[^\W\x00-\x7f]+(?=[.@]))?(?a:[\w.+%~@:/?&=#-]+)(?:[а-яё]+)?", re.IGNORECASE)
"""Characters of an address; before a dot or an at sign also letters of other scripts: 設計書.md."""
_LIKE_AN_ADDRESS = re.compile(r"//|www\.|mailto:|\w@[\w-]|\w\.(?:[a-z]{2}|рф)", re.IGNORECASE)
_AT_ITS_END = ".:?"


def without_addresses(text: str, instead: Callable[[str], str]) -> str:
    """The text with each address replaced by what `instead` makes of it; entities in it are read first."""
    text = html.unescape(html.unescape(text)) if "&" in text else text
    before = ""
    while text != before:  # what stood around an address may be one when that is gone
        before, text = text, _ADDRESS.sub(lambda match: instead(match.group().strip("<>").rstrip(".,;:!?")), text)
    return text


def without_mail_addresses(text: str) -> str:
    """The text without mail addresses."""
    return _MAIL_ADDRESS.sub("", text)


def like_addresses(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, and whether each could be taken for an address: by a renderer that makes links of words."""
    end = 0
    for match in _RUN.finditer(text):
        found = match.group().rstrip(_AT_ITS_END) if _LIKE_AN_ADDRESS.search(match.group()) else ""
        if found:
            yield text[end : match.start()], False
            yield found, True
            end = match.start() + len(found)
    yield text[end:], False
