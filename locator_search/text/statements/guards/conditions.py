"""Conditions: when something holds, how binding it is, and denials beside it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from locator_search.text.statements.changes import is_permitted_only
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.within import Clause, clauses_of, conditions_of, conditions_over

_JOINED = ("when", "unless", "before", "while")
KINDS = {"if": "when", "after": "when", "until": "before"}
"""Kinds of clauses that may stand for each other."""
_AS_TOLD = {**KINDS, "relative": "main"}
_ASIDE = frozenset({"for", "in", "at", "with", "under", "during", "on"})
_POSSIBLE = frozenset({"may", "might", "could"})
_POTENTIAL = ("える", "ける", "げる", "せる", "てる", "ねる", "べる", "める", "れる", "せ", "べ", "め")
_TELLING = frozenset({"word", "identifier", "number"})


def conditions_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim tells another condition, time or order of things than its sentence, or keeps one back."""
    told = {kind_of(token) for token in claim if token.kind != "number"}
    if {KINDS.get(relation, relation) for relation in conditions_over(claim, sentence)} - told:
        return True
    if _swap(claim, sentence) or _at_another_time(claim, sentence):
        return True
    if _conditions_cross(claim, sentence):
        return True
    joined = {kind_of(token) for token in sentence}
    for relation in told.intersection(_JOINED) - joined:
        if not _stands_aside([token for token in claim if kind_of(token) == relation], sentence):
            return True
    return any(
        _leave(clause.tokens, [other for other in sentence if kind_of(other) == kind_of(clause.tokens[0])], sentence)
        for clause in clauses_of(claim)
        if kind_of(clause.tokens[0]) in joined
    )


def _conditions_cross(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a clause stands in a claim under the condition of another one, which stands under its own (A when B and
    C when D, told as A when D)."""
    ours, theirs = clauses_of(claim), clauses_of(sentence)
    there = {at: set(conditions_of(at, theirs)) for at, clause in enumerate(theirs) if clause.relation == "main"}
    if sum(map(bool, there.values())) < 2:
        return False
    alike = {id(clause): place for clause, place in _nearest(ours, theirs)}
    return any(
        (own := there.get(alike.get(id(clause), -1)))
        and (place := alike.get(id(ours[condition]), -1)) not in own
        and any(place in others for others in there.values())
        for at, clause in enumerate(ours)
        if clause.relation == "main"
        for condition in conditions_of(at, ours)
    )


def _nearest(ours: Sequence[Clause], theirs: Sequence[Clause]) -> Iterator[tuple[Clause, int]]:
    """The clauses that share words with one clause of the other text more than with any other of its kind."""
    for clause in ours:
        alike = [at for at, one in enumerate(theirs) if (one.relation == "main") == (clause.relation == "main")]
        shared = {at: sum(any(same(one, other) for other in theirs[at].tokens) for one in clause.words) for at in alike}
        best = [at for at in alike if shared[at] == max(shared.values()) > 0]
        if len(best) == 1:
            yield clause, best[0]


def _swap(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether one word moves from a condition to what stands under it, and another one the other way."""
    moved = set[tuple[str, str]]()
    for token in (one for one in claim if one.kind == "word"):
        alike = [other for other in sentence if same(token, other)]
        if len(alike) == 1 and sum(same(one, alike[0]) for one in claim) == 1:
            moved.add((kind_of(token), kind_of(alike[0])))
    return any(ours != theirs and (theirs, ours) in moved for ours, theirs in moved)


def _at_another_time(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim tells after or before what its sentence tells during it."""
    return any(
        token.relation in ("after", "before") and other.label in ("during", "at") and other.relation == "main"
        for token in claim
        if token.kind == "word"
        for other in sentence
        if same(token, other)
    )


def kind_of(token: Token) -> str:
    """The relation of its clause, what is when something is and after it being one, as are a clause and its which."""
    return _AS_TOLD.get(token.relation, token.relation)


def _stands_aside(condition: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a sentence tells a condition by a preposition (for cause #22), or by its subject (lowering the power)."""
    found = [[other for other in sentence if same(token, other)] for token in condition if token.kind in _TELLING]
    known = [others for others in found if others]
    return bool(known) and (
        all(any(other.label in _ASIDE for other in others) for others in known)
        or all(any(other.lead and other.relation == "main" for other in others) for others in known)
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
    if not main and not inside and _stands_aside(ours, sentence):
        return False
    return len(elsewhere) > inside or (not main and any(token.kind == "identifier" for token in elsewhere))


def grades_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a clause of a claim binds otherwise than the clauses of the sentence that say most of it."""
    pairs = list(side_by_side(claim, sentence))
    for clause in (ours for ours, _ in pairs if ours.relation == "main"):
        beside = [one for ours, one in pairs if ours is clause]
        theirs = {grade for one in beside for grade, _ in one.grades}
        if not clause.grades and not any(_can(token) for token in claim) and all(map(_is_only_possible, beside)):
            return True
        graded = (
            (token, before) for before, token in pairwise([None, *clause.tokens]) if token and token.kind == "modal"
        )
        if any(token.key not in theirs and not _binds_there(token, before, sentence) for token, before in graded):
            return True
        if is_permitted_only(clause.tokens, [token for one in beside for token in one.tokens]):
            return True
    return False


def _binds_there(modal: Token, before: Token | None, sentence: Sequence[Token]) -> bool:
    """Whether the Japanese verb before how binding it is stands in a clause that binds so (verify that it matches), or
    behind the and of a relative clause in it (shall discard messages that fail the check and log the event)."""
    if before is None or not before.japanese or before.kind != "word":
        return False
    main = False
    for clause in clauses_of(sentence):
        bound = any(other.kind == "modal" and other.key == modal.key for other in clause.tokens)
        if clause.relation != "relative":
            main = bound
        if any(same(before, other) and (bound or (main and other.joint)) for other in clause.words):
            return True
    return False


def _is_only_possible(clause: Clause) -> bool:
    """Whether something may happen, and may not."""
    return any(token.kind == "modal" and token.text.casefold() in _POSSIBLE for token in clause.tokens)


def _can(token: Token) -> bool:
    """Whether a Japanese word tells by its form what somebody can do (運べる), or allows it."""
    can = token.japanese and token.text.endswith(_POTENTIAL) and not token.key.endswith("る")
    return token.kind == "modal" or can


def denied_elsewhere(claim: Sequence[Token], sentence: Sequence[Token]) -> int:
    """How many clauses of a sentence deny something that a claim does not tell."""
    used = {one for _, one in side_by_side(claim, sentence)}
    needed = conditions_over(claim, sentence)
    elsewhere, denied = False, 0
    for clause in clauses_of(sentence):
        told = sum(any(same(token, other) for token in claim) for other in clause.words)
        if clause.relation != "relative":  # which belongs to the clause before
            elsewhere = clause not in used and clause.relation not in needed
        denied += elsewhere and 2 * told <= len(clause.words) and any(token.negated for token in clause.tokens)
    return denied


def side_by_side(claim: Sequence[Token], sentence: Sequence[Token]) -> Iterator[tuple[Clause, Clause]]:
    """Each clause of a claim with those of the sentence that share most words with it."""
    theirs = clauses_of(sentence)
    for clause in clauses_of(claim):
        shared = [sum(any(same(token, other) for other in one.tokens) for token in clause.words) for one in theirs]
        yield from ((clause, one) for one, count in zip(theirs, shared, strict=True) if count == max(shared))
