"""Words that change places between two clauses, so that each says of one what the other says of another. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.within import Clause, clauses_of
from locator_search.text.statements.wording import LIGHT

_TELLING = frozenset({"word", "identifier", "number"})


def is_crossed(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether two clauses of a claim each have words of the same two clauses of the sentence (A sends X and B sends Y,
    told as A sends Y and B sends X). Words that stand in several clauses count for none."""
    ours, theirs = clauses_of(claim), clauses_of(sentence)
    homes = [_homes(clause, ours, theirs) for clause in ours]
    return any(len(one & two) > 1 for one, two in combinations(homes, 2))


def _homes(clause: Clause, ours: Sequence[Clause], theirs: Sequence[Clause]) -> set[int]:
    """The clauses of a sentence that alone have some word of a claim's clause."""
    found: set[int] = set()
    for token in clause.words:
        if token.kind not in _TELLING or token.key in LIGHT or sum(_has(one, token) for one in ours) > 1:
            continue
        places = [place for place, other in enumerate(theirs) if _has(other, token)]
        if len(places) == 1:
            found.add(places[0])
    return found


def _has(clause: Clause, token: Token) -> bool:
    return any(same(token, other) and token.negated == other.negated for other in clause.tokens)
