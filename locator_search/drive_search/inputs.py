"""The inputs of a search: the person's options, and everything the flow depends on."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import date

from locator_search.core.errors import ConfigurationError
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.questions import ConditionKind
from locator_search.locales import Language
from locator_search.model import RetrievalMode, SearchFilters

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
    whatever comes of the search.
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


def check_options(options: SearchOptions) -> None:
    """Raises ConfigurationError for a number outside its range."""
    say = Sentences.of(options.language or "ja")
    if not 0 <= options.threshold <= 1:
        raise ConfigurationError(say.threshold_out_of_range.format(value=options.threshold))
    for name in ("limit", "show", "max_rounds"):
        value = getattr(options, name)
        if value is not None and value < 1:
            raise ConfigurationError(say.number_too_small.format(name=name, value=value))
