"""Which paragraphs of a Word document are headings and captions.

The stored name of a built-in style is always English ("heading 1"), while its id is localised ("1", "21",
"berschrift1"), so names and outline levels decide, along the chain of styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from locator_search.adapters.extractors.office.ooxml import Element, attribute, child, children
from locator_search.model import BlockKind

_HEADING_NAME = re.compile(r"(?:heading|見出し)\s*([1-9])$", re.IGNORECASE)
_CAPTION = re.compile(r"(?:図|表|Figure|Table)\s*\d+(?:[-.．:：\s]|$)")
_LONGEST_CAPTION = 200
_LONGEST_CHAIN = 20


class _Style(NamedTuple):
    name: str
    based_on: str | None
    outline: int | None
    list_id: str | None = None
    list_level: int | None = None


class WordStyles:
    """Paragraph styles by id. Without definitions only what stands in the paragraph itself counts."""

    def __init__(self, root: Element | None) -> None:
        styles = children(root, "style") if root is not None else ()
        self._styles = {attribute(style, "styleId"): _read_style(style) for style in styles}

    def kind_and_level(self, properties: Element | None, text: str) -> tuple[BlockKind, int]:
        """The kind of a paragraph, by its `w:pPr` and text: heading (level 1 to 9), caption or paragraph (level 0)."""
        level = self._heading_level(properties)
        if level:
            return "heading", level
        style = self._styles.get(_value(properties, "pStyle"))
        if is_caption(text) or (style is not None and style.name == "caption"):
            return "caption", 0
        return "paragraph", 0

    def _heading_level(self, properties: Element | None) -> int:
        direct = _outline(properties)
        if direct is not None:
            return direct
        for _, style in self._chain(properties):
            if style.outline is not None:
                return style.outline
            if heading := _HEADING_NAME.match(style.name):
                return int(heading[1])
        return 0

    def numbering(self, properties: Element | None) -> tuple[list[str], str | None, int | None]:
        """The styles a paragraph inherits from, and the list and the level they put it in (None: they do not say)."""
        chain = list(self._chain(properties))
        lists = (style.list_id for _, style in chain if style.list_id is not None)
        levels = (style.list_level for _, style in chain if style.list_level is not None)
        return [style_id for style_id, _ in chain], next(lists, None), next(levels, None)

    def list_of(self, style_id: str | None) -> str | None:
        """The list a style belongs to."""
        style = self._styles.get(style_id)
        return style.list_id if style is not None else None

    def _chain(self, properties: Element | None) -> Iterator[tuple[str, _Style]]:
        """The style of a paragraph, then what it is based on, up to the top."""
        style_id = _value(properties, "pStyle")
        for _ in range(_LONGEST_CHAIN):
            style = self._styles.get(style_id)
            if style_id is None or style is None:
                return
            yield style_id, style
            style_id = style.based_on


def is_caption(text: str) -> bool:
    """Whether a paragraph reads like a caption: 「図 3：...」, "Table 2. ..."."""
    return len(text) <= _LONGEST_CAPTION and _CAPTION.match(text) is not None


def _read_style(style: Element) -> _Style:
    name = (_value(style, "name") or "").lower()
    properties = child(style, "pPr")
    numbering = child(style, "pPr", "numPr")
    level = _value(numbering, "ilvl") or ""
    list_level = int(level) if level.isdecimal() and len(level) == 1 else None
    return _Style(name, _value(style, "basedOn"), _outline(properties), _value(numbering, "numId"), list_level)


def _outline(properties: Element | None) -> int | None:
    """A heading level from `w:outlineLvl`, whose 0 is the highest and whose 9 means body text (0 here)."""
    value = _value(properties, "outlineLvl")
    if value is None or not value.isdecimal():
        return None
    return int(value) + 1 if int(value) < 9 else 0


def _value(parent: Element | None, name: str) -> str | None:
    element = child(parent, name) if parent is not None else None
    return attribute(element, "val") if element is not None else None
