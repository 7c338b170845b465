"""English dates: September 2024, early Sept, Sept 10, FY2024 Q1, week 33 of 2026, end of last year, first half of 2026.

The bare words may, march or second are no dates; "in May" is.
"""

from __future__ import annotations

from locator_search.text.dates.notation import Groups, Notation, any_of, nearest_month
from locator_search.text.dates.parts import DateParts, Section
from locator_search.text.dates.periods import Calendar, months_span

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
SHIFTS = {"last": -1, "previous": -1, "prior": -1, "this": 0, "current": 0, "next": 1}
_SECTIONS: dict[str, Section] = {
    **dict.fromkeys(("early", "beginning of", "start of"), "first"),
    **dict.fromkeys(("mid", "middle of"), "middle"),
    **dict.fromkeys(("late", "end of"), "last"),
    **dict.fromkeys(("first half of", "1st half of"), "first half"),
    **dict.fromkeys(("second half of", "2nd half of"), "second half"),
}  # fmt: skip

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

_NO_MORE_OF_IT = r"(?![\da-z/年]|[-.]\d)"
_YEAR = rf"(?P<year>(?:19|20)\d\d){_NO_MORE_OF_IT}"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\d月日年])"
_INTRODUCED = (
    r"(?<=\b(?:in|since|from|to|of|for|before|after|until|till|by|during|last|this|through|between|\d{4}\s+and)\s+)"
)
_PART = r"(?: q(?P<quarter>[1-4]) | (?P<quarter>[1-4])q | h(?P<half>[12]) | (?P<half>[12])h )"
_JAPANESE_PART = r"(?: 第?(?P<quarter>[1-4])四半期 | (?P<half>[上下])半?期 )"
_SPELT_PART = rf"(?: (?P<quarter>{any_of(_ORDINALS)})\s+quarter | (?P<half>first|1st|second|2nd)\s+half )"
_FISCAL = r"(?P<fiscal>fy|fiscal|financial|business)"
_WORDED_YEAR = (
    rf"(?: the\s+{_FISCAL}\s+year | (?:the\s+)?(?P<shift>{any_of(SHIFTS)})\s+(?:{_FISCAL}\s+)?year | the\s+year )"
)
_SOME_YEAR = rf"(?: (?:fy\s?'?|{_FISCAL}\s+(?:year\s+)?)(?P<year>(?:20)?\d\d)(?!\d) | {_WORDED_YEAR} | {_YEAR} )"
_SECTION = rf"(?P<section>{any_of(_SECTIONS)})(?:\s+the)?[\s-]+"
_WEEK = r"(?: (?:calendar\s+)?week | wk | [ck]?w )[\s.#-]*(?P<week>\d{1,2})(?![\da-z×*]|[.:-]\d|/(?!20)\d|\s*x\b)"
_SEASON = rf"(?P<season>{any_of(_SEASONS)})"


def _month(groups: Groups, calendar: Calendar) -> DateParts | None:
    day = groups.get("day")
    if not (groups.keys() & {"year", "shift", "day", "introduced", "section"}):
        return None
    return DateParts(
        year=_year(groups, calendar, fiscal=False),
        month=_MONTHS.index(groups["month"][:3]) + 1,
        day=int(day) if day else None,
        section=_section(groups),
    )


def _week_of_month(groups: Groups, _: Calendar) -> DateParts | None:
    year = groups.get("year")
    return DateParts(
        year=int(year) if year else None,
        month=_MONTHS.index(groups["month"][:3]) + 1,
        week=_ORDINALS[groups["nth"]],
    )


def _season(groups: Groups, calendar: Calendar) -> DateParts | None:
    year = _year(groups, calendar, fiscal=False)
    if year is None:
        return None
    return DateParts.of_span(months_span(year, _SEASONS[groups["season"]], 3))


def _year(groups: Groups, calendar: Calendar, *, fiscal: bool) -> int | None:
    if "shift" in groups:
        this = calendar.fiscal_year if fiscal else calendar.year
        return None if this is None else this + SHIFTS[groups["shift"]]
    written = groups.get("year")
    return int(written) + (2000 if len(written) == 2 else 0) if written else None


def _section(groups: Groups) -> Section | None:
    return _SECTIONS[" ".join(groups["section"].split())] if "section" in groups else None


