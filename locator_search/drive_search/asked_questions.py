"""Questions that people ask often, and those that are related to a search: of others, never one that fewer than three
people have asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import log
from typing import TYPE_CHECKING

from locator_search.retrieval.term_weights import how_telling
from locator_search.text.normalise import normalise
from locator_search.text.terms import PAIR, WORD
from locator_search.text.words import words

if TYPE_CHECKING:
    from locator_search.ports.own_searches import AskedQuestion, OwnSearchStore

DAYS = 28
FEWEST_PEOPLE = 3
NOBODY = ""
"""The owner of all searches where nobody signs in: there, the questions of one are those of all."""
RELATED_FROM = 0.5
"""The part of the shorter question, by what its words tell, that stands in the longer one, too."""
TELLING_FROM = log(20)
"""What the words in common tell together, at least: they stand in one chunk of twenty, or in fewer."""
RAREST = 0.001
"""The part of all chunks below which a word tells no more."""


class AskedQuestions:
    """Questions of the last weeks that led to a file which whoever asks may read: those of at least FEWEST_PEOPLE
    people, and own ones while they are among the recent searches. None where `shared` is off."""

    def __init__(self, store: OwnSearchStore, *, shared: bool) -> None:
        self._store = store
        self._shared = shared

    def popular(self, owner: str, most: int, besides: Collection[str] = ()) -> list[str]:
        """The questions asked most often, but for some that are shown anyway. Where nobody signs in, those that were
        asked FEWEST_PEOPLE times or more. Raises StoreError."""
        shown = {normalise(one) for one in besides}
        usual = (one for one in self._asked(owner) if one.shared or (owner == NOBODY and one.searches >= FEWEST_PEOPLE))
        return [one.question for one in usual if normalise(one.question) not in shown][:most]

    def related(self, owner: str, question: str, file_ids: Sequence[str], most: int) -> list[str]:
        """Other questions that led first to the best of these files, then those that have telling words in common with
        this one, those with most in common first. None rather than such as have only words of many files in common.
        Raises StoreError."""
        others = [one for one in self._asked(owner) if normalise(one.question) != normalise(question)]
        telling = {one: _telling(one) for one in (question, *(other.question for other in others))}
        parts = self._store.parts_holding({term for told in telling.values() for term in told}) if others else {}
        near: list[tuple[bool, float, str]] = []
        for one in others:
            same = bool({*file_ids[:1]} & {*one.file_ids})
            alike = _likeness(telling[question], telling[one.question], parts)
            if same or alike >= RELATED_FROM:
                near.append((not same, -alike, one.question))
        return [asked for _, _, asked in sorted(near)[:most]]

    def _asked(self, owner: str) -> list[AskedQuestion]:
        return self._store.asked(owner, DAYS, FEWEST_PEOPLE) if self._shared else []


def _likeness(ours: Mapping[str, float], theirs: Mapping[str, float], parts: Mapping[str, float]) -> float:
    """The part of the shorter question that both have, in [0, 1]; 0 where that tells too little. `parts` are those of
    all chunks that hold a term."""
    both, mine, other = (
        sum(told * -log(max(parts.get(term, 0.0), RAREST)) for term, told in asked.items())
        for asked in ({term: ours[term] for term in ours.keys() & theirs.keys()}, ours, theirs)
    )
    return both / min(mine, other) if both >= TELLING_FROM else 0.0


def _telling(question: str) -> dict[str, float]:
    """The terms of a question that tell something by themselves, with how much: of a Latin word its stem alone."""
    units = words(normalise(question))
    twice = {WORD + unit.normal.lower() for unit in units if unit.surface.isascii()}
    told = how_telling(question).items()
    return {term: much for term, much in told if much and not term.startswith(PAIR) and term not in twice}
