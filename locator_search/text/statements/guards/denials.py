"""A not that moves to another clause, or to another word, and so makes another statement. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import regex

from locator_search.text.statements.bilingual import can_mean
from locator_search.text.statements.guards.conditions import side_by_side
from locator_search.text.statements.phrases.spelling import stem_of
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.within import Clause, clauses_of

_PREFIX = regex.compile(r"(?:un|non|in|im|dis)-?(\w{4,})")
_DENYING = regex.compile(r"[不未無非]")
_USE = frozenset({"利用", "使用", "入手"})


def denies_another(claim: Sequence[Token], sentence: Sequence[Token], *, fewer: bool) -> bool:
    """Whether a claim affirms what its sentence denies, and denies what the sentence affirms; `fewer`: or it says less
    often than the sentence that something is not so."""
    if _leaves(sentence, claim) and (fewer or _leaves(claim, sentence)):
        return True
    told = any(other.negated and same(token, other) for token in claim for other in sentence)
    if _leaves(claim, sentence) and not told:
        return True
    pairs = _alone(claim, sentence)
    here = any(_denied(ours) and not _may_deny(theirs) for ours, theirs in pairs)
    there = any(_denied(theirs) and not _may_deny(ours) for ours, theirs in pairs)
    return here and (there or _lets_denials_go(claim, sentence))


def takes_for_opposite(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a clause that denies nothing has a word of which its sentence has the denial (unavailable, available)."""
    if any(token.negated or token.hidden or _DENYING.search(token.text) for token in claim):
        return False
    bases = {
        stem_of(found[1]) for other in sentence if other.hidden and (found := _PREFIX.fullmatch(other.text.casefold()))
    }
    return any(
        can_mean(token.key, base) or (base.startswith("avail") and token.key in _USE)
        for token in claim
        if token.japanese
        for base in bases
    )


def _lets_denials_go(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a sentence denies something only in clauses that no clause of the claim repeats."""
    denied = {other.section for other in sentence if other.negated}
    kept = (other for other in sentence if other.negated and not _is_affirmed(other, sentence))
    if any(token.negated and same(token, other) for other in kept for token in claim):
        return False
    return bool(denied) and denied.isdisjoint(one.tokens[0].section for _, one in side_by_side(claim, sentence))


def _leaves(tokens: Sequence[Token], others: Sequence[Token]) -> bool:
    """Whether something is denied in a clause that is told in the other text and denied nowhere there."""
    for clause in (one for one in clauses_of(tokens) if one.relation != "unless"):
        denied = [token for token in clause.words if token.negated and not _is_affirmed(token, tokens)]
        told = [other for token in denied for other in others if same(token, other)]
        if told and not any(other.negated or other.hidden for other in told):
            return True
    return False


def _is_affirmed(token: Token, tokens: Sequence[Token]) -> bool:
    """Whether a word that is denied is told elsewhere in its text as well (supports A, but does not support B)."""
    return any(not other.negated and same(token, other) for other in tokens)


def _alone(claim: Sequence[Token], sentence: Sequence[Token]) -> list[tuple[Clause, Clause]]:
    """The clauses of a claim that share most words with one clause of the sentence alone."""
    grouped = (list(pairs) for _, pairs in groupby(side_by_side(claim, sentence), key=lambda pair: id(pair[0])))
    return [pairs[0] for pairs in grouped if len(pairs) == 1]


def _denied(clause: Clause) -> bool:
    return any(token.negated for token in clause.tokens)


def _may_deny(clause: Clause) -> bool:
    return any(token.negated or token.hidden for token in clause.tokens)
