"""Words and their opposites. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from locator_search.text.statements.bilingual import KATAKANA, can_mean, meanings, opposites
from locator_search.text.statements.guards.conditions import kind_of, side_by_side
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token


def is_turned_round(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim has the opposite of a word in the clause of the sentence that says most of it, or of one that
    nothing of the claim stands for."""
    kinds = {kind_of(other) for other in sentence}
    clauses = (
        (ours.words, theirs.words)
        for ours, theirs in side_by_side(claim, sentence)
        if kind_of(ours.tokens[0]) == kind_of(theirs.tokens[0]) or kind_of(ours.tokens[0]) not in kinds
    )
    return any(_turned(ours, theirs) for ours, theirs in ((claim, sentence), *clauses))


def _turned(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    left = {meaning for other in _unmatched(sentence, claim) for meaning in meanings_of(other)}
    ours = {meaning for token in _unmatched(claim, sentence) for meaning in meanings_of(token)}
    return any(opposites().get(meaning, frozenset[str]()) & left for meaning in ours)


def is_turned_twice(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim has a word once more than its sentence, which has the opposite there (stop A and stop B)."""
    left = {other.key for other in _unmatched(sentence, claim)}
    more = [token for token in _unmatched(claim, sentence) if any(same(token, other) for other in sentence)]
    return any(opposites().get(token.key, frozenset[str]()) & left for token in more)


def _unmatched(tokens: Sequence[Token], others: Sequence[Token]) -> list[Token]:
    """The words that have none of the others to stand for; each of those stands for one."""
    left, found = list(others), list[Token]()
    for token in tokens:
        place = next((place for place, other in enumerate(left) if same(token, other)), None)
        if place is not None:
            del left[place]
        elif token.kind == "word":
            found.append(token)
    return found


def meanings_of(token: Token) -> frozenset[str]:
    """The English words that a word may mean, or those it sounds like."""
    if not token.japanese:
        return frozenset({token.key})
    return meanings(token.key) or (_sounding(token.key) if KATAKANA.fullmatch(token.key) else frozenset())


@lru_cache(maxsize=1024)
def _sounding(katakana: str) -> frozenset[str]:
    """The words that have opposites and sound like a word in katakana."""
    return frozenset(word for word in opposites() if can_mean(katakana, word))
