"""Questions as they are asked: a person's options, and the period and the file types that the words name, as filters.

Filters a person sets explicitly win over those read from the question.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from locator_search.core.errors import ConfigurationError
from locator_search.drive_search.file_types import type_name
from locator_search.drive_search.messages import Sentences
from locator_search.locales import Language
from locator_search.model import RetrievalMode, SearchFilters
from locator_search.text.questions import parse_question

ConditionKind = Literal["period", "types"]

MAX_QUESTION_LENGTH = 1000
"""Characters. Longer texts are documents, not questions."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How one search is run. `threshold` is where it starts, in [0, 1]; `limit` caps the files it may return, `show`
    those it shows; neither changes a hit count. `max_rounds` and `language` left None are taken from the settings
    (`SEARCH_MAX_LOOP_COUNT`, `LOCATOR_LANGUAGE`). Not `interactive`: a narrowing question ends the search.
    Conditions of the question that are `ignored` do not limit the search. `matching_off` names the matching rules that
    are off; left None, those of `LOCATOR_MATCHING_OFF` are. `surface` is where the question was asked,
    for the search log.
    """

    threshold: float = 0.70
    limit: int = 80
    show: int = 10
    max_rounds: int | None = None
    language: Language | None = None
    interactive: bool = True
    mode: RetrievalMode = "hybrid"
    surface: str = "library"
    ignored: tuple[ConditionKind, ...] = ()
    matching_off: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SearchInputs:
    """Everything one run of the flow depends on. `today` is a day of the person's own time zone; `remarks` are said
    whatever comes of the search. With `permissions`, nothing hints at a file that the source does not confirm.
    """

    question: str
    today: date
    filters: SearchFilters
    threshold: float
    limit: int
    show: int
    max_rounds: int
    language: Language
    interactive: bool
    mode: RetrievalMode
    surface: str
    fiscal_year_start: int = 4
    ignored: tuple[ConditionKind, ...] = ()
    matching_off: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    permissions: bool = False


def checked_question(question: str, language: Language) -> str:
    """The question on one line, without control characters. Raises ConfigurationError when empty or too long."""
    printable = "".join(" " if unicodedata.category(letter) in ("Cc", "Cs") else letter for letter in question)
    cleaned = " ".join(printable.split())
    say = Sentences.of(language)
    if not cleaned:
        raise ConfigurationError(say.question_empty, hint=say.question_empty_hint)
    if len(cleaned) > MAX_QUESTION_LENGTH:
        raise ConfigurationError(
            say.question_too_long.format(length=len(cleaned), limit=MAX_QUESTION_LENGTH),
            hint=say.question_too_long_hint,
        )
    return cleaned


def check_options(options: SearchOptions, language: Language) -> None:
    """Raises ConfigurationError for a number outside its range."""
    say = Sentences.of(language)
    if not 0 <= options.threshold <= 1:
        raise ConfigurationError(say.threshold_out_of_range.format(value=options.threshold))
    for name in ("limit", "show", "max_rounds"):
        value = getattr(options, name)
        if value is not None and value < 1:
            raise ConfigurationError(say.number_too_small.format(name=name, value=value))


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

    def in_stated_period(self, filters: SearchFilters) -> SearchFilters:
        """Limited to files that state the period of the question; to dated ones, where it names no subject."""
        if not self.has("period") or filters.period != self.filters.period:
            return filters
        return replace(filters, period_by="stated" if self.text else "dated")

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
        conditions.append(Condition("period", label, say.period.format(period=say.dates(label))))
    if parsed.mime_types and not explicit.mime_types and "types" not in ignored:
        filters = replace(filters, mime_types=parsed.mime_types)
        types = type_names(parsed.mime_types, say)
        conditions.append(Condition("types", types, say.types.format(types=types)))
    names_conditions_only = bool(parsed.period or parsed.mime_types) and parsed.text == question.strip()
    return Reading("" if names_conditions_only else parsed.text, filters, tuple(conditions))


def type_names(mime_types: Sequence[str], say: Sentences) -> str:
    """The types as a person calls them, the formats of a family left unsaid."""
    names = dict.fromkeys(type_name(mime_type, say.language).partition(" (")[0] for mime_type in mime_types)
    return say.comma.join(names)
