"""Finds what a text talks about: names, document and product numbers, compound nouns. Rules over parts of speech."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import regex

from locator_search.adapters.offline.generic_words import (
    BEGINS_NOTHING,
    CONTINUES_NOTHING,
    COUNTERS,
    EMPTY_NOUNS,
    TITLES,
)
from locator_search.text.dates.eras import ERAS
from locator_search.text.normalise import normalise, with_modern_kanji
from locator_search.text.stopwords import ENGLISH_STOP_WORDS
from locator_search.text.words import pieces, tokenize

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
    parts = [(start, part) for start, part in placed_parts(text) if start not in taken]
    found = [*numbers, *names, *_japanese(parts), *_english(text, taken)]
    return sorted(found, key=lambda phrase: phrase.start)


def _positions(phrases: Iterable[NounPhrase]) -> set[int]:
    return {position for phrase in phrases for position in range(phrase.start, phrase.start + len(phrase.text))}


def _english(text: str, taken: set[int]) -> Iterator[NounPhrase]:
    for match in _ENGLISH_WORD.finditer(text):
        word = match.group()
        if word.lower() not in ENGLISH_STOP_WORDS and match.start() not in taken:
            yield NounPhrase(word, "place" if word.isupper() else "word", match.start())


def _japanese(parts: Sequence[tuple[int, Part]]) -> Iterator[NounPhrase]:
    told_until = 0
    for position, (start, part) in enumerate(parts):
        if position < told_until or not (part.begins or part.is_family_name):
            continue
        person = _person(parts, position) if part.is_family_name else None
        if person:
            phrase, told_until = person
            yield phrase
        elif run := _run(parts, position):
            told_until = position + len(run)
            if found := _phrase(run):
                yield NounPhrase(*found, start)


def _person(parts: Sequence[tuple[int, Part]], position: int) -> tuple[NounPhrase, int] | None:
    """A family name with a given name (西村 拓也) or a title (西村部長); a name alone is left to the other rules."""
    start, family = parts[position]
    following = [part for _, part in parts[position + 1 : position + 3]]
    gap = " " if following and following[0].is_space else ""
    given = following[1:2] if gap else following[:1]
    if given and given[0].is_given_name:
        return NounPhrase(f"{family.surface}{gap}{given[0].surface}", "person", start), position + 2 + len(gap)
    if following and following[0].surface in TITLES:
        return NounPhrase(family.surface, "place", start), position + 2
    return None


def _run(parts: Sequence[tuple[int, Part]], position: int) -> tuple[Part, ...]:
    """The parts from here on that make one phrase."""
    if not parts[position][1].begins:
        return ()
    after = position + 1
    while after < len(parts) and parts[after][1].continues and parts[after][0] == _end(parts[after - 1]):
        after += 1
    while after > position and parts[after - 1][1].is_prefix:
        after -= 1
    return tuple(part for _, part in parts[position:after])


def _end(placed: tuple[int, Part]) -> int:
    start, part = placed
    return start + len(part.surface)


@lru_cache(maxsize=16_384)
def _phrase(run: tuple[Part, ...]) -> tuple[str, Kind] | None:
    written = "".join(part.surface for part in run)
    bare = _LEGAL_FORM.sub("", written).strip()
    is_legal = bare != written
    if not 2 <= len(bare) <= LONGEST_PHRASE or _TOO_SHORT.fullmatch(bare) or (_LATIN.fullmatch(bare) and not is_legal):
        return None
    is_proper = any(part.is_proper for part in run)
    if is_proper and len(run) > 1 and run[-1].surface in TITLES:
        return bare.removesuffix(run[-1].surface), "place"
    if is_legal or (is_proper and len(run) > 1 and _ORGANISATION.search(normalise(bare))):
        return bare, "organisation"
    if is_proper:
        return bare, "place" if len(run) == 1 and len(bare) <= 3 else "name"
    return bare, "noun"


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
        return surface not in BEGINS_NOTHING
    if main != "名詞" or sub in ("数詞", "助動詞語幹"):
        return False
    if detail == "副詞可能" or surface in COUNTERS or normal_form in ERAS:
        return False
    return surface not in EMPTY_NOUNS


def _continues(surface: str, part_of_speech: tuple[str, ...], *, begins: bool) -> bool:
    if surface == "内":  # 瀬戸内, 社内
        return True
    if part_of_speech[0] == "接尾辞":
        return part_of_speech[1] == "名詞的" and surface not in CONTINUES_NOTHING
    return begins
