"""Finds dates, ranges and open ends (8月から10月, since September) in normalised text."""

from __future__ import annotations

from dataclasses import dataclass, replace

import regex

from locator_search.text.dates import english, english_relative, japanese, japanese_relative, numeric
from locator_search.text.dates.eras import number
from locator_search.text.dates.parts import DateParts, resolve
from locator_search.text.dates.periods import EARLIEST, LATEST, Calendar, Span, day_span, week_span

_OF_THE_CALENDAR = (*japanese.NOTATIONS, *english.NOTATIONS, *numeric.NOTATIONS)
_FROM_TODAY = (*japanese_relative.NOTATIONS, *english_relative.NOTATIONS)

_TO = regex.compile(r"\s*(?:から|より|~|-|to|and|through|until|till)\s*")
_LATER_DAY = regex.compile(rf"\s*(?:から|~|-)\s*(?P<day>{japanese.NUMBER})日(?![間目])")
_END_OF_RANGE = regex.compile(r"\s*(?:まで(?:の間)?|にかけて|の間)?")
_WORD_BEFORE = regex.compile(r"\b(?P<word>as\s+of|[a-z]+)\s+(?:the\s+|early\s+|late\s+)?$")
_WEEK_AFTER = regex.compile(r"\s*の?週(?![\p{Han}])")
_WEEK_BEFORE = regex.compile(r"\b(?:the\s+)?week\s+(?:of|from|beginning|starting|commencing|ending)\s+$")
_LOOK_BACK = 30
_RANGE_WORDS = {"from", "since", "between", "in", "during", "for"}
_PLAIN_WORDS = {"in", "on", "during", "for", "from", "of", "last", "this", "at", "dated"}

_OPEN_ENDS_AFTER = {
    "since": regex.compile(r"\s*(?:以降|以後|以来|から|onwards?\b|(?:or|and)\s+later\b)"),
    "until": regex.compile(r"\s*(?:以前|まで|(?:or|and)\s+earlier\b)"),
    "before": regex.compile(r"\s*(?:より|の)前(?![年月回期])"),
    "after": regex.compile(r"\s*より(?:後|あと)"),
}
_OPEN_ENDS_BEFORE = {
    "since": "since",
    "after": "after",
    "before": "before",
    "until": "until",
    "till": "until",
    "by": "until",
    "through": "until",
    "as of": "until",
}


@dataclass(frozen=True, slots=True)
class FoundPeriod:
    """Days written at [start:end] of a text, words such as 以降 and "since" included."""

    start: int
    end: int
    span: Span


@dataclass(frozen=True, slots=True)
class _Date:
    start: int
    end: int
    parts: DateParts


def find_periods(text: str, calendar: Calendar) -> list[FoundPeriod]:
    """Every period in a normalised text, from left to right, without overlaps."""
    dates = _dates(text, calendar)
    found: list[FoundPeriod] = []
    for position, date in enumerate(dates):
        if found and date.start < found[-1].end:  # it was the end of a range
            continue
        following = dates[position + 1] if position + 1 < len(dates) else None
        period = _range(text, date, following, calendar) or _single(text, date, calendar)
        if period is not None:
            found.append(period)
    return found


def _dates(text: str, calendar: Calendar) -> list[_Date]:
    candidates = []
    counts_from_today = calendar.today is not None and calendar.relative
    for notation in (*_OF_THE_CALENDAR, *_FROM_TODAY) if counts_from_today else _OF_THE_CALENDAR:
        for match in notation.pattern.finditer(text):
            written = {name: value for name, value in match.groupdict().items() if value is not None}
            parts = notation.read(written, calendar)
            if parts is not None:
                candidates.append(_Date(match.start(), match.end(), parts))
    kept: list[_Date] = []
    for candidate in sorted(candidates, key=lambda date: (date.start, -date.end)):
        if not kept or candidate.start >= kept[-1].end:
            kept.append(candidate)
    return kept


def _range(text: str, first: _Date, following: _Date | None, calendar: Calendar) -> FoundPeriod | None:
    last = _later_day(text, first)
    if last is None and following is not None and _TO.fullmatch(text, first.end, following.start):
        last = following
    if last is None:
        return None
    begin = resolve(_with_the_year_of(last.parts, first.parts), calendar)
    end = resolve(last.parts, calendar, not_before=begin[0]) if begin else None
    if begin is None or end is None or end[1] <= begin[0]:
        return None
    return FoundPeriod(
        _start_with(_RANGE_WORDS, text, first.start),
        _END_OF_RANGE.match(text, last.end).end(),  # type: ignore[union-attr]  # matches the empty string
        (begin[0], end[1]),
    )


def _later_day(text: str, first: _Date) -> _Date | None:
    match = _LATER_DAY.match(text, first.end)
    if match is None or first.parts.day is None:
        return None
    return _Date(match.start(), match.end(), DateParts(day=number(match["day"])))


def _with_the_year_of(last: DateParts, first: DateParts) -> DateParts:
    """August to October 2024: the year may be written once, at the end."""
    if first.year is not None or first.span is not None or last.year is None:
        return first
    begins_earlier_year = first.month is not None and last.month is not None and first.month > last.month
    return replace(first, year=last.year - begins_earlier_year, fiscal=last.fiscal)


def _single(text: str, date: _Date, calendar: Calendar) -> FoundPeriod | None:
    span = resolve(date.parts, calendar)
    if span is None:
        return None
    if span == day_span(span[0]):
        if match := _WEEK_AFTER.match(text, date.end):
            return FoundPeriod(date.start, match.end(), week_span(span[0]))
        if match := _WEEK_BEFORE.search(text, max(0, date.start - _LOOK_BACK), date.start):
            return FoundPeriod(match.start(), date.end, week_span(span[0]))
    for kind, pattern in _OPEN_ENDS_AFTER.items():
        if match := pattern.match(text, date.end):
            return FoundPeriod(_start_with(_PLAIN_WORDS, text, date.start), match.end(), _opened(kind, span))
    before = _WORD_BEFORE.search(text, max(0, date.start - _LOOK_BACK), date.start)
    if before and (word := " ".join(before["word"].split())) in _OPEN_ENDS_BEFORE:
        return FoundPeriod(before.start(), date.end, _opened(_OPEN_ENDS_BEFORE[word], span))
    return FoundPeriod(_start_with(_PLAIN_WORDS, text, date.start), date.end, span)


def _opened(kind: str, span: Span) -> Span:
    return {
        "since": (span[0], LATEST),
        "after": (span[1], LATEST),
        "until": (EARLIEST, span[1]),
        "before": (EARLIEST, span[0]),
    }[kind]


def _start_with(words: set[str], text: str, start: int) -> int:
    before = _WORD_BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    return before.start() if before and before["word"] in words else start
