"""Values of workbooks as text: a date where the format says so, else the number with the digits Excel shows at most."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import isfinite

from locator_search.adapters.extractors.cleaning import one_line
from locator_search.adapters.extractors.office.ooxml import Element, child, children

# ECMA-376 part 1, 18.8.30: built-in formats of dates and times, with those of the East Asian editions.
_BUILT_IN_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_NOT_PATTERN = re.compile(r'"[^"]*"|\\.|_.|\*.|E[+-]|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)
_DATE_PATTERN = re.compile(r"[ymdhsge]", re.IGNORECASE)
_MARGIN_CODE = re.compile(r'&(?:(&)|"[^"]*"|K[0-9A-F]{6}|[0-9]+|[A-Za-z])')
_EPOCH_1900 = datetime(1899, 12, 30)
_EPOCH_1904 = datetime(1904, 1, 1)
_LAST_DAY = 2_958_465  # 9999-12-31
_DAYS_BEFORE_PHANTOM = 60  # Excel counts a 29 February 1900 that never was


class CellFormats:
    """Which cell styles show dates, by number of the style."""

    def __init__(self, dates: Sequence[bool], counts_from_1904: bool) -> None:
        self._counts_from_1904 = counts_from_1904
        self._dates = dates

    def date_text(self, value: str, style: str | None) -> str | None:
        """An ISO date and time, or for less than a day a time; None when the cell shows a plain number."""
        index = int(style) if style and style.isdecimal() else 0
        if index >= len(self._dates) or not self._dates[index]:
            return None
        try:
            return date_text(float(value), self._counts_from_1904)
        except ValueError:
            return None


def date_text(days: float, counts_from_1904: bool) -> str | None:
    """A number of days as an ISO date and time, or for less than a day as a time; None for no date of Excel's.

    Excel's times have no zone.
    """
    if not 0 <= days <= _LAST_DAY:
        return None
    if not counts_from_1904 and 1 <= days < _DAYS_BEFORE_PHANTOM:
        days += 1
    moment = (_EPOCH_1904 if counts_from_1904 else _EPOCH_1900) + timedelta(seconds=round(days * 86_400))
    return moment.strftime("%H:%M:%S" if days < 1 else "%Y-%m-%d %H:%M:%S")


def styles_with_dates(styles: Element | None) -> list[bool]:
    """Of each cell style, whether it shows dates, from the root of the style definitions."""
    if styles is None:
        return []
    formats = children(_part(styles, "numFmts"), "numFmt")
    own = {element.get("numFmtId"): element.get("formatCode", "") for element in formats}
    numbers = (style.get("numFmtId", "0") for style in children(_part(styles, "cellXfs"), "xf"))
    return [_shows_dates(int(number) if number.isdecimal() else 0, own.get(number)) for number in numbers]


def number_text(value: str) -> str:
    """A number with at most the 15 digits Excel itself shows: 0.1 instead of 0.10000000000000001."""
    try:
        number = float(value)
    except ValueError:
        return value
    if value.lstrip("-").isdecimal() or not isfinite(number):
        return value
    return f"{number:.0f}" if number == int(number) and abs(number) < 1e15 else f"{number:.15g}"


def margin_text(coded: str) -> str:
    """The text of a header or footer, without the codes of fonts and page numbers."""
    return one_line(_MARGIN_CODE.sub(lambda code: code[1] or " ", coded))


def _shows_dates(number: int, pattern: str | None) -> bool:
    """Whether a number format shows dates: by its pattern, else as one of the built-in ones."""
    if pattern is None:
        return number in _BUILT_IN_DATES
    first = pattern.split(";", 1)[0]
    return first.lower() not in ("general", "g/標準") and _DATE_PATTERN.search(_NOT_PATTERN.sub("", first)) is not None


def _part(styles: Element, name: str) -> Element:
    found = child(styles, name)
    return found if found is not None else styles.makeelement(name)
