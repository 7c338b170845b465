"""Whether the words of a clause mean otherwise there than in a claim: denied, binding, bounded, to another. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.text.statements.tokens import Token
from locator_search.text.statements.within import Clause

_COUNTED = frozenset({"every", "any", "per"})
_NEEDED = frozenset(["required", "require", "requires", "necessary", "need", "needs", "mandatory"])
_PERMITTING = frozenset(["may", "might", "任意"])
_TOWARDS = frozenset({"to", "into", "from", "against", "than"})
_CONFLICTS = {frozenset(pair) for pair in (("agent", "object"), ("to", "from"), ("agent", "to"))}


def denial_changes(words: Sequence[Token], pairs: Sequence[tuple[Token, Token]], flips: int) -> bool:
    """Whether a clause denies more or less than the sentence; `flips`: the opposites it says instead."""
    denied = any(token.negated for token in words) + flips
    if denied % 2 != any(other.negated for _, other in pairs) % 2:
        return True
    if not denied or flips:
        return False
    if words[0].japanese:
        return any(token.negated != other.negated for token, other in pairs)
    return not any(token.negated and other.negated for token, other in pairs)


def binds_otherwise(clause: Clause, other: Clause) -> bool:
    """Whether a clause binds more, or otherwise."""
    return not _grades(clause) <= _grades(other) or is_permitted_only(clause.tokens, other.tokens)


def is_permitted_only(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim permits what its sentence demands: may be able to instead of shall be able to."""
    permits, permitted = (any(token.text.casefold() in _PERMITTING for token in one) for one in (claim, sentence))
    demands = (token for token in sentence if token.kind == "modal" and not (token.negated and _is_need(token)))
    return permits and not permitted and any(token.key == "must" for token in demands)


def labels_change(pairs: Sequence[tuple[Token, Token]]) -> bool:
    """Whether words change between who does it and to whom, from and to, or a name changes its place with
    another word."""
    moved = {(token.label, other.label) for token, other in pairs if not {"by", "agent"} & {token.label, other.label}}
    names = {(token.label, other.label) for token, other in pairs if token.kind == "identifier"}
    every = {(token.label, other.label) for token, other in pairs}
    if any((ours == "insteadof") != (theirs == "insteadof") for ours, theirs in every):
        return True
    if any(ours != "from" and {("from", ours), (ours, "from")} <= every for ours, _ in every):  # A than B, B than A
        return True
    if any(ours != theirs and (theirs, ours) in moved and _TOWARDS & {ours, theirs} for ours, theirs in moved):
        return True
    return any(frozenset((token.label, other.label)) in _CONFLICTS for token, other in pairs) or any(
        ours != theirs and (theirs, ours) in names | moved for ours, theirs in names
    )


def bounds_differ(clause: Clause, pairs: Sequence[tuple[Token, Token]]) -> bool:
    """Whether only, all, some, or, at most bound other words. Of conditions joined by or, one is enough."""
    loose = _COUNTED if clause.relation == "main" else _COUNTED | {"or"}
    return any(
        (token.bounds ^ other.bounds) - loose or ("any" in token.bounds and not {"any", "all"} & other.bounds)
        for token, other in pairs
    )


def _grades(clause: Clause) -> frozenset[str]:
    """How binding a clause is; a may of what need not be is none of its own."""
    grades = frozenset(
        f"not {token.key}"
        if token.negated and (_is_need(token) or (token.key == "may" and clause.japanese))
        else token.key
        for token in clause.tokens
        if token.kind == "modal"
    )
    return grades - {"may", "not may"} if "not must" in grades and not clause.japanese else grades


def _is_need(token: Token) -> bool:
    """Whether a not in front of a binding word takes the need away, and forbids nothing."""
    return token.text.casefold() in _NEEDED
