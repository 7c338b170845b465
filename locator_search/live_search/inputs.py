"""What a live search is started with."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import date

from locator_search.core.errors import ConfigurationError
from locator_search.live_search.messages import Language, sentences
from locator_search.model import ServiceQuery

MAX_QUESTION_LENGTH = 1000
"""Characters. Longer texts are documents, not questions."""


@dataclass(frozen=True, slots=True)
class LiveInputs:
    """Everything one run of the flow depends on. `today` is a day of the person's own time zone.

    `queries` are put as they are, and no model is asked for others: the person chose them among alternatives.
    """

    question: str
    today: date
    language: Language
    with_index: bool = False
    queries: tuple[ServiceQuery, ...] = ()


def checked_question(question: str, language: Language) -> str:
    """The question on one line, without control characters. Raises ConfigurationError when empty or too long."""
    printable = "".join(" " if unicodedata.category(letter) in ("Cc", "Cs") else letter for letter in question)
    cleaned = " ".join(printable.split())
    say = sentences(language)
    if not cleaned:
        raise ConfigurationError(say.question_empty)
    if len(cleaned) > MAX_QUESTION_LENGTH:
        raise ConfigurationError(say.question_too_long.format(length=len(cleaned), limit=MAX_QUESTION_LENGTH))
    return cleaned
