"""Words of one text that have no counterpart in the other, and words that may stand for each other. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import regex

from locator_search.text.statements.bilingual import can_mean, is_comparable
from locator_search.text.statements.guards.opposed import meanings_of
from locator_search.text.statements.phrases.spelling import stem_of
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token
from locator_search.text.statements.units import unit_of
from locator_search.text.statements.wording import LIGHT, synonyms_of

_USE = frozenset({"利用", "使用", "入手"})
"""Of what is available, Japanese says that it can be used."""
_WORDS = """
unit time period case value part side way order next source max maximum min minimum stay become number kind type result
発生 状態 場合 問題 際 側 数 値 部分 実施 種類 結果
"""
VAGUE = frozenset(stem_of(word) for word in _WORDS.split())
"""Words that tell too little to be another one's opposite number, and those that a bound tells instead."""
_WHOLE = frozenset("赤緑青黄白黒東西南北春夏秋冬男女")
"""Words of one character that tell one thing from another; most others are parts of words."""
_PREFIXED = regex.compile(r"(?:re|un|mis|non|pre)-?(\w{3,})")


def lacking(words: Iterable[Token], others: Sequence[Token]) -> list[Token]:
    """The known words that have no counterpart."""
    words = list(words)
    again = {id(after) for one, after in pairwise(words) if one.key == "再"}
    return [
        token
        for token in words
        if token.kind == "word"
        and id(token) not in again
        and token.key not in LIGHT
        and token.key not in VAGUE
        and not (token.japanese and len(token.text) == 1 and token.key not in _WHOLE)
        and not unit_of(token.text)
        and is_comparable(token.key, japanese=token.japanese)
        and not any(same(token, other) or is_modal_of(token, other) for other in others)
    ]


def is_modal_of(token: Token, other: Token) -> bool:
    """Whether a word tells what another text tells by how binding it is: 要求, required."""
    return other.kind == "modal" and token.japanese and can_mean(token.key, stem_of(other.text.casefold()))


def is_like_any(token: Token, others: Sequence[Token]) -> bool:
    """Whether a word may stand for one of some words of the other language, by a synonym of its meaning."""
    return any(_is_like(token, other) for other in others)


def _is_like(token: Token, other: Token) -> bool:
    """Whether one word may stand for the other."""
    if token.key in _USE and other.key.removeprefix("un").startswith("avail"):
        return True
    ours, theirs = meanings_of(token), meanings_of(other) | _again(other)
    return (
        bool(ours & theirs)
        or any(synonyms_of(word) & theirs for word in ours)
        or any(synonyms_of(word) & ours for word in theirs)
    )


def _again(token: Token) -> frozenset[str]:
    """The word without its prefix, which is a word of its own in Japanese: reselection, 再 and 選択."""
    prefixed = _PREFIXED.fullmatch(token.text.casefold())
    return frozenset({stem_of(prefixed[1])}) if prefixed and not token.japanese else frozenset()
