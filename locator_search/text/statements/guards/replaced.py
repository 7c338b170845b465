"""A word of the claim that stands where the sentence has another one. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from locator_search.text.statements.bilingual import can_mean, is_comparable
from locator_search.text.statements.guards.conditions import side_by_side
from locator_search.text.statements.guards.opposed import meanings_of
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.units import unit_of
from locator_search.text.statements.within import Clause
from locator_search.text.statements.wording import LIGHT, synonyms_of
from locator_search.text.terms import stem

_USE = frozenset({"利用", "使用", "入手"})
"""Of what is available, Japanese says that it can be used."""
_WORDS = """
unit time period case value part side way order next source max maximum min minimum stay become number kind type result
発生 状態 場合 問題 際 側 数 値 部分 実施 種類 結果
"""
_OF_CALENDARS = frozenset({"d", "week", "month", "year"})
_VAGUE = frozenset(stem(word) for word in _WORDS.split())
"""Words that tell too little to be another one's opposite number, and those that a bound tells instead."""


def is_replaced(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a clause of a claim has a known word that the sentence lacks, and the clause of the sentence that says
    most of it a known word that the claim lacks, neither of which may mean the other."""
    for ours, theirs in side_by_side(claim, sentence):
        came, went = _lacking(ours.words, sentence), _lacking(theirs.words, claim)
        alone = [token for token in came if not _is_like_any(token, went)]
        if alone and any(not _is_like_any(other, came) for other in went):
            return True
        if any(token.role == "agent" for token in alone) and _doers_lost(theirs, claim):
            return True
        units, others = _units_lacking(ours, sentence), _units_lacking(theirs, claim)
        if units and others:
            return True
    return False


def _doers_lost(clause: Clause, claim: Sequence[Token]) -> bool:
    """Whether a clause of the sentence has doers by name, none of whom the claim names."""
    doers = [token for token in clause.words if token.kind == "identifier" and token.role == "agent"]
    return bool(doers) and not any(same(token, other) for token in doers for other in claim)


def _units_lacking(clause: Clause, others: Sequence[Token]) -> bool:
    """Whether a clause has a unit without a number (a week, 月に) that the other text has nowhere."""
    told = {other.unit or unit_of(other.text) for other in others}
    units = (unit_of(token.text) for token in clause.words if token.kind == "word")
    return any(unit in _OF_CALENDARS and unit not in told for unit in units)


def _lacking(words: Iterable[Token], others: Sequence[Token]) -> list[Token]:
    """The known words that have no counterpart."""
    words = list(words)
    again = {id(after) for one, after in pairwise(words) if one.key == "再"}
    return [
        token
        for token in words
        if token.kind == "word"
        and id(token) not in again
        and token.key not in LIGHT
        and token.key not in _VAGUE
        and not (token.japanese and len(token.text) == 1)
        and not unit_of(token.text)
        and is_comparable(token.key, japanese=token.japanese)
        and not any(same(token, other) or _is_modal_of(token, other) for other in others)
    ]


def _is_modal_of(token: Token, other: Token) -> bool:
    """Whether a word tells what another text tells by how binding it is: 要求, required."""
    return other.kind == "modal" and token.japanese and can_mean(token.key, stem(other.text.casefold()))


def _is_like_any(token: Token, others: Sequence[Token]) -> bool:
    return any(_is_like(token, other) for other in others)


def _is_like(token: Token, other: Token) -> bool:
    """Whether a word may stand for one of another language by a synonym of its meaning."""
    if token.key in _USE and other.key.removeprefix("un").startswith("avail"):
        return True
    ours, theirs = meanings_of(token), meanings_of(other) | _again(other)
    return (
        bool(ours & theirs)
        or any(synonyms_of(word) & theirs for word in ours)
        or any(synonyms_of(word) & ours for word in theirs)
    )


def _again(token: Token) -> frozenset[str]:
    """The word without its re-, which is a word of its own in Japanese: reselection, 再 and 選択."""
    word = token.text.casefold()
    return frozenset({stem(word.removeprefix("re").removeprefix("-"))}) if word.startswith("re") else frozenset()
