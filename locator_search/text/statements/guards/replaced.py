"""A word of the claim that stands where the sentence has another one. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from locator_search.text.statements.bilingual import KATAKANA, rarer_meanings
from locator_search.text.statements.guards.conditions import side_by_side
from locator_search.text.statements.guards.counterparts import VAGUE, is_like_any, lacking
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.units import unit_of
from locator_search.text.statements.within import Clause
from locator_search.text.statements.wording import LIGHT

_OF_GRAMMAR = """
含む 向ける 最も 過ぎる すぎる 超える 終える 同時 一方 複数 全体 理由 判定 考える
先立つ 負う 指定 事前 間隔 期間 有効 装置 適用 経過
伴う 応じる 従う 経由 通じる 代わる 代わり 通す 今後 自身 別途 発生 当該 如何なる 両 沿う 際する 並び
含める 上記 或る 与える もたらす 通り 予定 実施 再度 再び 直ちに 要する 備える
"""
GRAMMAR = frozenset(_OF_GRAMMAR.split())
"""Words for which English has an ending, a preposition or nothing: with, -est, after having."""
_MOST_ADDED = 2
"""Known English words of a claim that a Japanese sentence has nothing for: fewer may be grammar."""
_OF_CALENDARS = frozenset({"d", "week", "month", "year"})


def is_replaced(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a clause of a claim has a known word that the sentence lacks, and the clause of the sentence that says
    most of it a known word that the claim lacks, neither of which may mean the other."""
    for ours, theirs in side_by_side(claim, sentence):
        came, went = lacking(ours.words, sentence), lacking(theirs.words, claim)
        alone = [token for token in came if not is_like_any(token, went)]
        if alone and any(not is_like_any(other, came) for other in went):
            return True
        if any(_is_foreign(token, ours, sentence) for token in alone):
            return True
        if sum(not token.japanese for token in alone) >= _MOST_ADDED:
            return True
        if any(_tells_another(token, claim, sentence) for token in alone):
            return True
        if any(token.role == "agent" for token in alone) and _doers_lost(theirs, claim):
            return True
        units, others = _units_lacking(ours, sentence), _units_lacking(theirs, claim)
        if units and others:
            return True
    return False


def _is_foreign(token: Token, clause: Clause, sentence: Sequence[Token]) -> bool:
    """Whether a Japanese word has nothing to come from in an English sentence: no word, and no grammar of it."""
    rarer = rarer_meanings(token.key)
    if not token.japanese or token.key in GRAMMAR or is_like_any(token, sentence):
        return False
    if any(other.key in rarer for other in sentence):
        return False
    before = next((one for one, after in pairwise(clause.words) if after is token), None)
    loaned = KATAKANA.fullmatch(token.text) and before is not None and KATAKANA.fullmatch(before.text)
    return not (loaned and before is not None and any(same(before, other) for other in sentence))  # バッファ, リング


def _tells_another(token: Token, claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a word that a sentence lacks tells which thing is meant, where the sentence tells it by a word that the
    claim lacks: subscription records for measurement records."""
    if token.key in GRAMMAR:
        return False
    place = next((at for at, one in enumerate(claim) if one is token), len(claim))
    thing = claim[place + 1] if place + 1 < len(claim) else None
    if thing is None or thing.kind != "word" or (thing.phrase, thing.section) != (token.phrase, token.section):
        return False
    return any(
        same(thing, other) and before.phrase == other.phrase and _is_left(before, claim)
        for before, other in pairwise(sentence)
    )


def _is_left(token: Token, others: Sequence[Token]) -> bool:
    telling = token.kind == "word" and token.key not in LIGHT | VAGUE
    return telling and not any(same(token, other) for other in others)


def _doers_lost(clause: Clause, claim: Sequence[Token]) -> bool:
    """Whether a clause of the sentence has doers by name, none of whom the claim names."""
    doers = [token for token in clause.words if token.kind == "identifier" and token.role == "agent"]
    return bool(doers) and not any(same(token, other) for token in doers for other in claim)


def _units_lacking(clause: Clause, others: Sequence[Token]) -> bool:
    """Whether a clause has a unit without a number (a week, 月に) that the other text has nowhere."""
    told = {other.unit or unit_of(other.text) for other in others}
    units = (unit_of(token.text) for token in clause.words if token.kind == "word")
    return any(unit in _OF_CALENDARS and unit not in told for unit in units)
