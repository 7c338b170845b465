"""The period that a file itself states: in its name, in the first lines of its text, in the names of its folders."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import regex

from locator_search.model import Period
from locator_search.text.dates.finding import FoundPeriod, find_periods
from locator_search.text.dates.periods import Calendar, fiscal_span, label, months_span
from locator_search.text.normalise import normalise

HEAD_LINES = 2
"""The title and the line below it; the dates farther down are fields of a form (起案日, 決裁)."""

LONGEST_LINE = 100
"""Characters of a line that may state the date of a document; a longer one is prose."""

MONTH = timedelta(days=31)
"""The longest period that a line below the title may state: a year in it may be that of anything."""

_YEAR_FOLDER = regex.compile(r"(?P<year>(?:19|20)\d\d)(?:年(?P<fiscal>度)?)?")
_HINT_OF_A_YEAR = regex.compile(r"(?:19|20)\d\d|明治|大正|昭和|平成|令和|\b[rh]\.?\d")
_LABEL = regex.compile(r"[^\d:]{0,14}:?\s*")
"""Stands before the date in a line of a date, as 日時: does. Behind other fields it may be the date of anything."""
_END_OF_A_SENTENCE = ("。", ".", "、")


def period_of_file(file_name: str, folder_path: str = "", text: str = "", fiscal_year_start: int = 4) -> Period | None:
    """The period of a file, or None where it states none. `text` is its beginning.

    The name decides, with the year of a folder where it has none; where it states a long period only, the title may say
    which part of it (営業週報_2026年.docx: 第33週). Then the first line that states a date and is no sentence; then the
    innermost folder that is named after a period.
    """
    named = period_in_name(file_name, fiscal_year_start)
    if named and named.end - named.start <= MONTH:
        return named
    lines = [line for line in text.splitlines() if line.strip()][:HEAD_LINES]
    stated = next(_stated(lines, fiscal_year_start), None)
    if named:
        within = stated and named.start <= stated.start and stated.end <= named.end
        return stated if within else named
    return (
        _in_name_and_folder(file_name, folder_path, fiscal_year_start)
        or stated
        or _in_folders(folder_path, fiscal_year_start)
    )


def period_in_name(file_name: str, fiscal_year_start: int = 4) -> Period | None:
    """The period a file name states completely, year included, or None: 議事録_20240910.docx, 2024年度予算, 2024Q1.

    The first one counts when there are several. The label is ISO, followed by the words as written.
    """
    return _first(_stem(file_name), Calendar(None, fiscal_year_start))


def _stem(file_name: str) -> str:
    stem, _, suffix = file_name.rpartition(".")
    return normalise(stem if stem and len(suffix) <= 5 else file_name).replace("_", " ")


def _in_name_and_folder(file_name: str, folder_path: str, fiscal_year_start: int) -> Period | None:
    """第33週.md in the folder 2026. Relative words count from nowhere: only what the calendar names is read."""
    whole = next(_year_folders(folder_path, fiscal_year_start), None)
    if whole is None:
        return None
    last_day = whole.end - timedelta(days=1)
    return _first(_stem(file_name), Calendar(last_day, fiscal_year_start, relative=False))


def _in_folders(folder_path: str, fiscal_year_start: int) -> Period | None:
    years = list(_year_folders(folder_path, fiscal_year_start))
    calendar = Calendar(years[0].end - timedelta(days=1) if years else None, fiscal_year_start, relative=False)
    named = (_first(normalise(name), calendar) for name in reversed(folder_path.split("/")))
    return next((period for period in named if period), None) or next(iter(years), None)


def _year_folders(folder_path: str, fiscal_year_start: int) -> Iterator[Period]:
    """The years that folders are named after, the innermost first."""
    for name in reversed(normalise(folder_path).split("/")):
        if found := _YEAR_FOLDER.fullmatch(name.strip()):
            year = int(found["year"])
            start, end = fiscal_span(year, fiscal_year_start) if found["fiscal"] else months_span(year, 1, 12)
            yield Period(start, end, name.strip())


def _stated(lines: list[str], fiscal_year_start: int) -> Iterator[Period]:
    """The periods of the lines, of a line with several (制定 and 改定) the latest."""
    for place, line in enumerate(lines):
        written = normalise(line[: LONGEST_LINE + 1]).strip()
        if len(written) > LONGEST_LINE or written.endswith(_END_OF_A_SENTENCE) or not _HINT_OF_A_YEAR.search(written):
            continue
        found = find_periods(written, Calendar(None, fiscal_year_start))
        if place and any(one.span[1] - one.span[0] > MONTH for one in found):
            continue
        if found and (not place or _LABEL.fullmatch(written, 0, found[0].start)):
            span = max(one.span for one in found)
            yield Period(*span, label=label(span))


def _first(text: str, calendar: Calendar) -> Period | None:
    found: list[FoundPeriod] = find_periods(text, calendar)
    if not found:
        return None
    written = text[found[0].start : found[0].end].strip()
    return Period(*found[0].span, label=f"{label(found[0].span)} ({written})")
