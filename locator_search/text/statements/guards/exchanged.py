"""Names with a number that have exchanged what belongs to them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token

_DIGITS = re.compile(r"\d")


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
