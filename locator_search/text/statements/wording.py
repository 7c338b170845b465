"""Words of one language that may stand for each other, or say the opposite. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from locator_search.text.statements.bilingual import opposites
from locator_search.text.statements.phrases.spelling import stem_of
from locator_search.text.statements.sameness import same
from locator_search.text.statements.tokens import Token

_LIGHT = """
use using get do perform carry conduct make take give set happen occur hold bring show become according besides
whereas well far way view back reception receiving respect regard mean state statement proceed handling saying today now
meantime currently around together both yet still
取る 持つ 行う 成る 新た 引き続き 自ら 出来る 毎 受ける 生じる 引く 続く 付ける 用いる 対象 量 孰れ 何れ いずれ
"""
LIGHT = frozenset(stem_of(word) for word in _LIGHT.split())
"""Words that a claim may add: verbs that leave what is done to a noun, and words that join."""
_NEGATING = ("un", "in", "non", "im", "dis", "mis")


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in (files(__package__) / "synonyms.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            stems = frozenset(map(stem_of, line.split()))
            for one in stems:
                found[one] = found.get(one, frozenset()) | stems
    return found


def synonyms_of(stem_: str) -> frozenset[str]:
    """The stems that may stand for another one of their language."""
    return _synonyms().get(stem_, frozenset())


def means(token: Token, other: Token) -> bool:
    """Whether two words are one or synonyms; a word that stands in the sentence itself has no synonyms there."""
    words = token.kind == other.kind == "word" and not token.exact
    return same(token, other) or (words and other.key in _synonyms().get(token.key, frozenset[str]()))


def says_opposite(token: Token, other: Token) -> bool:
    """Whether a word says the opposite of another one."""
    if token.kind != "word" or other.kind != "word":
        return False
    if other.key in opposites().get(token.key, frozenset[str]()):
        return True
    pair = sorted((token.text.casefold(), other.text.casefold()), key=len)
    return len(pair[0]) > 4 and any(pair[1] == f"{prefix}{pair[0]}" for prefix in _NEGATING)


def aligned_with(claim: Sequence[Token], sentence: Sequence[Token]) -> dict[int, Token]:
    """The word of a sentence that each word of a claim stands for: of several the one with the same neighbours."""
    found: dict[int, Token] = {}
    for at, token in enumerate(claim):
        beside = [*claim[max(0, at - 2) : at], *claim[at + 1 : at + 3]]
        best, most = None, -1
        for place, other in enumerate(sentence):
            if means(token, other):
                near = sentence[max(0, place - 2) : place + 3]
                shared = sum(any(means(one, two) for two in near if two is not other) for one in beside)
                shared = 3 * shared + (token.label == other.label) - 9 * any(one is other for one in found.values())
                if best is None or shared > most:
                    best, most = other, shared
        if best is not None:
            found[id(token)] = best
    return found
