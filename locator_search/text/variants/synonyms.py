"""The synonym dictionary: one group of words per line, separated by commas; lines that begin with # are remarks."""

from __future__ import annotations

from dataclasses import dataclass

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
    """What a dictionary says. A line with fewer than two words, or with one that is too long, is bad and left out."""
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
