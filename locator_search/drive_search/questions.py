"""Reads the period and the file types that a question names, as filters.

Filters a person sets explicitly win over those read from the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from locator_search.drive_search.file_types import type_name
from locator_search.drive_search.messages import Sentences
from locator_search.model import SearchFilters
from locator_search.text.questions import parse_question

ConditionKind = Literal["period", "types"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter that was read from the question, in a person's words; `note` says it in a sentence."""

    kind: ConditionKind
    label: str
    note: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as understood. `text` is its subject, empty when it names conditions only.

    `conditions` are the filters that were read from the question.
    """

    text: str
    filters: SearchFilters
    conditions: tuple[Condition, ...] = ()

    def has(self, kind: ConditionKind) -> bool:
        """Whether a condition of this kind was read from the question."""
        return any(condition.kind == kind for condition in self.conditions)

    @property
    def notes(self) -> tuple[str, ...]:
        """The conditions in sentences."""
        return tuple(condition.note for condition in self.conditions)


def read_question(
    question: str,
    explicit: SearchFilters,
    today: date,
    fiscal_year_start: int,
    say: Sentences,
    ignored: Sequence[ConditionKind] = (),
) -> Reading:
    """Read a question asked on `today` (a day of the person's time zone). What is `ignored` becomes no filter, though
    its words are understood."""
    parsed = parse_question(question, today, fiscal_year_start)
    period_is_set = explicit.period or explicit.modified_after or explicit.modified_before
    filters = explicit
    conditions: list[Condition] = []
    if parsed.period and not period_is_set and "period" not in ignored:
        filters = replace(filters, period=parsed.period)
        label = parsed.period.label
        conditions.append(Condition("period", label, say.period.format(period=label)))
    if parsed.mime_types and not explicit.mime_types and "types" not in ignored:
        filters = replace(filters, mime_types=parsed.mime_types)
        types = type_names(parsed.mime_types, say)
        conditions.append(Condition("types", types, say.types.format(types=types)))
    names_conditions_only = bool(parsed.period or parsed.mime_types) and parsed.text == question.strip()
    return Reading("" if names_conditions_only else parsed.text, filters, tuple(conditions))


def type_names(mime_types: Sequence[str], say: Sentences) -> str:
    """The types as a person calls them, old formats left unsaid where the family is named."""
    names = dict.fromkeys(type_name(mime_type).partition(" (.")[0] for mime_type in mime_types)
    return say.comma.join(names)
