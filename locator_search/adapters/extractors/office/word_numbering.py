"""The numbers Word puts before paragraphs by itself: "4.2.1" of a clause, "第3章", "a)" of a list.

They stand in no text. A paragraph (or its style) names a list and a level, `numbering.xml` says how each level counts
and looks, and only counting along the whole document tells the number, ECMA-376 part 1, section 17.9.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from locator_search.adapters.extractors.office.ooxml import Element, attribute, child, children
from locator_search.adapters.extractors.office.word_number_formats import written
from locator_search.adapters.extractors.office.word_styles import WordStyles

_PLACEHOLDER = re.compile("%([1-9])")
_LEVELS = 9
_NO_LIST = "0"
_LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True)
class _Level:
    """How one level of a list counts. `restart` is the depth that starts it anew (1: only the first; 0: none)."""

    start: int = 1
    number_format: str = "decimal"
    text: str = ""
    separator: str = " "
    decimal_only: bool = False
    restart: int | None = None
    style: str | None = None


@dataclass(slots=True)
class _List:
    """One abstract list with its counters: all lists made of it count on together."""

    levels: dict[int, _Level]
    counters: dict[int, int] = field(default_factory=dict)

    def count(self, level: int, start: int | None) -> None:
        """Count one paragraph of a level; `start` begins anew."""
        for above in range(level):
            self.counters.setdefault(above, self._level(above).start)
        if start is not None:
            self.counters[level] = start
        else:
            self.counters[level] = self.counters.get(level, self._level(level).start - 1) + 1
        for below in [depth for depth in self.counters if depth > level]:
            restart = self._level(below).restart
            if level < (below if restart is None else restart):
                del self.counters[below]

    def label(self, shape: _Level) -> str:
        """The label before the paragraph that was counted last."""

        def number(placeholder: re.Match[str]) -> str:
            depth = int(placeholder[1]) - 1
            level = self._level(depth)
            shown_as = "decimal" if shape.decimal_only else level.number_format
            return written(self.counters.get(depth, level.start), shown_as)

        return _PLACEHOLDER.sub(number, shape.text)[:_LONGEST_LABEL].strip()

    def _level(self, depth: int) -> _Level:
        return self.levels.get(depth, _Level())


@dataclass(frozen=True, slots=True)
class _Use:
    """A `w:num`: a list as paragraphs name it, with the levels it changes and the numbers it starts anew from."""

    list_id: str
    changed: dict[int, _Level]
    starts: dict[int, int]


class WordNumbering:
    """Counts the paragraphs of one story. Without definitions nothing has a number."""

    def __init__(self, root: Element | None, styles: WordStyles) -> None:
        self._styles = styles
        self._lists: dict[str, _List] = {}
        self._uses: dict[str, _Use] = {}
        self._started: set[tuple[str, int]] = set()
        if root is not None:
            self._read(root)

    def label(self, properties: Element | None) -> str:
        """The number before a paragraph, with the space behind it; "" when it has none. Call it once per paragraph."""
        place = self._place(properties)
        if place is None:
            return ""
        list_id, level = place
        use = self._uses[list_id]
        counted = self._lists[use.list_id]
        shape = use.changed.get(level) or counted.levels.get(level)
        if shape is None:
            return ""
        start = use.starts.get(level) if (list_id, level) not in self._started else None
        self._started.add((list_id, level))
        counted.count(level, start)
        label = "" if shape.number_format == "bullet" else counted.label(shape)
        return label + shape.separator if label else ""

    def _place(self, properties: Element | None) -> tuple[str, int] | None:
        """The list a paragraph belongs to and its level there; what stands in the paragraph goes before its style."""
        direct = child(properties, "numPr") if properties is not None else None
        list_id, level = (_value(direct, "numId"), _number(direct, "ilvl")) if direct is not None else (None, None)
        if list_id is None:
            style_ids, list_id, of_style = self._styles.numbering(properties)
            if level is None and list_id in self._uses:
                level = self._linked_level(list_id, style_ids)
            level = of_style if level is None else level
        if list_id is None or list_id == _NO_LIST or list_id not in self._uses:
            return None
        return list_id, min(level or 0, _LEVELS - 1)

    def _linked_level(self, list_id: str, style_ids: list[str]) -> int | None:
        levels = self._lists[self._uses[list_id].list_id].levels
        linked = {level.style: depth for depth, level in levels.items() if level.style}
        return next((linked[style_id] for style_id in style_ids if style_id in linked), None)

    def _read(self, root: Element) -> None:
        links: dict[str, str] = {}
        for element in children(root, "abstractNum"):
            abstract_id = attribute(element, "abstractNumId") or ""
            self._lists[abstract_id] = _List(_levels(element))
            if style_id := _value(element, "numStyleLink"):
                links[abstract_id] = style_id
        lists = {attribute(element, "numId") or "": element for element in children(root, "num")}
        for list_id, element in lists.items():
            abstract_id = _value(element, "abstractNumId") or ""
            if linked := lists.get(self._styles.list_of(links.get(abstract_id)) or ""):  # looks like a list style
                abstract_id = _value(linked, "abstractNumId") or ""
            if abstract_id in self._lists:
                overrides = list(children(element, "lvlOverride"))
                starts = {_depth(each): _number(each, "startOverride") for each in overrides}
                self._uses[list_id] = _Use(
                    abstract_id,
                    {depth: level for each in overrides for depth, level in _levels(each).items()},
                    {depth: start for depth, start in starts.items() if start is not None},
                )


def _levels(parent: Element) -> dict[int, _Level]:
    return {_depth(element): _read_level(element) for element in children(parent, "lvl")}


def _read_level(element: Element) -> _Level:
    suffix = _value(element, "suff")
    start = _number(element, "start")
    legal = child(element, "isLgl")
    return _Level(
        start=0 if start is None else start,
        number_format=_value(element, "numFmt") or "decimal",
        text=_value(element, "lvlText") or "",
        separator="" if suffix == "nothing" else " ",
        decimal_only=legal is not None and attribute(legal, "val") not in ("0", "false", "off"),
        restart=_number(element, "lvlRestart"),
        style=_value(element, "pStyle"),
    )


def _depth(element: Element) -> int:
    value = attribute(element, "ilvl") or ""
    return min(int(value), _LEVELS - 1) if value.isdecimal() else 0


def _value(parent: Element, name: str) -> str | None:
    element = child(parent, name)
    return attribute(element, "val") if element is not None else None


def _number(parent: Element, name: str) -> int | None:
    value = _value(parent, name) or ""
    return int(value) if value.isdecimal() and len(value) < 7 else None
