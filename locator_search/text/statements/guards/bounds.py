"""Bounds: at most or at least, only or all. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from locator_search.text.statements.parts.reading import CONDITIONS
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token

_NUMERIC = frozenset({"most", "least", "more", "less"})
_NEVER_DROPPED = ("only", "some", "except", "most of")
_ALWAYS = frozenset({"必ず", "常", "常に", "常時", "always", "invariably", "continuously", "any"})
_EITHER = frozenset({"孰れ", "何れ", "いずれ", "何方", "either"})
_EXTREMES = {"most": frozenset({"最大", "maximum", "max"}), "least": frozenset({"最小", "最低", "minimum", "min"})}


def bounds_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a number is bounded otherwise (at most, more than), or all, some or only one are others."""
    return (
        any(_number_changes(token, sentence) for token in claim if token.kind == "number")
        or any(_scope_changes(scope, claim, sentence) for scope in ("all", "or", *_NEVER_DROPPED))
        or _takes_for_sure(claim, sentence)
        or (_is_always(claim) and not _is_always(sentence))
    )


def _is_always(tokens: Sequence[Token]) -> bool:
    return any(token.key in _ALWAYS or token.text.casefold() in _ALWAYS for token in tokens)


def _takes_for_sure(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim tells of alternatives one alone, or both as if they came together. Of conditions one is enough,
    and of what is denied each."""
    if any("or" in token.bounds or token.key in _EITHER for token in claim):
        return False
    if any(other.key == "whether" for other in sentence):
        return False
    either = [other for other in sentence if "or" in other.bounds and not other.negated]
    told = {
        (other.relation in CONDITIONS, other.phrase)
        for other in either
        if any(same(token, other) and not token.negated for token in claim)
    }
    conditions = sum(conditional for conditional, _ in told)
    return len(told) > conditions or conditions > 1


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
    bounded = {token.group for token in sentence if scope in token.bounds}
    theirs = [token for token in sentence if scope in token.bounds]
    if not ours:
        return scope in _NEVER_DROPPED and any(same(token, other) for token in claim for other in theirs)
    if not theirs:
        return True
    known = [token for token in ours if any(same(token, other) for other in sentence)]
    phrases = (list(group) for _, group in groupby(known, key=lambda token: token.phrase))
    places = {(token.section, token.label) for token in theirs if token.label and scope == "only"}
    whole = [  # with what an of or an and joins to it
        token for token in sentence if token.group in bounded or (token.section, token.label) in places
    ]
    return any(not any(same(token, other) for token in phrase for other in whole) for phrase in phrases)
