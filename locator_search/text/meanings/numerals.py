"""Numbers as they are written in Japanese: 3,000, 三千, 二〇二四, 1億2000万."""

from __future__ import annotations

_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0}
_SMALL = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "億": 10**8, "兆": 10**12}

_LONGEST_NUMBER = 15
"""Digits; a longer run is an account or a checksum."""

NUMERALS = "".join((*_DIGITS, *_SMALL))
"""Kanji that can begin a number."""
MULTIPLES = "".join(_LARGE)


def value_of(written: str) -> int | None:
    """The number a run of digits and numerals means, or None when it is none (三四, 十百, 12,34).

    >>> value_of("二〇二四"), value_of("1億2000万"), value_of("三千五百")
    (2024, 120000000, 3500)
    """
    if written.isdecimal() and len(written) <= _LONGEST_NUMBER:
        return int(written)
    total, rest = 0, written
    for character, multiple in reversed(_LARGE.items()):
        before, found, after = rest.partition(character)
        if found:
            part = _below_ten_thousand(before)
            if not part:
                return None
            total, rest = total + part * multiple, after
    part = _below_ten_thousand(rest) if rest else 0
    return None if part is None else total + part


def in_kanji(value: int) -> str:
    """A number from 1 to 9999 in kanji: 十五, 三千五百."""
    written = ""
    for character, unit in reversed(_SMALL.items()):
        count, value = divmod(value, unit)
        if count:
            written += ("" if count == 1 else _digit(count)) + character
    return written + (_digit(value) if value else "")


def _digit(value: int) -> str:
    return "〇一二三四五六七八九"[value]


def _below_ten_thousand(written: str) -> int | None:
    if written.isascii():
        return _arabic(written)
    total, rest = 0, written
    for character, unit in reversed(_SMALL.items()):
        before, found, after = rest.partition(character)
        if found:
            count = (_arabic(before) if before.isascii() else _DIGITS.get(before)) if before else 1
            if not count:
                return None
            total, rest = total + count * unit, after
    if not rest:
        return total
    if rest.isascii():
        last = _arabic(rest)
    elif all(character in _DIGITS for character in rest) and (len(rest) != 2 or "〇" in rest):
        last = int("".join(str(_DIGITS[character]) for character in rest))  # 二〇二四; but 二三 is 「2、3」
    else:
        return None
    if last is None or (total and last >= 10):
        return None
    return total + last


def _arabic(written: str) -> int | None:
    first, *groups = written.split(",")
    if (
        not first.isdecimal()
        or len(first) > _LONGEST_NUMBER
        or any(len(group) != 3 or not group.isdecimal() for group in groups)
    ):
        return None
    if groups and len(first) > 3:
        return None
    return int(first + "".join(groups))
