"""What a number in a cell means: a date where its format says so, else the number as Excel shows it at most."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from locator_search.adapters.extractors.ooxml import Element, child, children

# ECMA-376 part 1, 18.8.30: built-in formats of dates and times, with those of the East Asian editions.
_BUILT_IN_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_NOT_PATTERN = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)
_DATE_PATTERN = re.compile(r"[ymdhsge]", re.IGNORECASE)
_EPOCH_1900 = datetime(1899, 12, 30)
_EPOCH_1904 = datetime(1904, 1, 1)
_LAST_DAY = 2_958_465  # 9999-12-31
_DAYS_BEFORE_PHANTOM = 60  # Excel counts a 29 February 1900 that never was


class CellFormats:
    """Which cell styles show dates (Excel's times have no zone), from the root of the style definitions."""

    def __init__(self, styles: Element | None, counts_from_1904: bool) -> None:
        self._epoch = _EPOCH_1904 if counts_from_1904 else _EPOCH_1900
        self._dates: list[bool] = []
        if styles is None:
            return
        own = {
            element.get("numFmtId"): _is_date_pattern(element.get("formatCode", ""))
            for element in children(_part(styles, "numFmts"), "numFmt")
        }
        for style in children(_part(styles, "cellXfs"), "xf"):
            number = style.get("numFmtId", "0")
            self._dates.append(own.get(number, number.isdecimal() and int(number) in _BUILT_IN_DATES))

    def date_text(self, value: str, style: str | None) -> str | None:
        """An ISO date and time, or for less than a day a time; None when the cell shows a plain number."""
        index = int(style) if style and style.isdecimal() else 0
        if index >= len(self._dates) or not self._dates[index]:
            return None
        try:
            days = float(value)
        except ValueError:
            return None
        if not 0 <= days <= _LAST_DAY:
            return None
        if self._epoch is _EPOCH_1900 and 1 <= days < _DAYS_BEFORE_PHANTOM:
            days += 1
        moment = self._epoch + timedelta(seconds=round(days * 86_400))
        if days < 1:
            return moment.strftime("%H:%M:%S")
        return moment.strftime("%Y-%m-%d %H:%M:%S")


def number_text(value: str) -> str:
    """A number with at most the 15 digits Excel itself shows: 0.1 instead of 0.10000000000000001."""
    try:
        number = float(value)
    except ValueError:
        return value
    if value.lstrip("-").isdecimal():
        return value
    return f"{number:.0f}" if number == int(number) and abs(number) < 1e15 else f"{number:.15g}"


def _is_date_pattern(pattern: str) -> bool:
    first = pattern.split(";", 1)[0]
    return first.lower() != "general" and _DATE_PATTERN.search(_NOT_PATTERN.sub("", first)) is not None


def _part(styles: Element, name: str) -> Element:
    found = child(styles, name)
    return found if found is not None else styles.makeelement(name)
