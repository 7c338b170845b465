"""Dates in questions and file names: 令和6年9月, 先月, 2024年度上期, FY2024 Q1, since September."""

from __future__ import annotations

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
