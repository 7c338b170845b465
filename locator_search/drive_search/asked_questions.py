"""Questions that people ask often, and those that are related to a search: of others, never one that fewer than three
people have asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from locator_search.text.normalise import normalise
from locator_search.text.stopwords import WORDS_OF_ASKING
from locator_search.text.terms import STEM, WORD, analyse, bare

if TYPE_CHECKING:
    from locator_search.ports.own_searches import AskedQuestion, OwnSearchStore

DAYS = 28
FEWEST_PEOPLE = 3
NOBODY = ""
"""The owner of all searches where nobody signs in: there, the questions of one are those of all."""
RELATED_FROM = 0.5
"""Share of the words of the shorter question that stand in the longer one, too."""


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

    def related(self, owner: str, question: str, file_ids: Collection[str], most: int) -> list[str]:
        """Other questions that led to the same files or share words with this one, those with most in common first.
        Raises StoreError."""
        near: list[tuple[float, str]] = []
        for one in self._asked(owner):
            alike, same = _likeness(question, one.question), len({*one.file_ids} & {*file_ids})
            if normalise(one.question) != normalise(question) and (same or alike >= RELATED_FROM):
                near.append((-same - alike, one.question))
        return [words for _, words in sorted(near)[:most]]

    def _asked(self, owner: str) -> Iterable[AskedQuestion]:
        return self._store.asked(owner, DAYS, FEWEST_PEOPLE) if self._shared else ()


def _likeness(one: str, other: str) -> float:
    ours, theirs = _words(one), _words(other)
    return len(ours & theirs) / max(1, min(len(ours), len(theirs)))


def _words(question: str) -> set[str]:
    words = {bare(term) for term in analyse(question).terms if term.startswith((WORD, STEM))}
    return {word for word in words - WORDS_OF_ASKING if len(word) > 1}
