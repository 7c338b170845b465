"""Finds where two services say different things about what was asked: other numbers of one kind. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from locator_search.live_search.claims import Passage
from locator_search.live_search.outcome import Disagreement, LiveCitation
from locator_search.text.cutting import sentences
from locator_search.text.statements.tokens import read_statement
from locator_search.text.statements.units import COUNTERS

MOST_TOLD = 3
MOST_COMPARED = 5
"""Sentences of one piece of evidence: those that share most with the question."""
SHARED = 1 / 2
"""The share of the words of the shorter sentence that the other one must have."""

_VALUE = re.compile(r"(?:[=:：はがを]|\b(?:is|are|was|to|of|at))\s*(\d[\d,]*(?:\.\d+)?)(?![\w:-])")
"""A number without a unit counts only as the value of something: not that of a section, or a part of a date."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence about the question: its words, and its numbers by unit."""

    text: str
    words: frozenset[str]
    numbers: Mapping[str, frozenset[str]]


def disagreements(question: str, passages: Mapping[int, Passage]) -> tuple[Disagreement, ...]:
    """Pairs of sentences, each out of another service, that speak of the same and give other numbers."""
    asked = _told(question).words
    told = {number: _about(asked, passage) for number, passage in passages.items()}
    found = (
        Disagreement((LiveCitation(first, one.text), LiveCitation(second, other.text)))
        for first, second in combinations(told, 2)
        if passages[first].service != passages[second].service
        for one, other in _opposed(asked, told[first], told[second])
    )
    return tuple(one for one, _ in zip(found, range(MOST_TOLD), strict=False))


def _about(asked: frozenset[str], passage: Passage) -> list[_Told]:
    """The sentences with a number that share most with the question."""
    told = [one for one in map(_told, sentences(passage.text)) if one.numbers and one.words & asked]
    return sorted(told, key=lambda one: -len(one.words & asked))[:MOST_COMPARED]


def _opposed(asked: frozenset[str], ones: list[_Told], others: list[_Told]) -> Iterator[tuple[_Told, _Told]]:
    """The first pair that disagrees, unless a pair of the same words agrees."""
    pairs = [(one, other) for one in ones for other in others if _same_matter(asked, one, other)]
    differ = [pair for pair in pairs if _differs(*pair)]
    if differ and len(differ) == len(pairs):
        yield differ[0]


def _same_matter(asked: frozenset[str], one: _Told, other: _Told) -> bool:
    shared = one.words & other.words
    return bool(shared & asked) and len(shared) >= SHARED * min(len(one.words), len(other.words))


def _differs(one: _Told, other: _Told) -> bool:
    units = [unit for unit in one.numbers if unit in other.numbers]
    return any(not one.numbers[unit] & other.numbers[unit] for unit in units)


def _told(text: str) -> _Told:
    read = read_statement(text)
    values = {found.replace(",", "") for found in _VALUE.findall(text)}
    numbers: dict[str, frozenset[str]] = {}
    for token in read.tokens:
        if token.kind in ("number", "identifier") and (token.unit or token.key in values):
            unit = "" if token.unit in COUNTERS else token.unit
            numbers[unit] = numbers.get(unit, frozenset()) | {token.key}
    words = frozenset(token.key for token in read.tokens if token.kind in ("word", "identifier"))
    return _Told(" ".join(text.split()), words, numbers)
