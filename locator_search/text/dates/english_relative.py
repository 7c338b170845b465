"""English words that count from today: last month, the week before last, this time last year, a few weeks ago."""

from __future__ import annotations

from datetime import timedelta

from locator_search.text.dates.english import SHIFTS
from locator_search.text.dates.notation import Groups, Notation, any_of, around, few, latest, shifted
from locator_search.text.dates.parts import DateParts
from locator_search.text.dates.periods import Calendar, day_span, weekday_span

_DAYS = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "this morning": 0,
    "tomorrow": 1, "day after tomorrow": 2,
}  # fmt: skip
_BEYOND = {"before last": -2, "after next": 2}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COUNTS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "a couple of": 2,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "twelve": 12,
}


def _day(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(shifted("day", _DAYS[" ".join(groups["day_word"].split())], calendar))


def _relative(groups: Groups, calendar: Calendar) -> DateParts | None:
    beyond = groups.get("beyond")
    shift = SHIFTS[groups["shift"]] if beyond is None else _BEYOND[" ".join(beyond.split())]
    return DateParts.of_span(shifted(_unit(groups), shift, calendar))


def _weekday(groups: Groups, calendar: Calendar) -> DateParts | None:
    today, weekday = calendar.today, _WEEKDAYS.index(groups["weekday"])
    if today is None:
        return None
    shift = SHIFTS[groups["shift"]]
    if shift < 0:  # the latest one that is over
        return DateParts.of_span(day_span(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)))
    week = shifted("week", shift, calendar)
    return DateParts.of_span(weekday_span(week, weekday)) if week else None


def _same_time(groups: Groups, calendar: Calendar) -> DateParts | None:
    match groups["same"]:
        case "month":
            return DateParts.of_span(shifted("month", -12, calendar))
        case "quarter":
            return DateParts.of_span(shifted("quarter", -4, calendar))
        case "week":
            return DateParts.of_span(shifted("week", -52, calendar))
        case _:
            return DateParts.of_span(around(-1, calendar))


def _so_far(groups: Groups, calendar: Calendar) -> DateParts | None:
    whole, today = shifted(_unit(groups), 0, calendar), calendar.today
    return DateParts.of_span((whole[0], today + timedelta(days=1))) if whole and today else None


def _ago(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(shifted(*_counted(groups, -1), calendar))


def _some_ago(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(few(groups["unit"], calendar))


def _latest(groups: Groups, calendar: Calendar) -> DateParts | None:
    return DateParts.of_span(latest(*_counted(groups, 1), calendar))


def _unit(groups: Groups) -> str:
    unit = " ".join(groups["unit"].split())
    return "fiscal year" if unit.endswith(" year") else unit


def _counted(groups: Groups, sign: int) -> tuple[str, int]:
    if "half_year" in groups:
        return "month", sign * 6
    written = " ".join(groups.get("count", "one").split())
    count = _COUNTS.get(written) or int(written)
    return ("week", sign * 2 * count) if groups["unit"] == "fortnight" else (groups["unit"], sign * count)


_COUNT = rf"(?P<count>\d{{1,3}}|{any_of(_COUNTS)})"
_COUNTED = rf"(?: {_COUNT}\s+(?P<unit>day|week|fortnight|month|year)s? | (?P<half_year>half\s+a\s+year) )"
_UNIT = r"(?P<unit>week|month|quarter|(?:fiscal|financial)\s+year|year)"

NOTATIONS = (
    Notation(rf"\b(?:the\s+)?(?P<day_word>{any_of(_DAYS)})(?:'s)?\b", _day),
    Notation(rf"\b(?P<shift>{any_of(SHIFTS)})\s+{_UNIT}(?:'s)?\b", _relative),
    Notation(rf"\b(?:the\s+)?{_UNIT}\s+(?P<beyond>{any_of(_BEYOND)})\b", _relative),
    Notation(rf"\b(?P<shift>last|this|next)\s+(?P<weekday>{any_of(_WEEKDAYS)})(?:'s)?\b", _weekday),
    Notation(
        r"\b(?:(?:around|about)\s+)?(?:this|the\s+same|same)\s+(?P<same>time|period|season|week|month|quarter)"
        r"(?:\s+of)?\s+(?:last|the\s+previous)\s+year\b",
        _same_time,
    ),
    Notation(rf"\b(?:earlier|so\s+far)\s+this\s+{_UNIT}\b", _so_far),
    Notation(rf"\b{_COUNTED}\s+ago\b", _ago),
    Notation(r"\b(?:a\s+few|several|some)\s+(?P<unit>day|week|month|year)s\s+ago\b", _some_ago),
    Notation(rf"\b(?:the\s+)?(?:last|past|previous)\s+(?:{_COUNTED}|(?P<unit>fortnight))\b", _latest),
)
