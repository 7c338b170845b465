"""The synonym dictionary: one group of words per line, separated by commas; lines that begin with # are remarks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import regex

from locator_search.text.normalise import normalise

_COMMA = regex.compile("[,，、､]")
LONGEST_WORD = 64
"""Characters; a longer one is a sentence, and no question holds it."""


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Groups of words that mean the same, and the numbers of the lines (from 1) that are no group."""

    groups: tuple[tuple[str, ...], ...] = ()
    bad_lines: tuple[int, ...] = ()


def parse_synonyms(text: str) -> Synonyms:
    """Read a dictionary. A line with fewer than two words, or with one that is too long, is bad and left out."""
    groups: list[tuple[str, ...]] = []
    bad: list[int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        words = {normalise(word).strip(): " ".join(word.split()) for word in _COMMA.split(line)}
        group = tuple(word for compared, word in words.items() if compared)
        if len(group) < 2 or any(len(word) > LONGEST_WORD for word in group):
            bad.append(number)
        else:
            groups.append(group)
    return Synonyms(tuple(groups), tuple(bad))


@cache
def office_words() -> tuple[tuple[str, ...], ...]:
    """The groups that come with the product: everyday words of an office, Japanese and English."""
    return parse_synonyms((files(__package__) / "office_words.txt").read_text("utf-8")).groups


@dataclass(frozen=True, slots=True)
class SynonymsByWord:
    """For each word of a dictionary, as questions are compared, the words that mean the same. `longest`: characters."""

    others: Mapping[str, tuple[str, ...]]
    longest: int


@lru_cache(maxsize=4)
def synonyms_by_word(groups: tuple[tuple[str, ...], ...]) -> SynonymsByWord:
    """The groups the other way round. Made once for a dictionary: one of many thousand lines takes half a second."""
    others: dict[str, dict[str, None]] = {}
    for group in groups:
        for word in group:
            if compared := normalise(word):
                others.setdefault(compared, {}).update(dict.fromkeys(other for other in group if other != word))
    return SynonymsByWord({word: tuple(found) for word, found in others.items()}, max(map(len, others), default=0))
