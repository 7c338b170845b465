"""Dates in questions, file names and options: 令和6年9月, 先月, 2024年度上期, FY2024 Q1, since September."""

from __future__ import annotations

from datetime import date, datetime

from locator_search.errors import ConfigurationError
from locator_search.model import Period
from locator_search.text.dates.finding import FoundPeriod, find_periods
from locator_search.text.dates.periods import EARLIEST, LATEST, Calendar, Span, label
from locator_search.text.normalise import normalise

__all__ = [
    "EARLIEST",
    "LATEST",
    "Calendar",
    "FoundPeriod",
    "Span",
    "find_periods",
    "label",
    "parse_day",
    "period_in_name",
]


def period_in_name(file_name: str, fiscal_year_start: int = 4) -> Period | None:
    """The period a file name states completely, year included, or None: 議事録_20240910.docx, 2024年度予算, 2024Q1.

    The first one counts when there are several. The label is ISO, followed by the words as written.
    """
    stem, _, suffix = file_name.rpartition(".")
    name = normalise(stem if stem and len(suffix) <= 5 else file_name).replace("_", " ")
    found = find_periods(name, Calendar(None, fiscal_year_start))
    if not found:
        return None
    written = name[found[0].start : found[0].end].strip()
    return Period(*found[0].span, label=f"{label(found[0].span)} ({written})")


def parse_day(text: str) -> date | datetime:
    """A day (or moment) given as an option: 2024-09-10, 2024-09-10T12:00+09:00, 2024/9/10, 令和6年9月10日, 2024-09.

    A month or year means its first day. Raises ConfigurationError for anything else.
    """
    written = text.strip()
    try:
        return date.fromisoformat(written)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(written)
    except ValueError:
        pass
    normalised = normalise(written)
    found = find_periods(normalised, Calendar(None))
    if len(found) == 1 and (found[0].start, found[0].end) == (0, len(normalised)):
        return found[0].span[0]
    raise ConfigurationError(
        f"This is not a date: {text!r}.", hint="Write it as 2024-09-10, 2024/9/10, 2024-09 or 令和6年9月10日."
    )
