"""Bounds and conditions across languages: at most or at least, only or all, and what is said to hold when. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from locator_search.text.statements.bilingual import meanings, opposites
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.within import Clause, clauses_of, conditions_over

_NUMERIC = frozenset({"most", "least", "more", "less"})
_NEVER_DROPPED = ("only", "some", "except", "most of")
_EXTREMES = {"most": frozenset({"最大", "maximum", "max"}), "least": frozenset({"最小", "最低", "minimum", "min"})}
_JOINED = ("if", "unless", "before", "after", "until", "while")


def bounds_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a number is bounded otherwise (at most, more than), or all, some or only one are others."""
    return any(_number_changes(token, sentence) for token in claim if token.kind == "number") or any(
        _scope_changes(scope, claim, sentence) for scope in ("all", "or", *_NEVER_DROPPED)
    )


def _number_changes(token: Token, sentence: Sequence[Token]) -> bool:
    bounds = [other.bounds & _NUMERIC for other in sentence if same(token, other)]
    ours = token.bounds & _NUMERIC
    extremes = {one.key for one in sentence} | {one.text.casefold() for one in sentence}
    return bool(bounds) and not any(
        ours == theirs or all(_EXTREMES.get(bound, frozenset[str]()) & extremes for bound in ours ^ theirs)
        for theirs in bounds
    )


def _scope_changes(scope: str, claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    ours = [token for token in claim if scope in token.bounds]
    theirs = [token for token in sentence if scope in token.bounds]
    if not ours:
        return scope in _NEVER_DROPPED and any(same(token, other) for token in claim for other in theirs)
    if not theirs:
        return True
    known = [token for token in ours if any(same(token, other) for other in sentence)]
    phrases = (list(group) for _, group in groupby(known, key=lambda token: token.phrase))
    return any(not any(same(token, other) for token in phrase for other in theirs) for phrase in phrases)


def conditions_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim tells another condition, time or order of things than its sentence, or keeps one back."""
    told = {token.relation for token in claim}
    if any(conditions_over(claim, sentence) - told):
        return True
    joined = {token.relation for token in sentence}
    for relation in told.intersection(_JOINED):
        if relation not in joined:
            return True
    return any(
        _leave(
            [token for token in claim if token.relation == relation],
            [other for other in sentence if other.relation == relation],
            sentence,
        )
        for relation in told.intersection(joined) - {"relative"}
    )


def _leave(ours: Sequence[Token], theirs: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether more of what a clause says stands elsewhere in the sentence than where it should."""
    inside = sum(any(same(token, other) for other in theirs) for token in ours)
    elsewhere = [
        token
        for token in ours
        if not any(same(token, other) for other in theirs) and any(same(token, other) for other in sentence)
    ]
    main = any(token.relation == "main" for token in ours)
    return len(elsewhere) > inside or (not main and any(token.kind == "identifier" for token in elsewhere))


def grades_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a clause of a claim binds otherwise than the clauses of the sentence that say most of it."""
    pairs = list(side_by_side(claim, sentence))
    for clause in (ours for ours, _ in pairs if ours.relation == "main"):
        theirs = {grade for ours, one in pairs if ours is clause for grade, _ in one.grades}
        if any(grade not in theirs for grade, _ in clause.grades):
            return True
    return False


def denied_elsewhere(claim: Sequence[Token], sentence: Sequence[Token]) -> int:
    """How many clauses of a sentence deny something that a claim does not tell."""
    used = {one for _, one in side_by_side(claim, sentence)}
    needed = conditions_over(claim, sentence)
    elsewhere, denied = False, 0
    for clause in clauses_of(sentence):
        if clause.relation != "relative":  # which belongs to the clause before
            elsewhere = clause not in used and clause.relation not in needed
        denied += elsewhere and any(token.negated for token in clause.tokens)
    return denied


def is_turned_round(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim has the opposite of a word in the clause of the sentence that says most of it."""
    for clause, one in side_by_side(claim, sentence):
        left = {meaning for other in _unmatched(one.words, clause.words) for meaning in _meanings(other)}
        ours = {meaning for token in _unmatched(clause.words, one.words) for meaning in _meanings(token)}
        if any(opposites().get(meaning, frozenset[str]()) & left for meaning in ours):
            return True
    return False


def _unmatched(tokens: Sequence[Token], others: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.kind == "word" and not any(same(token, other) for other in others)]


def _meanings(token: Token) -> frozenset[str]:
    return meanings(token.key) if token.japanese else frozenset({token.key})


def side_by_side(claim: Sequence[Token], sentence: Sequence[Token]) -> Iterator[tuple[Clause, Clause]]:
    """Each clause of a claim with those of the sentence that share most words with it."""
    theirs = clauses_of(sentence)
    for clause in clauses_of(claim):
        shared = [sum(any(same(token, other) for other in one.tokens) for token in clause.words) for one in theirs]
        yield from ((clause, one) for one, count in zip(theirs, shared, strict=True) if count == max(shared))


def is_glued_together(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim puts words together that an "and" parts there, and leaves out what each of them belongs to."""
    left = [not any(same(token, other) for token in claim) for other in sentence]
    for one, two in pairwise(claim):
        places = [[place for place, other in enumerate(sentence) if same(token, other)] for token in (one, two)]
        if one.section != two.section or [len(found) for found in places] != [1, 1]:
            continue
        first, second = sorted(found[0] for found in places)
        joints = sentence[first].joint, sentence[second].joint
        if sentence[first].section != sentence[second].section or joints[0] == joints[1]:
            continue
        between = {sentence[place].joint for place in range(first + 1, second) if left[place]}
        if between.issuperset(joints):
            return True
    return False
