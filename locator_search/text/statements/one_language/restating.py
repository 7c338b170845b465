"""Whether sentences say what a claim says in the same language and in other words. Pure.

Every word of the claim stands there, itself or as a synonym, and each of its clauses in one clause of a sentence;
words may move and become others of their kind, but nothing that matters to the truth may: who does it to whom, what is
denied, how binding it is, numbers with their bounds, and the conditions it stands under.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from locator_search.text.statements.changes import binds_otherwise, bounds_differ, denial_changes, labels_change
from locator_search.text.statements.guards.amounts import counts_change
from locator_search.text.statements.guards.bounds import bounds_change
from locator_search.text.statements.guards.conditions import KINDS
from locator_search.text.statements.guards.joined import is_glued_together
from locator_search.text.statements.guards.opposed import is_turned_twice
from locator_search.text.statements.guards.partners import recipients_change
from locator_search.text.statements.guards.settled import is_settled
from locator_search.text.statements.one_language.order import is_promoted, is_turned
from locator_search.text.statements.one_language.places import Place, places_of
from locator_search.text.statements.parts.reading import CONDITIONS
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Statement, Token
from locator_search.text.statements.within import Clause, clauses_of, narrows, swaps_grades
from locator_search.text.statements.wording import LIGHT, aligned_with, means, says_opposite

_SECTIONS = 100
_DIRECTIONS = frozenset(["above", "below", "more", "less", "most", "least", "first", "last", "other", "same"])


def is_restated(claim: Sequence[Token], read: Statement, sentences: Sequence[Statement]) -> bool:
    """Whether sentences together say what the tokens of one sentence of a claim say."""
    places = [place for number, one in enumerate(sentences) for place in places_of(one, number * _SECTIONS)]
    standing = [token for place in places for token in place.clause.tokens]
    for token in claim:
        if not _is_there(token, standing):
            return False
    if is_settled(read, sentences):
        return False
    clauses = clauses_of([replace(one, exact=any(same(one, it) for it in standing)) for one in claim])
    if bounds_change([token for token in claim if token.kind != "link"], standing):
        return False
    if is_turned_twice(claim, standing) or is_glued_together(claim, standing) or recipients_change(claim, standing):
        return False
    allowed: list[Clause] = []
    because: list[list[Place]] = []
    for clause in clauses:
        if clause is clauses[0] and len(clauses) > 1 and _introduces(clause, standing):
            continue
        holding = [place for place in places if _holds(place, clause)]
        alike = [place for place in holding if place.clause.relation == clause.relation]
        found = [place for place in alike or holding if _says(place, clause, claim)]
        if not found:
            return False
        if clause.relation == "main":
            allowed += [one for place in found for one in (*place.conditions, place.clause)]
        elif clause.relation != "relative":
            because.append(found)
    return all(any(place.clause in allowed for place in found) for found in because)


def _introduces(clause: Clause, standing: Sequence[Token]) -> bool:
    """Whether a clause only says how the next one is told: the observation is that, it is recommended that."""
    words = clause.words
    return (
        clause.relation == "main"
        and len(words) < 2
        and all(any(it.kind == "modal" and it.key == grade for it in standing) for grade, _ in clause.grades)
        and all(one.kind == "word" and not one.negated and any(means(one, it) for it in standing) for one in words)
    )


def _is_there(token: Token, standing: Sequence[Token]) -> bool:
    if token.kind == "modal":
        return True
    if token.kind == "link":
        return token.key not in _DIRECTIONS or any(token.key == one.key for one in standing)
    return token.key in LIGHT or any(means(token, one) or says_opposite(token, one) for one in standing)


def _holds(place: Place, clause: Clause) -> bool:
    """Whether a clause has all words of a claim's clause that are no adjuncts."""
    return all(
        token.key in LIGHT or any(means(token, other) or says_opposite(token, other) for other in place.tokens)
        for token in clause.words
        if token.kind != "link" and token.label in ("", "agent", "object")
    )


def _says(place: Place, clause: Clause, claim: Sequence[Token]) -> bool:
    one = place.clause
    if not _kinds_agree(clause.relation, one.relation):
        return False
    words = [token for token in clause.words if token.kind != "link"]
    core = {id(token) for token in words if token.label in ("", "agent", "object")}
    pairs: list[tuple[Token, Token]] = []
    flips = 0
    aligned = aligned_with(clause.tokens, place.tokens)
    near = [token for one in place.near if _is_told(one, claim) for token in one.tokens]
    literal = {id(other) for token in words if (other := aligned.get(id(token))) is not None and same(token, other)}
    for token in words:
        other = aligned.get(id(token))
        found = [] if other is None or (id(other) in literal and not same(token, other)) else [other]
        if not found and (turned := [other for other in place.tokens if says_opposite(token, other)]):
            found, flips = turned, flips + 1
        if not found and id(token) not in core:
            found = [other for other in near if means(token, other)]
        if not found:
            if token.key in LIGHT:
                continue
            return False
        pairs.append((token, found[0]))
    if not pairs:
        return False
    return not (
        denial_changes(words, pairs, flips)
        or binds_otherwise(clause, one)
        or swaps_grades(clause, one)
        or (clause.relation == "main" and not all(_is_told(over, claim) for over in _conditions_of(place)))
        or labels_change(pairs)
        or counts_change(words, place.tokens)
        or bounds_differ(clause, pairs)
        or narrows(clause, one)
        or is_promoted(clause, place, pairs)
        or is_turned(clause, place)
    )


def _conditions_of(place: Place) -> list[Clause]:
    return [clause for clause in place.conditions if clause.relation in CONDITIONS]


def _kinds_agree(ours: str, theirs: str) -> bool:
    if ours in ("main", "relative"):
        return theirs in ("main", "relative", "because")
    return KINDS.get(ours, ours) == KINDS.get(theirs, theirs)


def _is_told(condition: Clause, claim: Sequence[Token]) -> bool:
    told = [any(means(token, other) or says_opposite(token, other) for token in claim) for other in condition.words]
    return 2 * sum(told) >= len(told)
