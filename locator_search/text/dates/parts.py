"""The parts of one written date (`DateParts`), and the days it means (`resolve`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from locator_search.text.dates.periods import Calendar, Span, day_span, fiscal_span, months_span, week_span

Section = Literal["first", "middle", "last", "first half", "second half"]
"""A part of a month (上旬, 中旬, 下旬, 前半), or of something longer: then its first or last month (年度末)."""


WEEKS_OF_A_MONTH = 5


@dataclass(frozen=True, slots=True)
class DateParts:
    """The parts of a date as written; what is None was not written. `span` is set when the words say it all (先週).

    `fiscal` makes `year` a fiscal year. `closing` is a month in which a business year ends (2024年3月期). `week` is a
    week of `month`, where there is one, else that of the calendar (ISO 8601).
    """

    year: int | None = None
    fiscal: bool = False
    half: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    week: int | None = None
    section: Section | None = None
    closing: bool = False
    span: Span | None = None

    @classmethod
    def of_span(cls, span: Span | None) -> DateParts | None:
        """The parts of words that mean whole days already; None when there are none."""
        return None if span is None else cls(span=span)


def resolve(parts: DateParts, calendar: Calendar, not_before: date | None = None) -> Span | None:
    """The days meant, or None when there are none (13月, 2月30日, or a year missing where none may be guessed).

    A missing year is the one that brings the date nearest before today, or, as the end of a range, first at or
    after `not_before`. A fifth week or an earlier one without month or year may be that of any month: none.
    """
    if parts.span is not None or parts.year is not None:
        return _within_its_year(parts, calendar)
    if not_before is not None:
        if parts.month is None and parts.day is not None:  # 9月10日から12日
            return _within_its_year(replace(parts, year=not_before.year, month=not_before.month), calendar)
        years = range(not_before.year - 1, not_before.year + 3)
        spans = [span for year in years if (span := _within_its_year(replace(parts, year=year), calendar))]
        return next((span for span in spans if span[0] >= not_before), None)
    if calendar.today is None or (parts.month is None and parts.week is not None and parts.week <= WEEKS_OF_A_MONTH):
        return None
    years = range(calendar.today.year, calendar.today.year - 9, -1)  # nine, because of 29 February
    spans = [span for year in years if (span := _within_its_year(replace(parts, year=year), calendar))]
    return next((span for span in spans if span[0] <= calendar.today), None)


def _within_its_year(parts: DateParts, calendar: Calendar) -> Span | None:
    try:
        return _days(parts, calendar.fiscal_year_start)
    except (ValueError, OverflowError):  # a day or month the calendar does not have
        return None


def _days(parts: DateParts, start_month: int) -> Span | None:
    if parts.span is not None:
        return parts.span
    year = parts.year
    if year is None:
        return None
    if parts.closing and parts.month is not None:
        return months_span(year, parts.month - 11, 12)
    if parts.month is not None:
        calendar_year = year + 1 if parts.fiscal and parts.month < start_month else year
        return _days_of_month(calendar_year, parts)
    if parts.week is not None:
        monday = date.fromisocalendar(year, parts.week, 1)
        starts_before = parts.fiscal and monday < date(year, start_month, 1)
        return week_span(date.fromisocalendar(year + 1, parts.week, 1) if starts_before else monday)
    if parts.quarter is not None:
        return _section(fiscal_span(year, start_month, parts.quarter, 4), parts.section)
    if parts.half is not None:
        return _section(fiscal_span(year, start_month, parts.half, 2), parts.section)
    return _section(fiscal_span(year, start_month) if parts.fiscal else months_span(year, 1, 12), parts.section)


def _section(whole: Span, section: Section | None) -> Span:
    if section is None:
        return whole
    start, end = whole
    months = (end.year - start.year) * 12 + end.month - start.month
    first, count = {
        "first": (0, 1),
        "middle": (months // 3, months // 3),
        "last": (months - 1, 1),
        "first half": (0, months // 2),
        "second half": (months // 2, months - months // 2),
    }[section]
    return months_span(start.year, start.month + first, count)


def _days_of_month(year: int, parts: DateParts) -> Span | None:
    month = parts.month or 0
    if not 1 <= month <= 12:
        return None
    first, end = months_span(year, month)
    if parts.day is not None:
        return day_span(date(year, month, parts.day))
    if parts.week is not None:
        week = week_span(first + timedelta(weeks=parts.week - 1))
        return week if parts.week > 0 and week[0] < end else None
    if parts.section is None:
        return first, end
    tenth, middle, twentieth = (first + timedelta(days=days) for days in (10, 15, 20))
    return {
        "first": (first, tenth),
        "middle": (tenth, twentieth),
        "last": (twentieth, end),
        "first half": (first, middle),
        "second half": (middle, end),
    }[parts.section]
