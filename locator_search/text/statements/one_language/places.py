"""The clauses of a sentence as a claim may repeat them: each with what it shares with others. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from locator_search.text.statements.tokens import Statement, Token
from locator_search.text.statements.within import Clause, clauses_of, dependents_of


@dataclass(frozen=True, slots=True)
class Place:
    """A clause of a sentence. `tokens`: with the subject it shares with another one; `conditions`: the clauses it hangs
    on; `near`: the others of its sentence that are no main ones."""

    clause: Clause
    tokens: tuple[Token, ...]
    conditions: tuple[Clause, ...]
    near: tuple[Clause, ...]


def places_of(sentence: Statement, offset: int) -> Iterator[Place]:
    """The clauses of one of several sentences; `offset` keeps the numbers of their clauses apart."""
    clauses = [
        replace(one, tokens=tuple(replace(token, section=token.section + offset) for token in one.tokens))
        for one in clauses_of(sentence.tokens)
    ]
    for number, clause in enumerate(clauses):
        shared = _shared(clauses, number)
        conditions = tuple(clauses[at] for at in dependents_of(number, clauses))
        near = tuple(one for one in clauses if one.relation not in ("main", "because") and one is not clause)
        yield Place(clause, (*shared, *clause.tokens), conditions, near)


def _shared(clauses: Sequence[Clause], number: int) -> list[Token]:
    """The subject a clause shares with one before, where it has none of its own, and what a which is about."""
    clause = clauses[number]
    earlier = [one for one in clauses if one.tokens[0].phrase < clause.tokens[0].phrase]
    if not earlier:
        return []
    if clause.relation == "relative":
        group = max(one.group for one in earlier[-1].tokens if one.phrase < clause.tokens[0].phrase)
        return [token for token in earlier[-1].tokens if token.group == group]
    if any(token.role == "agent" and (clause.japanese or not token.label) for token in clause.tokens):
        return []
    leading = [one for one in earlier if any(token.role == "agent" for token in one.tokens)]
    last = max(leading, key=lambda one: one.tokens[0].phrase, default=None)
    return [token for token in last.tokens if token.role == "agent"] if last else []
