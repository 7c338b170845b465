"""One normalisation for questions, file texts and file names, so that both sides of a match look alike.

Unicode NFKC, then what NFKC leaves alone and people type either way: old forms of kanji in names (髙 and 高), the
many dashes, the wave dash, variation selectors and zero-width characters. Everything becomes lower case.
"""

from __future__ import annotations

import unicodedata

import regex

_INVISIBLE = regex.compile(
    r"[\ud800-\udfff\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    r"\ufe00-\ufe0f\U000e0000-\U000e0fff]"
)
"""Zero-width characters, direction marks, variation selectors, and the lone surrogates of broken file names: they carry
no meaning a search could use."""

_OLD_KANJI = (
    "髙﨑嵜邊邉齋齊濵濱嶋嶌澤櫻廣國學藏眞與惠圓瀧德黑增寬曾莊應縣會藝壽豐禮實萬條榮淺"
    "檜淵桒𠮷冨彌髮驒鷗槇遙堯巖嶽關劍號來戶靑淸橫祿步每賣變發經總"
)
_NEW_KANJI = (
    "高崎崎辺辺斎斎浜浜島島沢桜広国学蔵真与恵円滝徳黒増寛曽荘応県会芸寿豊礼実万条栄浅"
    "桧渕桑吉富弥髪騨鴎槙遥尭巌岳関剣号来戸青清横禄歩毎売変発経総"
)
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2500\u2501\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_WAVES = "\u301c\u3030\u223c\u223e\uff5e\u02dc"
_MODERN_KANJI = str.maketrans(_OLD_KANJI, _NEW_KANJI)
_FOLDED = (
    _MODERN_KANJI
    | dict.fromkeys(map(ord, _DASHES), "-")
    | dict.fromkeys(map(ord, _WAVES), "~")
    | str.maketrans("ς‘’“”", "σ''\"\"")
)
_LONG_VOWELS_AS_DASH = regex.compile(r"(?<![ぁ-ゖァ-ヺー])ー+")
"""ー lengthens a kana; after anything else (2024ー09) somebody meant a dash."""

_GRAPHEME = regex.compile(r"\X")


def normalise(text: str) -> str:
    """The form in which texts are compared. Idempotent; lengths may change (㈱ becomes three characters)."""
    if text.isascii():
        return text.lower()
    return _fold_dashes(_fold(_INVISIBLE.sub("", text)))


def normalise_with_offsets(text: str) -> tuple[str, list[int]]:
    """`normalise(text)` and, for each of its characters, the index in `text` of the grapheme it comes from.

    One more entry than characters; the last is `len(text)`. `original_span` turns a match into a span of `text`.
    """
    if text.isascii():
        return text.lower(), list(range(len(text) + 1))
    visible, places = _visible_characters(text)
    parts: list[str] = []
    offsets: list[int] = []
    for match in _GRAPHEME.finditer(visible):
        folded = _fold(match.group())
        parts.append(folded)
        if len(folded) == match.end() - match.start():
            offsets.extend(places[match.start() : match.end()])
        else:
            offsets.extend([places[match.start()]] * len(folded))
    offsets.append(len(text))
    return _fold_dashes("".join(parts)), offsets


def original_span(offsets: list[int], start: int, end: int) -> tuple[int, int]:
    """The span of the original that a non-empty match [start:end] of the normalised text covers, never empty."""
    first, after = offsets[start], end
    while offsets[after] == offsets[end - 1]:  # the match ends inside what was one character, as 株 in ㈱
        after += 1
    return first, offsets[after]


def with_modern_kanji(text: str) -> str:
    """The text with old forms of kanji replaced (髙 by 高), every character at its place."""
    return text.translate(_MODERN_KANJI)


def _visible_characters(text: str) -> tuple[str, list[int]]:
    places = [index for index, character in enumerate(text) if not _INVISIBLE.match(character)]
    return "".join(text[index] for index in places), places


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).translate(_FOLDED).lower().translate(_FOLDED)
    return folded if folded.isascii() else unicodedata.normalize("NFKC", folded)


def _fold_dashes(text: str) -> str:
    return _LONG_VOWELS_AS_DASH.sub(lambda match: "-" * len(match.group()), text)
