"""Spans of days: months, fiscal years, quarters, weeks. Half-open: the end is the first day that does not belong."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

Span = tuple[date, date]

EARLIEST = date(1900, 1, 1)
LATEST = date(2200, 1, 1)
"""The ends of 「以前」 and 「以降」: far enough away, and safe to turn into any time zone."""


MUCH_LONGER = 1.5
"""A file that states more than so many times the days of a period is of a longer one: a year is none of its months."""
FAR_LONGER = 31
"""One that states more than so many times the days says nothing of the shorter: a year says nothing of a week."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """The day that relative words count from. Without `today` only complete dates are understood; without `relative` a
    year may be missing, but words such as 先月 are not read."""

    today: date | None
    fiscal_year_start: int = 4
    relative: bool = True

    @property
    def year(self) -> int | None:
        """The year of `today`."""
        return None if self.today is None else self.today.year

    @property
    def fiscal_year(self) -> int | None:
        """The fiscal year `today` belongs to, named after the year it begins in."""
        if self.today is None:
            return None
        return self.today.year - (self.today.month < self.fiscal_year_start)


def day_span(day: date) -> Span:
    """One day."""
    return day, day + timedelta(days=1)


def week_span(day: date) -> Span:
    """The week of a day, Monday to Sunday."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=7)


def weekday_span(week: Span, first: int, last: int | None = None) -> Span:
    """One day of a week, 0 for its Monday, or the days up to and including `last`."""
    monday, _ = week
    return monday + timedelta(days=first), monday + timedelta(days=(first if last is None else last) + 1)


def months_span(year: int, month: int, count: int = 1) -> Span:
    """`count` whole months from a first month on. `month` may lie outside 1-12 and then counts into other years."""
    return _first_of(year, month), _first_of(year, month + count)


def fiscal_span(year: int, start_month: int, part: int = 1, parts: int = 1) -> Span:
    """A fiscal year or its n-th part of two halves or four quarters."""
    length = 12 // parts
    return months_span(year, start_month + (part - 1) * length, length)


def label(span: Span) -> str:
    """The span in ISO form, as short as it can be: 2024, 2024-09, 2024-09-10, 2024-04-01..2024-06-30, 2024-09-01.."""
    start, end = span
    last = end - timedelta(days=1)
    if start <= EARLIEST:
        return f"..{last}"
    if end >= LATEST:
        return f"{start}.."
    if last == start:
        return f"{start}"
    if span == months_span(start.year, 1, 12):
        return f"{start:%Y}"
    if span == months_span(start.year, start.month):
        return f"{start:%Y-%m}"
    return f"{start}..{last}"


def _first_of(year: int, month: int) -> date:
    extra_years, month_index = divmod(month - 1, 12)
    return date(year + extra_years, month_index + 1, 1)
