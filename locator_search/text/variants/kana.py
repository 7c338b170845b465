"""Other ways to write a word in katakana: サーバ for サーバー, ベンティ for ヴェンティ, メイン for メーン."""

from __future__ import annotations

import regex

KATAKANA_WORD = regex.compile(r"[\p{Katakana}ー]{2,}")

_V_AS_B = {"ヴァ": "バ", "ヴィ": "ビ", "ヴュ": "ビュ", "ヴェ": "ベ", "ヴォ": "ボ"}
_B_AS_V = {b: v for v, b in _V_AS_B.items() if v != "ヴュ"} | {"ブ": "ヴ"}
_SMALL_AS_LARGE = {"ウィ": "ウイ", "ウェ": "ウエ", "ウォ": "ウオ", "クォ": "クオ", "ティ": "テイ", "ディ": "デイ"}
_LARGE_AS_SMALL = {large: small for small, large in _SMALL_AS_LARGE.items()}
_GLIDES = {"イヤ": "イア"}
_GLIDES_BACK = {"イア": "イヤ"}
_REPLACED = [_V_AS_B | {"ヴ": "ブ"}, _B_AS_V, _SMALL_AS_LARGE, _LARGE_AS_SMALL, _GLIDES, _GLIDES_BACK]
_LONG_E = regex.compile("(?<=[エケセテネヘメレゲゼデベペェ])ー")
_LONG_E_AS_I = regex.compile("(?<=[エケセテネヘメレゲゼデベペェ])イ")
_ENDS_LIKE_ER_OR_Y = regex.compile("[ァアカサタナハマヤラワガザダバパャィイキシチニヒミリギジヂビピ]$")
_SHORTEST_STEM = 3
"""Kana before a ー that may be left out: サーバ is サーバー, but カバ is no カバー."""


def katakana_variants(word: str) -> tuple[str, ...]:
    """Other spellings of a katakana word, most of which nobody uses: ask an index which ones occur.

    >>> katakana_variants("サーバ"), katakana_variants("ヴェンティ")
    (('サーバー',), ('ベンティ', 'ヴェンテイ', 'ヴェンティー'))
    """
    changed = [_replaced(word, pairs) for pairs in _REPLACED]
    changed += [_LONG_E.sub("イ", word), _LONG_E_AS_I.sub("ー", word), _with_other_ending(word)]
    return tuple(dict.fromkeys(variant for variant in changed if variant != word))


def _replaced(word: str, pairs: dict[str, str]) -> str:
    for written, other in pairs.items():
        word = word.replace(written, other)
    return word


def _with_other_ending(word: str) -> str:
    if word.endswith("ー"):
        return word[:-1] if len(word) > _SHORTEST_STEM else word
    return word + "ー" if len(word) >= _SHORTEST_STEM and _ENDS_LIKE_ER_OR_Y.search(word) else word
