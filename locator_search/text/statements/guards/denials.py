"""What a not is about: one that moves to another clause, or to another word, makes another statement. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from locator_search.text.statements.guards.conditions import side_by_side
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.within import Clause, clauses_of


def denies_another(claim: Sequence[Token], sentence: Sequence[Token], *, fewer: bool) -> bool:
    """Whether a claim affirms what its sentence denies, and denies what the sentence affirms; `fewer`: or it says less
    often than the sentence that something is not so."""
    if _leaves(sentence, claim) and (fewer or _leaves(claim, sentence)):
        return True
    pairs = _alone(claim, sentence)
    here = any(_denied(ours) and not _may_deny(theirs) for ours, theirs in pairs)
    there = any(_denied(theirs) and not _may_deny(ours) for ours, theirs in pairs)
    return here and there


def _leaves(tokens: Sequence[Token], others: Sequence[Token]) -> bool:
    """Whether something is denied in a clause that is told in the other text and denied nowhere there."""
    for clause in clauses_of(tokens):
        told = [other for token in clause.words if token.negated for other in others if same(token, other)]
        if told and not any(other.negated or other.hidden for other in told):
            return True
    return False


def _alone(claim: Sequence[Token], sentence: Sequence[Token]) -> list[tuple[Clause, Clause]]:
    """The clauses of a claim that share most words with one clause of the sentence alone."""
    grouped = (list(pairs) for _, pairs in groupby(side_by_side(claim, sentence), key=lambda pair: id(pair[0])))
    return [pairs[0] for pairs in grouped if len(pairs) == 1]


def _denied(clause: Clause) -> bool:
    return any(token.negated for token in clause.tokens)


def _may_deny(clause: Clause) -> bool:
    return any(token.negated or token.hidden for token in clause.tokens)
