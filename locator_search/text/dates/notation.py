"""The form of every notation (Japanese, English, numeric): a pattern over normalised text and its reader; and the spans
that words count from today."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

import regex

from locator_search.text.dates.parts import DateParts, Section, resolve
from locator_search.text.dates.periods import Calendar, Span, day_span, fiscal_span, months_span, week_span

Groups = Mapping[str, str]
AROUND = timedelta(days=15)
"""How far 「去年の今頃」 reaches to either side."""

Reader = Callable[[Groups, Calendar], DateParts | None]


@dataclass(frozen=True)
class Notation:
    """A way to write dates, as a verbose pattern, whose groups of one meaning share a name. `read` gets the groups that
    matched and answers None when it is no date after all."""

    written: str
    read: Reader

    @cached_property
    def pattern(self) -> regex.Pattern[str]:
        """Compiled when a date is first looked for, which many a command never does."""
        return regex.compile(self.written, regex.VERBOSE)


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of some words, longest first."""
    return (
        "(?:"
        + "|".join(regex.escape(word, literal_spaces=False) for word in sorted(words, key=len, reverse=True))
        + ")"
    )


def shifted(unit: str, shift: int, calendar: Calendar) -> Span | None:
    """The day, week, month, quarter, fiscal year or year that lies `shift` after the one of today."""
    today, fiscal_year, start_month = calendar.today, calendar.fiscal_year, calendar.fiscal_year_start
    if today is None or fiscal_year is None:
        return None
    match unit:
        case "day":
            return day_span(today + timedelta(days=shift))
        case "week":
            return week_span(today + timedelta(weeks=shift))
        case "month":
            return months_span(today.year, today.month + shift)
        case "quarter":
            quarter = (today.month - start_month) % 12 // 3 + 1
            return fiscal_span(fiscal_year, start_month, quarter + shift, parts=4)
        case "fiscal year":
            return fiscal_span(fiscal_year + shift, start_month)
        case _:
            return months_span(today.year + shift, 1, 12)


def latest(unit: str, count: int, calendar: Calendar) -> Span | None:
    """The `count` units up to and including today."""
    start = shifted(unit, -count, calendar)
    if start is None or calendar.today is None:
        return None
    tomorrow = calendar.today + timedelta(days=1)
    if unit in ("day", "week"):
        return tomorrow - timedelta(days=count * (7 if unit == "week" else 1)), tomorrow
    same_day = min(calendar.today.day, 28)
    return start[0].replace(day=same_day, month=calendar.today.month if unit == "year" else start[0].month), tomorrow


def few(unit: str, calendar: Calendar) -> Span | None:
    """A few units ago: two to six."""
    start, end = shifted(unit, -6, calendar), shifted(unit, -2, calendar)
    return (start[0], end[1]) if start and end else None


def around(years: int, calendar: Calendar) -> Span | None:
    """The days about this day of another year (今頃): as many weeks before it as after it, a month in all."""
    month = shifted("month", 12 * years, calendar)
    if month is None or calendar.today is None:
        return None
    day = month[0].replace(day=min(calendar.today.day, 28))
    return day - AROUND, day + AROUND + timedelta(days=1)


def nearest_month(section: Section, calendar: Calendar) -> DateParts | None:
    """This section of the month of today, or of the one before while it has not begun."""
    for shift in (0, -1):
        month = shifted("month", shift, calendar)
        parts = DateParts(year=month[0].year, month=month[0].month, section=section) if month else None
        span = resolve(parts, calendar) if parts else None
        if span and calendar.today and span[0] <= calendar.today:
            return parts
    return None
