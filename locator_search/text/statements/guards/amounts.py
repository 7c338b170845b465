"""Amounts: by how much something changes or to what, and of how many each. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from locator_search.text.statements.bilingual import is_comparable, meanings
from locator_search.text.statements.guards.conditions import side_by_side
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.units import unit_of

_CHANGING = frozenset(["increas", "decreas", "increment", "decrement", "reduc", "rais", "lower", "extend", "shorten"])

_TIMES = "times"


def counts_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim takes that by which something changes for what it becomes (by 3 dB, to 3 dB), or the other way
    round."""
    there = list(_steps(sentence))
    return any(
        found and all(one.key == token.key and step != is_step for one, step in found)
        for token, is_step in _steps(claim)
        if (found := [(other, step) for other, step in there if same(token, other)])
    )


def _steps(tokens: Sequence[Token]) -> Iterator[tuple[Token, bool]]:
    """The numbers by which something changes, and those to or from which it does."""
    for number, after in pairwise((*tokens, tokens[-1]) if tokens else ()):
        if number.kind != "number":
            continue
        if number.label in ("by", "to", "from"):
            yield number, number.label == "by"
        elif after.japanese and after.phrase == number.phrase and meanings(after.key) & _CHANGING:
            yield number, True


def is_counted_otherwise(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim counts what its sentence numbers (7 solutions for Solution #7), or the other way round."""
    counted, numbered = list(_counted(sentence)), list(_numbered(sentence))
    return (
        _counts_another(claim, counted)
        or _times_change(claim, sentence)
        or any(
            any(_is_pair(one, pair) for pair in theirs) and not any(_is_pair(one, pair) for pair in alike)
            for ours, theirs, alike in ((_counted(claim), numbered, counted), (_numbered(claim), counted, numbered))
            for one in ours
        )
    )


def _counts_another(claim: Sequence[Token], counted: Sequence[tuple[Token, Token]]) -> bool:
    """Whether a Japanese claim counts other things by a number than its sentence does (4 画像, 4 ページ)."""
    told = {token.key for token in claim}
    for number, thing in _counted(claim):
        there = [other for one, other in counted if same(number, one)]
        if thing.japanese and there and not any(same(thing, other) or other.key in told for other in there):
            return True
    return False


def _times_change(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether it happens as many times in a claim as there are of something in its sentence, which tells how many
    times it happens there."""
    times = [other for other in sentence if other.kind == "number" and other.unit == _TIMES]
    return bool(times) and any(
        token.kind == "number"
        and token.unit == _TIMES
        and not any(other.key == token.key for other in times)
        and any(same(token, other) for other in sentence)
        for token in claim
    )


def _counted(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """Numbers without a unit, each with the word behind it."""
    for number, after in pairwise(tokens):
        if number.kind == "number" and not number.unit and after.kind == "word" and after.phrase == number.phrase:
            yield number, after


def _numbered(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """Numbers without a unit, each with the word before it."""
    for before, number in pairwise(tokens):
        if number.kind == "number" and not number.unit and before.kind == "word" and number.phrase - before.phrase < 2:
            yield number, before


def _is_pair(one: tuple[Token, Token], other: tuple[Token, Token]) -> bool:
    return all(same(ours, theirs) for ours, theirs in zip(one, other, strict=True))


def counts_per_another(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim counts per cell what its sentence counts per UE, as a whole or clause by clause."""
    clauses = ((ours.tokens, theirs.tokens) for ours, theirs in side_by_side(claim, sentence))
    return any(_differ(_each(ours), _each(theirs)) for ours, theirs in ((claim, sentence), *clauses))


def _each(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if "per" in token.bounds and token.kind != "number"]


def _differ(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    units, others = ({unit for one in each if (unit := unit_of(one.text))} for each in (ours, theirs))
    if units or others:
        return bool(units and others) and units.isdisjoint(others)
    if not theirs or not any(one.kind == "identifier" or is_comparable(one.key, japanese=one.japanese) for one in ours):
        return False
    return not any(same(token, other) for token in ours for other in theirs)
