"""Sentences of the program about places that cannot be read, and errors that a page shows, in another language.

Errors, logs and what is kept of a listing are English, and so is what an operating system says. A person reads them in
the sentences of the same key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import regex

from locator_search.locales.files import Language
from locator_search.locales.sections import Section

OF_THE_PROGRAM: Language = "en"
_NAME = regex.compile(r"\\\{(\w+)\\\}")


@dataclass(frozen=True)
class Said(Section, section="said"):
    """The sentences, each with what stands for those that are not among them."""

    other: str
    sentences: Mapping[str, str]


def in_words(said: str, language: Language) -> str:
    """A sentence of the program in a language; where it is not known there, that the program's record says more."""
    return said if language == OF_THE_PROGRAM else known_in_words(said, language) or Said.of(language).other


def known_in_words(said: str, language: Language) -> str:
    """The same, and "" for a sentence that is not known."""
    for key, pattern in _patterns():
        if found := pattern.fullmatch(said):
            parts = {name: known_in_words(part, language) or part for name, part in found.groupdict().items()}
            return Said.of(language).sentences[key].format(**parts)
    return ""


@cache
def _patterns() -> list[tuple[str, regex.Pattern[str]]]:
    sentences = Said.of(OF_THE_PROGRAM).sentences.items()
    return [(key, regex.compile(_NAME.sub(r"(?P<\1>.+)", regex.escape(words)))) for key, words in sentences]
