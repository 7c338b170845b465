"""Japanese numerals and era years."""

from __future__ import annotations

ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
"""The year before the first year of each era. An era's years may run past its end (平成36年 on old forms is 2024)."""

ERA_LETTERS = {"m": "明治", "t": "大正", "s": "昭和", "h": "平成", "r": "令和"}

_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0, "元": 1}


def number(written: str) -> int:
    """9, 09, 九, 十二, 三十一, 二〇二四, and 元 (1) as a number. Raises ValueError for anything else."""
    if written.isdecimal():
        return int(written)
    tens, has_tens, units = written.rpartition("十")
    if has_tens:
        return (_digits(tens) if tens else 1) * 10 + (_digits(units) if units else 0)
    return _digits(written)


def era_year(era: str, year: str) -> int:
    """The Gregorian year of an era's name or letter (令和, r) and its year (6, 六, 元)."""
    return ERAS[ERA_LETTERS.get(era, era)] + number(year)


def _digits(written: str) -> int:
    value = 0
    for character in written:
        if character not in _DIGITS:
            raise ValueError(f"not a number: {written}")
        value = value * 10 + _DIGITS[character]
    return value
