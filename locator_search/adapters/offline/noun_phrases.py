"""Finds what a text talks about: names, document and product numbers, compound nouns. Rules over parts of speech."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import regex

from locator_search.adapters.offline.generic_words import COUNTERS, EMPTY_NOUNS, TITLES
from locator_search.text.dates.eras import ERAS
from locator_search.text.normalise import normalise, with_modern_kanji
from locator_search.text.stopwords import ENGLISH_STOP_WORDS
from locator_search.text.words import Word, words

Kind = Literal["organisation", "name", "number", "person", "place", "noun", "word"]
"""`number`: a document or product number. `name`: another proper noun; `place`: a short one (東京, 宮下, AED), which
may be a place, a family name or an abbreviation. `word`: a plain English word."""

LONGEST_PHRASE = 24

_LEGAL_FORM = regex.compile(r"株式会社|有限会社|合同会社|合資会社|[（(][株有][）)]|[㈱㈲]")
_ORGANISATION = regex.compile(
    r"(?:製作所|工業|商事|商店|銀行|大学|研究所|協会|財団|法人|組合|病院|電機|製鋼|製薬|物産|サービス|精密|化工|金属)$"
)
_ENGLISH_LEGAL_FORM = regex.compile(r"\b(?:Inc|Ltd|LLC|GmbH|AG|A/S|Corp|Co|Corporation|Company|University|Institute)\b")
_NUMBER = regex.compile(r"(?<![A-Za-z\d.@/_-])[A-Za-z]++\d*+(?:-[A-Za-z\d]++)++(?![A-Za-z\d_@-]|\.[A-Za-z\d])")
_CODE = regex.compile(r"(?=.*[A-Z]).*\d")
_ENGLISH_NAME = regex.compile(
    r"(?<![\w@./-])[\p{Lu}&&\p{Latin}][\p{Latin}\d&'’/-]*+(?: [\p{Lu}&&\p{Latin}][\p{Latin}\d&'’/-]*+)++(?![a-z@])",
    regex.VERSION1,
)
_ENGLISH_WORD = regex.compile(r"(?<![\w@./-])\p{Latin}[\p{Latin}'’-]{2,}+(?![\w@/])")
_TOO_SHORT = regex.compile(r"[\p{Hiragana}ー]{1,3}")
_LATIN = regex.compile(r"[\p{Latin}\d\W]+")


class NounPhrase(NamedTuple):
    """One thing a text names, as written, and where."""

    text: str
    kind: Kind
    start: int


def noun_phrases(text: str) -> list[NounPhrase]:
    """All noun phrases in order of appearance, repeated as often as they occur."""
    numbers = [
        NounPhrase(match.group(), "number", match.start())
        for match in _NUMBER.finditer(text)
        if len(match.group()) <= LONGEST_PHRASE and _CODE.match(match.group())
    ]
    taken = _positions(numbers)
    names = [
        NounPhrase(
            match.group(), "organisation" if _ENGLISH_LEGAL_FORM.search(match.group()) else "name", match.start()
        )
        for match in _ENGLISH_NAME.finditer(text)
        if match.start() not in taken and len(match.group()) <= 2 * LONGEST_PHRASE
    ]
    taken |= _positions(names)
    # Sudachi knows the names it knows in modern kanji only; the phrases keep the kanji of the text.
    modern = with_modern_kanji(text)
    units = [word for word in words(modern, mode="C") if word.start not in taken]
    if modern != text:
        units = [word._replace(surface=text[word.start : word.end]) for word in units]
    found = [*numbers, *names, *_japanese(units), *_english(text, taken)]
    return sorted(found, key=lambda phrase: phrase.start)


def _positions(phrases: Iterable[NounPhrase]) -> set[int]:
    return {position for phrase in phrases for position in range(phrase.start, phrase.start + len(phrase.text))}


def _english(text: str, taken: set[int]) -> Iterator[NounPhrase]:
    for match in _ENGLISH_WORD.finditer(text):
        word = match.group()
        if word.lower() not in ENGLISH_STOP_WORDS and match.start() not in taken:
            yield NounPhrase(word, "place" if word.isupper() else "word", match.start())


def _japanese(units: Sequence[Word]) -> Iterator[NounPhrase]:
    position = 0
    while position < len(units):
        person = _person(units, position)
        if person:
            phrase, position = person
            yield phrase
            continue
        length = _run_length(units, position)
        if length and (phrase_or_none := _phrase(units[position : position + length])):
            yield phrase_or_none
        position += max(length, 1)


def _person(units: Sequence[Word], position: int) -> tuple[NounPhrase, int] | None:
    """A family name with a given name (西村 拓也) or a title (西村部長); a name alone is left to the other rules."""
    family = units[position]
    if family.part_of_speech[2:4] != ("人名", "姓"):
        return None
    after = position + 1
    if after < len(units) and units[after].part_of_speech[0] == "空白" and units[after].surface in (" ", "\u3000"):
        after += 1
    if after < len(units) and units[after].part_of_speech[2:4] == ("人名", "名"):
        given = units[after]
        gap = " " if after > position + 1 else ""
        return NounPhrase(f"{family.surface}{gap}{given.surface}", "person", family.start), after + 1
    if position + 1 < len(units) and units[position + 1].surface in TITLES:
        return NounPhrase(family.surface, "place", family.start), position + 2
    return None


def _run_length(units: Sequence[Word], position: int) -> int:
    if not _begins(units[position]):
        return 0
    end = position + 1
    while end < len(units) and units[end].start == units[end - 1].end and _continues(units[end]):
        end += 1
    while end > position and units[end - 1].part_of_speech[0] == "接頭辞":
        end -= 1
    return end - position


def _begins(unit: Word) -> bool:
    main, sub, detail = unit.part_of_speech[:3]
    if main == "接頭辞":
        return unit.surface not in ("お", "ご", "御", "第", "約", "各")
    if main != "名詞" or sub in ("数詞", "助動詞語幹"):
        return False
    if detail == "副詞可能" or unit.surface in COUNTERS or unit.normal in ERAS:
        return False
    return unit.surface not in EMPTY_NOUNS


def _continues(unit: Word) -> bool:
    if unit.surface == "内":  # 瀬戸内, 社内
        return True
    if unit.part_of_speech[0] == "接尾辞":
        return unit.part_of_speech[1] == "名詞的" and unit.surface not in TITLES | {
            "等",
            "など",
            "たち",
            "達",
            "毎",
            "中",
        }
    return _begins(unit)


def _phrase(run: Sequence[Word]) -> NounPhrase | None:
    written = "".join(unit.surface for unit in run)
    bare = _LEGAL_FORM.sub("", written).strip()
    is_legal = bare != written
    if not 2 <= len(bare) <= LONGEST_PHRASE or _TOO_SHORT.fullmatch(bare) or (_LATIN.fullmatch(bare) and not is_legal):
        return None
    proper = [unit for unit in run if unit.part_of_speech[1] == "固有名詞" and not unit.surface.isascii()]
    if proper and len(run) > 1 and run[-1].surface in TITLES:
        return NounPhrase(bare.removesuffix(run[-1].surface), "place", run[0].start)
    kind: Kind = "noun"
    if is_legal or (proper and len(run) > 1 and _ORGANISATION.search(normalise(bare))):
        kind = "organisation"
    elif proper:
        kind = "place" if len(run) == 1 and len(bare) <= 3 else "name"
    return NounPhrase(bare, kind, run[0].start)
