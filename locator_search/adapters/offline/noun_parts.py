"""The words of a text as parts of noun phrases: each word is judged once, and the judgement remembered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from locator_search.adapters.offline.generic_words import COUNTERS, EMPTY_NOUNS, TITLES
from locator_search.text.dates.eras import ERAS
from locator_search.text.normalise import with_modern_kanji
from locator_search.text.words import pieces, tokenize

_BEGINS_NOTHING = frozenset(("お", "ご", "御", "第", "約", "各"))
_CONTINUES_NOTHING = TITLES | {"等", "など", "たち", "達", "毎", "中"}


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A word as written, and what it may be in a noun phrase. Every occurrence of a word is the same object, by which
    whole phrases are remembered."""

    surface: str
    begins: bool
    continues: bool
    is_prefix: bool
    is_family_name: bool
    is_given_name: bool
    is_proper: bool
    is_space: bool
    """Of one character, as between the names of a person."""


def placed_parts(text: str) -> Iterator[tuple[int, Part]]:
    """The words of a text, named entities whole, each with its start."""
    # Sudachi knows the names it knows in modern kanji only; the parts keep the kanji of the text.
    modern = with_modern_kanji(text)
    for start, piece in pieces(modern):
        for unit in tokenize(piece, "C"):
            begin, surface = start + unit.begin(), unit.surface()
            if modern is not text:
                surface = text[begin : begin + len(surface)]
            yield begin, _part(surface, unit.normalized_form(), unit.part_of_speech())


@lru_cache(maxsize=16_384)
def _part(surface: str, normal_form: str, part_of_speech: tuple[str, ...]) -> Part:
    begins = _begins(surface, normal_form, part_of_speech)
    return Part(
        surface,
        begins,
        _continues(surface, part_of_speech, begins=begins),
        is_prefix=part_of_speech[0] == "接頭辞",
        is_family_name=part_of_speech[2:4] == ("人名", "姓"),
        is_given_name=part_of_speech[2:4] == ("人名", "名"),
        is_proper=part_of_speech[1] == "固有名詞" and not surface.isascii(),
        is_space=part_of_speech[0] == "空白" and surface in (" ", "\u3000"),
    )


def _begins(surface: str, normal_form: str, part_of_speech: tuple[str, ...]) -> bool:
    main, sub, detail = part_of_speech[:3]
    if main == "接頭辞":
        return surface not in _BEGINS_NOTHING
    if main != "名詞" or sub in ("数詞", "助動詞語幹"):
        return False
    if detail == "副詞可能" or surface in COUNTERS or normal_form in ERAS:
        return False
    return surface not in EMPTY_NOUNS


def _continues(surface: str, part_of_speech: tuple[str, ...], *, begins: bool) -> bool:
    if surface == "内":  # 瀬戸内, 社内
        return True
    if part_of_speech[0] == "接尾辞":
        return part_of_speech[1] == "名詞的" and surface not in _CONTINUES_NOTHING
    return begins
