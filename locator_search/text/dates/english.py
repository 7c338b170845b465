"""English dates: September 2024, Sept 10, FY2024 Q1, last month, the past 3 weeks, yesterday.

The bare words may, march or second are no dates; "in May" is.
"""

from __future__ import annotations

from locator_search.text.dates.notation import Groups, any_of, latest, notation, shifted
from locator_search.text.dates.parts import DateParts
from locator_search.text.dates.periods import Calendar

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_SHIFTS = {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1}
_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "twelve": 12}

_YEAR = r"(?P<year>(?:19|20)\d\d)(?![\da-z/年]|[-.]\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\d月日年])"
_INTRODUCED = (
    r"(?<=\b(?:in|since|from|to|of|for|before|after|until|till|by|during|last|this|through|between|\d{4}\s+and)\s+)"
)
_PART = r"(?: q(?P<quarter>[1-4]) | (?P<quarter>[1-4])q | h(?P<half>[12]) | (?P<half>[12])h )"
_JAPANESE_PART = r"(?: 第?(?P<quarter>[1-4])四半期 | (?P<half>[上下])半?期 )"


def _month(groups: Groups, _: Calendar) -> DateParts | None:
    year, day = groups.get("year"), groups.get("day")
    if not (year or day or "introduced" in groups):
        return None
    return DateParts(
        year=int(year) if year else None,
        month=_MONTHS.index(groups["month"][:3]) + 1,
        day=int(day) if day else None,
    )


def _plain_year(groups: Groups, _: Calendar) -> DateParts | None:
    return DateParts(year=int(groups["year"]))


def _fiscal_year(groups: Groups, _: Calendar) -> DateParts | None:
    year, quarter, half = groups.get("year"), groups.get("quarter"), groups.get("half")
    return DateParts(
        year=int(year[-2:]) + (2000 if len(year) == 2 else int(year[:2]) * 100) if year else None,
        fiscal=True,
        quarter=_ORDINALS.get(quarter) or int(quarter) if quarter else None,
        half=_ORDINALS.get(half) or {"上": 1, "下": 2}.get(half) or int(half) if half else None,
    )


def _relative(groups: Groups, calendar: Calendar) -> DateParts | None:
    if "day_word" in groups:
        return DateParts.of_span(shifted("day", _DAYS[groups["day_word"]], calendar))
    return DateParts.of_span(shifted(groups["unit"], _SHIFTS[groups["shift"]], calendar))


def _ago(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(shifted(groups["unit"], -_count(groups), calendar))


def _latest(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(latest(groups["unit"], _count(groups), calendar))


def _count(groups: Groups) -> int:
    return _COUNTS.get(groups["count"]) or int(groups["count"])


_COUNTED = rf"(?P<count>\d{{1,3}}|{any_of(_COUNTS)})\s+(?P<unit>day|week|month|year)s?"

NOTATIONS = (
    notation(rf"(?<![a-z\d-])(?:{_DAY}\s+(?:of\s+)?)?{_MONTH}\.?(?![a-z])(?:,?\s+{_YEAR})?", _month),
    notation(rf"(?<![a-z]){_MONTH}\.?\s+{_DAY}(?![a-z:])(?:,?\s+{_YEAR})?", _month),
    notation(rf"(?P<introduced>{_INTRODUCED}){_MONTH}\b", _month),
    notation(rf"{_INTRODUCED}{_YEAR}", _plain_year),
    notation(
        rf"(?<![a-z\d])(?:fy\s?'?|fiscal\s+(?:year\s+)?)(?P<year>(?:20)?\d\d)(?!\d)"
        rf"(?:[\s/_-]*{_PART}(?![a-z\d]) | \s*の?{_JAPANESE_PART})?",
        _fiscal_year,
    ),
    notation(
        rf"(?<![a-z\d]){_PART}[\s/_-]*(?:of\s+|in\s+)?(?:fy\s?'?(?P<year>(?:20)?\d\d)(?!\d)|{_YEAR})",
        _fiscal_year,
    ),
    notation(rf"(?<![a-z\d])(?P<year>20\d\d)[\s/_-]*{_PART}(?![a-z\d])", _fiscal_year),
    notation(
        rf"\b(?:(?P<quarter>{any_of(_ORDINALS)})\s+quarter | (?P<half>first|1st|second|2nd)\s+half)"
        rf"\s+(?:of\s+)?(?:fy\s?'?|fiscal\s+(?:year\s+)?)?{_YEAR}",
        _fiscal_year,
    ),
    notation(rf"\b(?P<day_word>{any_of(_DAYS)})(?:'s)?\b", _relative),
    notation(rf"\b(?P<shift>{any_of(_SHIFTS)})\s+(?P<unit>week|month|quarter|fiscal\ year|year)(?:'s)?\b", _relative),
    notation(rf"\b{_COUNTED}\s+ago\b", _ago),
    notation(rf"\b(?:the\s+)?(?:last|past|previous)\s+{_COUNTED}\b", _latest),
)
