"""Takes dates, file types and polite phrases out of a question.

「先月の売上のPDFを見せてください」 asks for 「売上」, limited by period and type. The polite phrases would otherwise be
rare words that no file contains.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import regex

from locator_search.model import Period
from locator_search.text.dates.finding import FoundPeriod, find_periods
from locator_search.text.dates.periods import Calendar, Span, label
from locator_search.text.file_types import FoundType, find_file_types
from locator_search.text.normalise import normalise_with_offsets, original_span

_AFTER = regex.compile(
    r"(?:日?付け?の?|分の|分(?![析類割野配担散布])|頃の|ごろの|時点の|における|の|にて?(?!つ)|と|で(?=$|\s))?[\s、,]*"
)
_AFTER_AT_THE_START = regex.compile(
    r"\s*(?:日?付け?の?|分の|頃の|ごろの|時点の|における|[のをがはにでもと]|から|まで)?(?:\s*\b(?:of|about|for|from|on|with)\b)?[\s、,]*"
)
_BEFORE = regex.compile(r"[\s、,_.]*(?:[のでを]|\b(?:as|in)\b)?(?:\s*\b(?:an?|the)\b)?[\s、,_]*$")
_EMPTY_BRACKETS = regex.compile(r"\(\s*\)|（\s*）|【\s*】|「\s*」|\[\s*\]|［\s*］")
_REQUEST_AT_THE_END = regex.compile(
    r"(?:について|に関して|って|[をはが])?\s?"
    r"(?:探して|さがして|検索して|見せて|教えて|出して|送って|ください|下さい|くれますか|くれる|頂けますか|いただけますか|もらえますか"
    r"|お願いします|ほしいです|欲しいです|ほしい|欲しい|見たいです|見たい|読みたい|知りたい|どこにありますか|どこにある|どこですか|どこ"
    r"|ありますか|あります|ある|ですか)$"
)
_ENDING_MARKS = " 　?!。、！？"
_REQUEST_AT_THE_START = regex.compile(
    r"^(?:please\s+)?(?:(?:can|could)\s+you\s+)?"
    r"(?:find|show|get|give|search\s+for|look(?:ing)?\s+for|where\s+(?:is|are)|i(?:\s+a|')m\s+looking\s+for|i\s+(?:need|want))\s+"
    r"(?:me\s+)?(?:(?:the|an?|all|any|my|our)\s+)?",
    regex.IGNORECASE,
)
_ASKS_FOR_NOTHING = regex.compile(
    r"(?:作った|作成した|更新した|一覧|ファイル|資料|文書|書類|データ|もの|全部|すべて|全て"
    r"|\b(?:find|show|list|get|give|me|all|any|the|a|files?|documents?|please|from|of|in|my|our)\b"
    r"|[\s?。、,.!をがはでのもにと])*+",
    regex.IGNORECASE,
)
_LONGEST_QUESTION = 1_000
"""Characters; what is longer is a pasted text and is searched as it is."""


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question without the words that became filters; `notes` say what was understood, one line each.

    A note is neutral: the words as written, an equals sign, and the ISO period or kind of file
    (`先月 = 2024-08`, `エクセル = excel`).
    """

    text: str
    period: Period | None = None
    mime_types: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def parse_question(question: str, today: date, fiscal_year_start: int = 4) -> ParsedQuestion:
    """Read the subject of a question, and the period and file types it names.

    Several periods are narrowed to what they share, or else joined from the first day to the last. The text is
    never empty: a question of filters alone keeps its words.
    """
    if len(question) > _LONGEST_QUESTION:
        return ParsedQuestion(question.strip())
    normalised, offsets = normalise_with_offsets(question)
    periods = find_periods(normalised, Calendar(today, fiscal_year_start))
    types = [found for found in find_file_types(normalised) if not _overlaps(found, periods)]

    def written(found: FoundPeriod | FoundType) -> str:
        start, end = original_span(offsets, found.start, found.end)
        return question[start:end].strip()

    notes = [f"{written(found)} = {label(found.span)}" for found in periods]
    notes += [f"{written(found)} = {found.kind}" for found in types]
    return ParsedQuestion(
        text=_without([*periods, *types], question, normalised, offsets),
        period=_joined(periods, " ".join(written(found) for found in periods)),
        mime_types=tuple(dict.fromkeys(mime for found in types for mime in found.mime_types)),
        notes=tuple(notes),
    )


def _overlaps(found: FoundType, periods: list[FoundPeriod]) -> bool:
    return any(found.start < period.end and period.start < found.end for period in periods)


def _joined(periods: list[FoundPeriod], written: str) -> Period | None:
    if not periods:
        return None
    start, end = max(found.span[0] for found in periods), min(found.span[1] for found in periods)
    if start >= end:
        start, end = min(found.span[0] for found in periods), max(found.span[1] for found in periods)
    span: Span = (start, end)
    return Period(start, end, label=f"{label(span)} ({written})")


def _without(parts: list[FoundPeriod | FoundType], question: str, normalised: str, offsets: list[int]) -> str:
    kept: list[str] = []
    position = 0
    for part in sorted(parts, key=lambda found: found.start):
        before = _kept_before(normalised, position, part.start)
        nothing_yet = not kept and before == position
        after = (_AFTER_AT_THE_START if nothing_yet else _AFTER).match(normalised, part.end)
        end = after.end() if after else part.end
        joins_on = after is not None and "の" in after.group()
        stop = part.start if joins_on and not nothing_yet else before
        if stop > position:
            kept.append(question[slice(*original_span(offsets, position, stop))])
        position = end
    if position < len(normalised):
        kept.append(question[slice(*original_span(offsets, position, len(normalised)))])
    text = _EMPTY_BRACKETS.sub(" ", "".join(kept))
    text = _REQUEST_AT_THE_START.sub("", _without_request_at_the_end(" ".join(text.split())))
    return question.strip() if _ASKS_FOR_NOTHING.fullmatch(text) else text


def _without_request_at_the_end(text: str) -> str:
    shorter = _REQUEST_AT_THE_END.sub("", text.rstrip(_ENDING_MARKS))
    return shorter if shorter == text else _without_request_at_the_end(shorter)


def _kept_before(normalised: str, position: int, start: int) -> int:
    """Where the words before a removed part end, without the particle that joins them to it."""
    match = _BEFORE.search(normalised, position, start)
    return match.start() if match else start
