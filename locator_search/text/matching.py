"""Finds the parts of a query in a text: whole parts first, then words, then pairs of characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import regex

from locator_search.model import Matching
from locator_search.text.meanings.finding import find_meanings
from locator_search.text.normalise import normalise, normalise_with_offsets, original_span
from locator_search.text.stopwords import ENGLISH_STOP_WORDS
from locator_search.text.terms import MEANING, is_meaning, stem
from locator_search.text.variants.finding import ALL_RULES, find_variants
from locator_search.text.words import Word, words

_PART = regex.compile(r"[^\s、。，．,;:!?・「」『』()（）\[\]【】\"']+")
_LATIN_WORD = regex.compile(r"\p{Latin}+")
_IDENTIFIER = regex.compile(r"(?<![a-z\d])[a-z\d]++(?:[-._/][a-z\d]++)+")
_PAIR = regex.compile(r"[\p{Han}\p{Katakana}ー]{2}")
_HIRAGANA = regex.compile(r"\p{Hiragana}")
_TWO_KANJI_AND_OKURIGANA = regex.compile(r"(?=.*\p{Han}.*\p{Han})(?=.*\p{Hiragana})[\p{Han}\p{Hiragana}]+")
_NEVER_MARKED = regex.compile(r"[\p{Hiragana}ー]|\d|[\W_]+|[a-z]|[年月日回度期第]")
_BETWEEN = {"助詞", "助動詞", "補助記号", "空白", "記号", "接続詞", "感動詞", "代名詞", "連体詞", "非自立可能"}
"""Parts of speech that carry grammar and are never marked."""
_MOST_MARKS = 300

_PART_WEIGHT, _WORD_WEIGHT, _PAIR_WEIGHT = 3.0, 2.0, 1.0


@dataclass(frozen=True, slots=True)
class Mark:
    """Text at [start:end] that matches `needle` of the query."""

    start: int
    end: int
    needle: str
    weight: float


@dataclass(frozen=True, slots=True)
class _Query:
    """A query, normalised; `normals` are the dictionary forms of its words, `stems` of its Latin ones.

    `others` are other ways to write parts of it, `meanings` the terms of what it means, and `okurigana` matches its
    words with any of their okurigana.
    """

    parts: tuple[str, ...]
    words: tuple[str, ...]
    normals: frozenset[str]
    stems: frozenset[str]
    others: tuple[str, ...]
    meanings: frozenset[str]
    okurigana: regex.Pattern[str] | None


def find_marks(text: str, query: str, matching: Matching = ALL_RULES) -> list[Mark]:
    """Marks in order that neither overlap nor touch. What is written otherwise is marked as it stands in the text."""
    wanted = _query(query, matching)
    normalised, offsets = normalise_with_offsets(text)
    found: list[Mark] = []
    for needles, weight in ((wanted.parts, _PART_WEIGHT), (wanted.words, _WORD_WEIGHT), (wanted.others, _WORD_WEIGHT)):
        for needle in needles:
            found += _occurrences(normalised, needle, weight * len(needle), found)
    found += _otherwise(normalised, wanted, found)
    found += _inflected(normalised, wanted, found)
    missing = [word for word in wanted.words if word not in normalised]
    if missing and not found:
        found += _other_spellings(normalised, wanted.normals)
    for word in missing:
        for pair in _PAIR.findall(word, overlapped=True):
            found += _occurrences(normalised, pair, _PAIR_WEIGHT * 2, found, may_overlap=True)
    return _merged(found, offsets)


@lru_cache(maxsize=64)
def _query(query: str, matching: Matching) -> _Query:
    normalised = normalise(query)
    identifiers = _IDENTIFIER.findall(normalised)  # whole or not at all: the 2024 of K-2024-017 tells nothing
    rest = _IDENTIFIER.sub(" ", normalised)
    units = [unit for unit in words(rest) if not _BETWEEN.intersection(unit.part_of_speech[:2])]
    runs: list[list[Word]] = []
    for unit in units:
        if runs and runs[-1][-1].end == unit.start:
            runs[-1].append(unit)
        else:
            runs.append([unit])
    variants = find_variants(query, matching)
    compounds = ("".join(unit.surface for unit in run) for run in runs)
    latin = [word for word in _LATIN_WORD.findall(rest) if word not in ENGLISH_STOP_WORDS]
    return _Query(
        parts=_telling([*_PART.findall(normalised), *identifiers, *compounds]),
        # The 録 of 議事録 says nothing alone: it would be marked in 記録, too.
        words=_telling(unit.surface for run in runs for unit in run if len(run) == 1 or len(unit.surface) > 1),
        normals=frozenset(unit.normal for unit in units if not _NEVER_MARKED.fullmatch(unit.normal)),
        stems=frozenset(stem(word) for word in latin if len(word) > 2),
        others=_telling(normalise(other) for variant in variants for other in variant.others),
        meanings=frozenset(
            term for variant in variants for terms in variant.terms for term in terms if is_meaning(term)
        ),
        okurigana=None if "okurigana" in matching.off else _with_and_without_okurigana(units),
    )


def _with_and_without_okurigana(units: Iterable[Word]) -> regex.Pattern[str] | None:
    """打ち?合わ?せ? for 打合せ: words of two kanji and more, each of their hiragana or none of them."""
    usual = dict.fromkeys(unit.normal for unit in units if _TWO_KANJI_AND_OKURIGANA.fullmatch(unit.normal))
    patterns = (_HIRAGANA.sub(r"\g<0>?", word) for word in usual)
    return regex.compile("|".join(patterns)) if usual else None


def _telling(needles: Iterable[str]) -> tuple[str, ...]:
    kept = (needle for needle in needles if needle not in ENGLISH_STOP_WORDS and not _NEVER_MARKED.fullmatch(needle))
    return tuple(sorted(dict.fromkeys(kept), key=len, reverse=True))


def _occurrences(text: str, needle: str, weight: float, found: list[Mark], may_overlap: bool = False) -> list[Mark]:
    marks: list[Mark] = []
    position = text.find(needle)
    while position >= 0 and len(marks) + len(found) < _MOST_MARKS:
        end = position + len(needle)
        covered = not may_overlap and any(mark.start <= position and end <= mark.end for mark in found)
        if not covered and _stands_alone(text, position, end):
            marks.append(Mark(position, end, needle, weight))
        position = text.find(needle, position + 1)
    return marks


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Latin letters and digits match whole words: no "in" in "training", no 12 in 2012."""
    return not (_joins(text[start - 1 : start], text[start]) or _joins(text[end - 1], text[end : end + 1]))