def _plain_year(groups: Groups, _: Calendar) -> DateParts | None:
    return DateParts(year=int(groups["year"]))


def _fiscal_year(groups: Groups, calendar: Calendar) -> DateParts | None:
    quarter, half = groups.get("quarter"), groups.get("half")
    year = _year(groups, calendar, fiscal=bool(groups.keys() & {"fiscal", "quarter", "half"}))
    if year is None and groups.keys() & {"shift", "edge_of_year"} and calendar.today is None:
        return None
    return DateParts(
        year=year,
        fiscal=True,
        quarter=_ORDINALS.get(quarter) or int(quarter) if quarter else None,
        half=_ORDINALS.get(half) or {"上": 1, "下": 2}.get(half) or int(half) if half else None,
        section=_section(groups),
    )


def _section_of_year(groups: Groups, calendar: Calendar) -> DateParts | None:
    fiscal = "fiscal" in groups
    return DateParts(year=_year(groups, calendar, fiscal=fiscal), fiscal=fiscal, section=_section(groups))


def _section_of_month(groups: Groups, calendar: Calendar) -> DateParts | None:
    section = _section(groups)
    return nearest_month(section, calendar) if section else None


def _week(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts(year=_year(groups, calendar, fiscal=False), week=int(groups["week"]))


NOTATIONS = (
    Notation(
        rf"(?<![a-z\d-])(?:{_SECTION})?(?:{_DAY}\s+(?:of\s+)?)?{_MONTH}\.?(?![a-z])"
        rf"(?:,?\s+(?:of\s+)?(?:{_YEAR}|(?P<shift>{any_of(SHIFTS)})\s+year\b))?",
        _month,
    ),
    Notation(
        rf"\b(?:the\s+)?(?P<nth>{any_of(_ORDINALS)})\s+week\s+(?:of|in)\s+{_MONTH}\b(?:,?\s+{_YEAR})?", _week_of_month
    ),
    Notation(rf"\b{_SEASON}\s+(?:of\s+)?(?:{_YEAR}|(?P<shift>last|this|next)\s+year\b)", _season),
    Notation(rf"(?<![a-z]){_MONTH}\.?\s+{_DAY}(?![a-z:])(?:,?\s+{_YEAR})?", _month),
    Notation(rf"(?P<introduced>{_INTRODUCED}){_MONTH}\b", _month),
    Notation(rf"{_INTRODUCED}{_YEAR}", _plain_year),
    Notation(
        rf"(?<![a-z\d])(?:{_SECTION})?(?:fy\s?'?|{_FISCAL}\s+(?:year\s+)?)(?P<year>(?:20)?\d\d)(?!\d)"
        rf"(?:[\s/_-]*{_PART}(?![a-z\d]) | \s*の?{_JAPANESE_PART})?",
        _fiscal_year,
    ),
    Notation(rf"(?<![a-z\d]){_PART}(?:[\s/_-]*(?:of\s+|in\s+)?{_SOME_YEAR}|(?![a-z\d]))", _fiscal_year),
    Notation(rf"(?<![a-z\d])(?P<year>20\d\d)[\s/_-]*{_PART}(?![a-z\d])", _fiscal_year),
    Notation(rf"\b{_SPELT_PART}(?:\s+(?:of\s+|in\s+)?{_SOME_YEAR}|(?!\s+of\b))", _fiscal_year),
    Notation(
        rf"\b(?P<shift>{any_of(SHIFTS)})\s+(?:{_FISCAL}\s+)?year's\s+(?:{_PART}|{_SPELT_PART})(?![a-z\d])", _fiscal_year
    ),
    Notation(
        rf"\b{_SECTION}(?:{_YEAR}|(?<=the\s){_FISCAL}\s+year\b|(?<=the\s)year\b|{_WORDED_YEAR}(?!'))", _section_of_year
    ),
    Notation(rf"\b{_SECTION}(?<=the\s)month\b", _section_of_month),
    Notation(rf"(?<![a-z\d-]){_WEEK}(?:\s*(?:,|of|in|/)?\s*{_YEAR})?", _week),
    Notation(rf"(?<![a-z\d-])(?P<year>20\d\d)\s*年?[\s/_-]*{_WEEK}", _week),
)
