"""Whether a claim says all words of a sentence in another order that tells the same. Pure.

Japanese phrases may change places in front of their verb, for their particles tell what they are to it. In English what
stands behind a verb may come to the front, with a comma behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import regex

from locator_search.text.statements.guards.settled import is_settled
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Statement, Token
from locator_search.text.statements.wording import LIGHT

_OPEN = frozenset({"", "in"})
"""Places of words that need no particle of their own (3200名で, 3200名であり)."""
_TURNED = frozenset({("by", "agent"), ("agent", "object"), ("object", "object")})
"""Places of words in a passive, each with that in the active voice."""
_SAID_ALIKE = ("kind", "negated", "bounds", "relation", "passive")
_PASSIVE = regex.compile(r"[あかがさたなばまらわ]れ(?=[るたてなずま]|\W|$)")
Pairs = Sequence[tuple[Token, Token]]


def is_rearranged(claim: Sequence[Token], read: Statement, sentence: Statement) -> bool:
    """Whether a claim has exactly the words of a sentence in its language, each said alike, and nobody and no number
    has taken another one's place. `claim` are the tokens of `read` that are to be proved."""
    ours, theirs = ([token for token in tokens if token.key not in LIGHT] for tokens in (claim, sentence.tokens))
    pairs = _pairs(ours, theirs)
    if not pairs or read.negations != sentence.negations or is_settled(read, [sentence]):
        return False
    if not all(_agree(token, other) for token, other in pairs):
        return False
    if not read.japanese:
        return _has_come_to_the_front(ours, theirs) or _has_come_to_the_front(theirs, ours)
    one_voice = len(_PASSIVE.findall(read.text)) == len(_PASSIVE.findall(sentence.text))
    return _keep_their_places(pairs, theirs, one_voice=one_voice)


def _pairs(ours: Sequence[Token], theirs: Sequence[Token]) -> Pairs:
    """Each word with its own in the sentence; nothing where one of either has none."""
    if len(ours) != len(theirs):
        return ()
    left = list(theirs)
    found: list[tuple[Token, Token]] = []
    for token in ours:
        alike = [other for other in left if same(token, other)]
        other = next((one for one in alike if one.label == token.label), alike[0] if alike else None)
        if other is None:
            return ()
        left = [one for one in left if one is not other]
        found.append((token, other))
    return found


def _agree(token: Token, other: Token) -> bool:
    return all(getattr(token, name) == getattr(other, name) for name in _SAID_ALIKE)


def _has_come_to_the_front(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether the words before the first comma stand last in the other text, and all else is as it was."""
    first = [token for token in ours if token.section == ours[0].section]
    moved = [*ours[len(first) :], *first]
    return (
        0 < len(first) < len(ours)
        and ours[: len(first)] == first
        and all(same(token, other) for token, other in zip(moved, theirs, strict=True))
    )


def _keep_their_places(pairs: Pairs, theirs: Sequence[Token], *, one_voice: bool) -> bool:
    """Whether the words of each place stand in the order they had, and each in the place it had, or in the one that
    the other voice gives it."""
    moved = {(token.label, other.label) for token, other in pairs if token.label != other.label}
    turned = any(ways <= _TURNED and ("by", "agent") in ways for ways in (moved, {pair[::-1] for pair in moved}))
    if turned == one_voice or not (turned or all({ours, there} <= _OPEN for ours, there in moved)):
        return False
    order = {id(token): place for place, token in enumerate(theirs)}
    if not same(pairs[-1][0], theirs[-1]):
        return False
    return all(
        order[id(one)] < order[id(other)]
        for label in {token.label for token, _ in pairs}
        for one, other in pairwise([there for token, there in pairs if token.label == label])
    )
