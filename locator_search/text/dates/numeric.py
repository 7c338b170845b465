"""Dates in digits: 2024-09-10, 2024/9, 20240910, 202409, R6.9, H31, 9/10.

A number that touches letters, hyphens or counters (ABC-2024-0910, 第20240910号) is no date: contract and document
numbers look like that.
"""

from __future__ import annotations

from locator_search.text.dates.eras import era_year
from locator_search.text.dates.notation import Groups, Notation
from locator_search.text.dates.parts import DateParts
from locator_search.text.dates.periods import Calendar

_MONTH = r"(?P<month>0?[1-9]|1[0-2])"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])"
_NOT_A_NUMBER_OF_SOMETHING = r"(?<!(?:番号|no\.?|id|コード|番|号|第|\#|tel|電話)[\s:_-]*)"
_START = rf"(?<![\da-z./×]|[a-z\d]-){_NOT_A_NUMBER_OF_SOMETHING}"
_START_AFTER_A_NAME = rf"(?<![\da-z./]|\d-){_NOT_A_NUMBER_OF_SOMETHING}"  # report-2024-09-10
_END = r"(?![\da-z]|[-/.]\d|\s*[号番円件名人株個頁万億])"


def _gregorian(groups: Groups, _: Calendar) -> DateParts | None:
    day = groups.get("day")
    return DateParts(year=int(groups["year"]), month=int(groups["month"]), day=int(day) if day else None)


def _era(groups: Groups, calendar: Calendar) -> DateParts | None:
    year = era_year(groups["era"], groups["era_year"])
    if calendar.today is not None and year > calendar.today.year + 3:  # R32 is a refrigerant
        return None
    month, day = groups.get("month"), groups.get("day")
    return DateParts(year=year, month=int(month) if month else None, day=int(day) if day else None)


def _this_year(groups: Groups, _: Calendar) -> DateParts | None:
    return DateParts(month=int(groups["month"]), day=int(groups["day"]))


_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ERA_YEAR = r"(?P<era>[hr]|s(?=\d\d))\.?(?P<era_year>\d{1,2})"

NOTATIONS = (
    Notation(rf"{_START_AFTER_A_NAME}{_YEAR}(?P<gap>[-/.]){_MONTH}(?P=gap){_DAY}{_END}", _gregorian),
    Notation(rf"{_START}{_YEAR}[-/.]{_MONTH}{_END}", _gregorian),
    Notation(rf"{_START}{_YEAR}(?P<month>\d\d)(?P<day>\d\d){_END}", _gregorian),
    Notation(rf"{_START}(?P<year>20[0-3]\d)(?P<month>0[1-9]|1[0-2]){_END}", _gregorian),
    Notation(rf"{_START}{_ERA_YEAR}(?P<gap>[/.]){_MONTH}(?:(?P=gap){_DAY})?{_END}", _era),
    Notation(rf"{_START}(?P<era>[hr])(?P<era_year>\d\d){_END}", _era),
    Notation(rf"{_START}{_MONTH}/{_DAY}(?=の|に|付|分|以降|以前|から|まで|\s*[~-]\s*\d)", _this_year),
)
