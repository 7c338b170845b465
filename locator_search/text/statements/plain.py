"""Phrases of several words that bind, bound or order, as one word each, so that they can be compared."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import regex

from locator_search.text.statements.phrases.compounds import with_simple_verbs
from locator_search.text.statements.phrases.english import ENGLISH
from locator_search.text.statements.phrases.japanese import JAPANESE
from locator_search.text.statements.phrases.numbers import in_one_notation

BOUNDS = {
    "atmost": "most",
    "withinmost": "most",
    "atleast": "least",
    "morethan": "more",
    "lessthan": "less",
    "atevery": "every",
}
"""The words that phrases of bounds become, and the bound each gives to the number behind it."""


def with_plain_phrases(text: str, *, japanese: bool) -> str:
    """A text with one word for each phrase that binds, bounds or orders, and one notation of numbers and dates."""
    text = in_one_notation(with_simple_verbs(text) if japanese else text, japanese=japanese)
    for phrase, word in _phrases(japanese=japanese):
        text = phrase.sub(word, text)
    return text


@cache
def _phrases(*, japanese: bool) -> list[tuple[regex.Pattern[str], str | Callable[[regex.Match[str]], str]]]:
    """Compiled when statements are first compared, which few commands do."""
    return [(regex.compile(phrase, regex.IGNORECASE), word) for phrase, word in (JAPANESE if japanese else ENGLISH)]
