"""What a question says besides its subject: the period and the file types it names become filters.

Filters a person sets explicitly win over those read from the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from locator_search.drive_search.file_types import type_name
from locator_search.drive_search.messages import Sentences
from locator_search.model import Period, SearchFilters
from locator_search.text.dates import parse_question


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as understood. `text` is its subject, without the words that became filters; it may be empty.

    `conditions` names, in the person's language, which filters were read from the question (none: nothing to drop).
    `notes` are sentences that say what was understood.
    """

    text: str
    filters: SearchFilters
    conditions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_question(
    question: str, explicit: SearchFilters, today: date, fiscal_year_start: int, say: Sentences
) -> Reading:
    """Read a question asked on `today` (a day of the person's time zone)."""
    parsed = parse_question(question, today, fiscal_year_start)
    has_period = explicit.period or explicit.modified_after or explicit.modified_before
    period = None if has_period else parsed.period
    mime_types = () if explicit.mime_types else parsed.mime_types
    filters = explicit
    conditions: list[str] = []
    notes: list[str] = []
    if period is not None:
        filters = replace(filters, period=period)
        conditions.append(period.label or say.period_word)
        notes.append(period_sentence(period, say))
    if mime_types:
        filters = replace(filters, mime_types=mime_types)
        conditions.append(type_names(mime_types, say))
        notes.append(say.types.format(types=type_names(mime_types, say)))
    return Reading(parsed.text, filters, tuple(conditions), tuple(notes))


def period_sentence(period: Period, say: Sentences) -> str:
    """Which days were understood, the last one included."""
    last = period.end - timedelta(days=1)
    return say.period.format(label=period.label or say.period_word, first=period.start, last=last)


def type_names(mime_types: Sequence[str], say: Sentences) -> str:
    """The types as a person calls them, without repeats."""
    return say.comma.join(dict.fromkeys(type_name(mime_type) for mime_type in mime_types))
