"""Names with a number, and values, that have exchanged what belongs to them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from locator_search.text.statements.sameness import once_each, same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.units import CLOCK

_DIGITS = re.compile(r"\d")
_OF_A_UNIT = 2
"""The letters at the end of units that may be multiples of one another: Mbps, Gbps."""
Pairs = Sequence[tuple[Token, Token]]


def is_exchanged(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether each of two names that differ in their digits alone is followed in a claim by what follows the other one
    in the sentence (Rel-18 UEs and Rel-17 networks, told of Rel-17 UEs and Rel-18 networks)."""
    ours, theirs = _followers(claim), _followers(sentence)
    return any(
        same(ours[one], theirs[two]) and same(ours[two], theirs[one]) and not same(ours[one], ours[two])
        for one, two in combinations(ours.keys() & theirs.keys(), 2)
        if _DIGITS.sub("", one) == _DIGITS.sub("", two)
    )


def _followers(tokens: Sequence[Token]) -> dict[str, Token]:
    """Behind each name with a digit that stands once, the word or name that follows it."""
    keys = [token.key for token in tokens]
    return {
        token.key: tokens[place + 1]
        for place, token in enumerate(tokens[:-1])
        if token.kind == "identifier" and _DIGITS.search(token.key) and keys.count(token.key) == 1
    }


def values_exchange(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether of two values or like names each stands in a claim beside words that stand beside the other one in the
    sentence, and nothing stands where it did (quality 60 % and price 40 %, told as price 60 % and quality 40 %)."""
    pairs = list(once_each(claim, sentence))
    values = [(token, other) for token, other in pairs if token.kind in ("number", "identifier")]
    return any(
        _exchange(pairs, _beside(claim, (first, second)), _beside(sentence, (one, two)), (first, second, one, two))
        for (first, one), (second, two) in combinations(values, 2)
        if _are_alike(first, second) and _are_alike(one, two)
    )


def _exchange(pairs: Pairs, ours: dict[int, int], theirs: dict[int, int], values: Sequence[Token]) -> bool:
    first, second, one, two = map(id, values)
    words = [
        (ours[id(token)], theirs[id(other)]) for token, other in pairs if id(token) in ours and id(other) in theirs
    ]
    moved = {(first, two), (second, one)}
    return moved <= set(words) and not {(first, one), (second, two)} & set(words)


def _are_alike(one: Token, other: Token) -> bool:
    """Whether two values are of one unit or its multiples, or two names differ in a few letters (UMa, UMi; V-CHF,
    H-CHF)."""
    if one.kind != other.kind:
        return False
    if one.kind == "number":
        return one.unit.endswith(other.unit[-_OF_A_UNIT:]) and bool(one.unit) == bool(other.unit)
    if CLOCK.fullmatch(one.key) and CLOCK.fullmatch(other.key):
        return True
    if one.text.isalpha() and one.text.isupper():  # AMF and SMF are two of many, and no pair
        return False
    return len(one.key) == len(other.key) and sum(a != b for a, b in zip(one.key, other.key, strict=True)) == 1


def _beside(tokens: Sequence[Token], values: Sequence[Token]) -> dict[int, int]:
    """For each word the value it stands beside: the only one of its part of a clause, or the nearest one there; of two
    that are as near, in Japanese the one behind it, in English the one before a preposition."""
    order = {id(token): place for place, token in enumerate(tokens)}
    found: dict[int, int] = {}
    for place, token in enumerate(tokens):
        if any(token is one for one in values):
            continue
        near = [one for one in values if one.section == token.section]
        joined = [one for one in near if one.joint == token.joint]
        ahead = token.japanese or not token.label
        distances = {
            id(one): (abs(order[id(one)] - place), (order[id(one)] < place) == ahead) for one in joined or near
        }
        if distances:
            found[id(token)] = min(distances, key=distances.__getitem__)
    return found