def _joins(left: str, right: str) -> bool:
    return (
        left.isascii() and right.isascii() and left.isalnum() and right.isalnum() and left.isdigit() == right.isdigit()
    )


def _otherwise(text: str, wanted: _Query, found: list[Mark]) -> list[Mark]:
    """Other ways to write the query (令和6年 for 2024年), and words with more or fewer okurigana."""
    spans: list[tuple[int, int, str]] = []
    if wanted.meanings:
        meanings = ((one.start, one.end, MEANING[one.rule] + one.means) for one in find_meanings(text))
        spans += [span for span in meanings if span[2] in wanted.meanings]
    if wanted.okurigana:
        spans += [(match.start(), match.end(), match.group()) for match in wanted.okurigana.finditer(text)]
    return [
        Mark(start, end, needle, _WORD_WEIGHT * (end - start))
        for start, end, needle in spans
        if not any(mark.start <= start and end <= mark.end for mark in found)
    ][:_MOST_MARKS]


def _inflected(text: str, wanted: _Query, found: list[Mark]) -> list[Mark]:
    if not wanted.stems:
        return []
    first_letters = {one[0] for one in wanted.stems}  # no stem begins with another letter than its word
    return [
        Mark(match.start(), match.end(), stem(match.group()), _WORD_WEIGHT * len(match.group()))
        for match in _LATIN_WORD.finditer(text)
        if text[match.start()] in first_letters
        and stem(match.group()) in wanted.stems
        and not any(mark.start <= match.start() and match.end() <= mark.end for mark in found)
    ][:_MOST_MARKS]


def _other_spellings(text: str, normals: frozenset[str]) -> list[Mark]:
    """打ち合わせ for 打合せ: words with the same dictionary form. Slower, so only where nothing else was found."""
    return [
        Mark(word.start, word.end, word.normal, _WORD_WEIGHT * len(word.surface))
        for word in words(text)
        if word.normal in normals
    ][:_MOST_MARKS]


def _merged(found: list[Mark], offsets: list[int]) -> list[Mark]:
    merged: list[Mark] = []
    for mark in sorted(found, key=lambda mark: (mark.start, -mark.end)):
        start, end = original_span(offsets, mark.start, mark.end)
        if merged and start <= merged[-1].end:
            last = merged.pop()
            heavier = max(last, mark, key=lambda one: one.weight)
            merged.append(Mark(last.start, max(last.end, end), heavier.needle, heavier.weight))
        else:
            merged.append(Mark(start, end, mark.needle, mark.weight))
    return merged
