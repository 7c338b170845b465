"""Numbers and dates of a sentence in one notation, so that they can be compared. Pure."""

from __future__ import annotations

from datetime import date

import regex

from locator_search.text.dates.eras import ERAS, era_year
from locator_search.text.statements.units import MONTHS, NUMBER_WORDS, unit_of

_MULTIPLES = {"thousand": 1_000, "million": 1_000_000}
_WORDS = {word: int(value) for word, value in NUMBER_WORDS.items() if word != "twice"}
_ONE_TO_NINE = "|".join(word for word, value in _WORDS.items() if 0 < value < 10)
_TEENS = "|".join(word for word, value in _WORDS.items() if 9 < value < 20)
_TENS = "|".join(word for word, value in _WORDS.items() if 20 <= value < 100)
_BELOW_HUNDRED = rf"(?:(?:{_TENS})(?:[ -](?:{_ONE_TO_NINE}))?|{_TEENS}|{_ONE_TO_NINE})\b"
_BELOW_THOUSAND = rf"(?:(?:a|{_ONE_TO_NINE}) hundred(?: (?:and )?{_BELOW_HUNDRED})?|{_BELOW_HUNDRED})"
_MULTIPLE = rf"(?:{'|'.join(_MULTIPLES)})\b"
_WORDED = regex.compile(
    rf"(?<![\w-])(?!one\b(?! (?:hundred|{_MULTIPLE})))"
    rf"(?:(?:a|{_BELOW_THOUSAND}) {_MULTIPLE}(?: (?:and )?{_BELOW_THOUSAND})?|{_BELOW_THOUSAND})(?![\w-])",
    regex.IGNORECASE,
)
"""A number in words; not a lone one, for it may be no number (one of them)."""
_OF_A_UNIT = regex.compile(r"(?<![\w.-])(\d+(?:\.\d+)?)-([a-z]+)(?![\w-])")
_BY_NAME = {
    **MONTHS,
    **{name[:3]: number for name, number in MONTHS.items()},
    "sept": MONTHS["september"],
}
_MONTH = "|".join(name.title() for name in sorted(_BY_NAME, key=len, reverse=True))
_DAY = r"(?P<day>[1-9]|0[1-9]|[12]\d|3[01])"
_DATES = (
    regex.compile(rf"\b(?P<month>{_MONTH})\.? {_DAY}(?:st|nd|rd|th)?\b(?:,? (?P<year>(?:19|20)\d\d)\b(?:,(?= ))?)?"),
    regex.compile(
        rf"(?<![\w.-]){_DAY}(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b\.?(?:,? (?P<year>(?:19|20)\d\d)\b)?"
    ),
    regex.compile(
        rf"(?<![A-Za-z\d./-])(?P<year>(?:19|20)\d\d)([-/.])(?P<number>0?[1-9]|1[0-2])\2{_DAY}(?![A-Za-z\d/-]|\.\d)"
    ),
)
_ERA = regex.compile(rf"({'|'.join(ERAS)})(元|\d{{1,2}})年")


def in_one_notation(text: str, *, japanese: bool) -> str:
    """A sentence with numbers in digits and with one form for each date.

    >>> in_one_notation("two hundred UEs by August 01, 2023 in a 1-year period", japanese=False)
    '200 UEs by 2023 August 1 day in a 1 year period'
    >>> in_one_notation("令和5年8月1日と2023/8/1", japanese=True)
    '2023年8月1日と2023年8月1日'
    """
    text = _ERA.sub(lambda found: f"{era_year(found[1], found[2])}年", text)
    for form in _DATES:
        text = form.sub(lambda found: _date(found, japanese=japanese), text)
    if japanese:
        return text
    text = _WORDED.sub(lambda found: str(_value_of(found[0])), text)
    return _OF_A_UNIT.sub(lambda found: f"{found[1]} {found[2]}" if unit_of(found[2]) else found[0], text)


def _date(found: regex.Match[str], *, japanese: bool) -> str:
    groups = found.groupdict()
    day, year = int(groups["day"]), groups.get("year") or ""
    month = int(groups.get("number") or _BY_NAME[groups["month"].casefold()])
    if japanese:
        return f"{year and f'{year}年'}{month}月{day}日"
    return f"{year} {date(2000, month, 1):%B} {day} day".lstrip()


def _value_of(written: str) -> int:
    """The number that words mean: two hundred and fifty is 250."""
    total, part = 0, 0
    for word in regex.split("[ -]", written.casefold()):
        if word in _MULTIPLES:
            total, part = total + part * _MULTIPLES[word], 0
        elif word == "hundred":
            part *= 100
        elif word != "and":
            part += 1 if word == "a" else _WORDS[word]
    return total + part
