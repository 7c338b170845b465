"""Sentences of the program in another language: errors, reasons of files, lines of a crawl.

Errors, logs and what is kept of a listing are English, and so is what an operating system says. A person reads them in
the sentences of the same key. Words of other programs stay as they are, behind the sentence that quotes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import regex

from locator_search.core.errors import LocatorError
from locator_search.locales.files import REFERENCE, Language
from locator_search.locales.sections import Section

OF_THE_PROGRAM: Language = "en"
_TOLD = frozenset(
    {
        "asked_by",
        "cause",
        "closed",
        "cost",
        "ending",
        "flaw",
        "format",
        "holder",
        "host",
        "kind",
        "limit",
        "made_by",
        "mail",
    }
    | {"memory", "noun", "pages", "part", "problems", "reason", "reasons", "what", "why"}
)
"""Names of values that are words of the program themselves; all others are names and numbers, and stay."""
_NAME = regex.compile(r"\\\{(\w+)\\\}")
_VALUE = regex.compile(r"\{\w+\}")
_BETWEEN = (regex.compile(r"((?<=[.?!]) (?=\S))"), regex.compile(r"(; )"))
"""Sentences in a row, then the parts of a list."""
_DEEPEST = 4
"""Names before a sentence, one within the other."""


@dataclass(frozen=True)
class Said(Section, section="said"):
    """The sentences, each with what stands for those that are not among them."""

    other: str
    sentences: Mapping[str, str]


def in_words(said: str, language: Language) -> str:
    """A sentence of the program in a language; where it is not known there, that the program's record says more."""
    return said if language == OF_THE_PROGRAM else known_in_words(said, language) or Said.of(language).other


def told(said: str, language: Language) -> str:
    """The same; what is not known stays as it was said: it is in the language already, or of another program."""
    return known_in_words(said, language) or said


def error_in_words(error: LocatorError, language: Language) -> tuple[str, str]:
    """The sentence and the hint of an error. Never raises: where the locale files are faulty, they stay English."""
    try:
        return told(error.message, language), told(error.hint, language)
    except LocatorError:
        return error.message, error.hint


@lru_cache(maxsize=4096)
def known_in_words(said: str, language: Language) -> str:
    """The same, and "" where nothing of it is known. Several sentences are told one by one, and so is a sentence
    behind a name: `report.pdf: The PDF is damaged.`"""
    if not said:
        return ""
    pieces = next((split for one in _BETWEEN if len(split := one.split(said)) > 1), [])
    known = [known_in_words(piece, language) for piece in pieces[::2]]
    for key, words, own in _sentences(_spoken(language)):
        if own not in said:
            continue
        pattern = _pattern(words)
        found = pattern.fullmatch(said)
        if found and not (known and all(known) and pattern.groups and found.start(1) == 0):  # a name with a sentence
            parts = {name: _part(name, part, language) for name, part in found.groupdict().items()}
            return Said.of(language).sentences[key].format(**parts)
    if any(known):
        pieces[::2] = [words or piece for words, piece in zip(known, pieces[::2], strict=True)]
        return "".join(pieces).replace("。 ", "。")
    name, _, words = said.partition(": ")
    if not words or words.count(": ") > _DEEPEST:
        return ""
    known_words = known_in_words(words, language) or known_in_words(words.removesuffix("."), language)
    return f"{name}: {known_words}" if known_words else ""


def _part(name: str, part: str, language: Language) -> str:
    if name not in _TOLD:
        return part
    return (known_in_words(part, language) or known_in_words(f"{part}.", language) or part).removesuffix("。")


def _spoken(language: Language) -> Language:
    """The language of what is to be told: a command that a page starts speaks the first one, not the page's."""
    return OF_THE_PROGRAM if language != OF_THE_PROGRAM else REFERENCE


@cache
def _sentences(language: Language) -> list[tuple[str, str, str]]:
    """Keys, sentences, and the longest words of their own, without which none is said. Those with most words of their
    own first: `{name} does not exist` fits much."""
    own = {key: _VALUE.split(words) for key, words in Said.of(language).sentences.items()}
    keys = sorted(filter(lambda key: any(own[key]), own), key=lambda key: -sum(map(len, own[key])))
    return [(key, Said.of(language).sentences[key], _unescaped(max(own[key], key=len))) for key in keys]


def _unescaped(words: str) -> str:
    return words.replace("{{", "{").replace("}}", "}")


@cache
def _pattern(words: str) -> regex.Pattern[str]:
    escaped = _NAME.sub(r"(?P<\1>.+)", regex.escape(words)).replace(r"\{\{", r"\{").replace(r"\}\}", r"\}")
    return regex.compile(escaped, regex.DOTALL)
