"""The weight of a term: by BM25 in a text, and in a question by what it tells about the file looked for. Pure.

BM25 is a sum over the terms of a question: idf times what a text gives for the term. The index keeps what a text gives,
made with the mean length of its day. SATURATION and LENGTH_NORMALISATION are part of what is kept: whoever changes them
writes a migration that makes the kept weights again.

People who reword a question keep its nouns and change all else, so a noun tells most, a verb little, and the words of
asking nothing. What stands in a sentence twice, as a word and as its letters, tells once.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, pairwise, zip_longest
from typing import TypeVar

import numpy as np
import regex
from numpy.typing import NDArray

from locator_search.text.normalise import normalise
from locator_search.text.stopwords import WORDS_OF_ASKING
from locator_search.text.terms import PAIR, RUN, STEM, WORD, analyse, bare, is_numbered
from locator_search.text.words import Word, words

PART_OF_NUMBER = 0.2
"""The parts of a document number (K, 2031) are those of other numbers, too."""
FOREIGN = 2.0
"""A Latin word in a Japanese question: most are names of products, and what is without it answers another question."""
NOUN = 1.0
SMALL_NOUN = 0.3
"""Numerals, counters, nouns of time, what is put before or behind a noun."""
VERB = 0.35
LIGHT_VERB = 0.1
"""Verbs that may help others: 来る, 続く."""
WITHIN_WORDS = 0.25
"""Pairs of characters inside a word or a run of nouns, which are found where a text parts its words otherwise."""
NOTHING = 0.0

_LATIN = regex.compile(r"\p{Latin}+")
_JAPANESE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_BY_KIND = {
    "動詞": VERB,
    "形容詞": VERB,
    "形状詞": VERB,
    "接頭辞": SMALL_NOUN,
    "接尾辞": SMALL_NOUN,
}
_SMALL = {"数詞", "副詞可能", "助数詞可能", "助動詞語幹"}

Numbers = TypeVar("Numbers", float, NDArray[np.float64])
"""One text or term, or many at once."""

SATURATION = 0.8
"""BM25's k1: how much a repeated term still counts."""
LENGTH_NORMALISATION = 0.9
"""BM25's b: how much a long chunk pays for its length. Robertson and Zaragoza, "The Probabilistic Relevance Framework:
BM25 and Beyond", 2009; the values were measured best on Japanese paragraphs."""


def damping(length: Numbers, mean_length: Numbers) -> Numbers:
    """How slowly repetitions of a term count up in a text of this length; 1 / `weight` grows with it."""
    return SATURATION * (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * length / mean_length)


def weight(frequency: Numbers, damped: Numbers) -> Numbers:
    """The BM25 weight of a term that a text holds so often; `damped` comes from `damping`. In [0, SATURATION + 1)."""
    return frequency * (SATURATION + 1) / (frequency + damped)


def frequency_of(kept: NDArray[np.float64], damped: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often texts hold a term of which they give `kept`: `weight` turned round. 0 for 0."""
    rest = np.maximum(SATURATION + 1 - kept, 1e-9)  # single precision may round up what is nearly everything
    return np.rint(kept * damped / rest)


def of_file(best: Numbers, breadth: Numbers) -> Numbers:
    """The score of a file by that of its best chunk and by how many others answer the question too (its `breadth`).

    The breadth of n chunks is the cube root of the sum of their (score / best) ** 3 / (1 + log2(n)): 1 for a file of
    one chunk, below for a long one that answers in one place, above for one that answers throughout.
    """
    return best * (2 + breadth) / 3


def how_telling(text: str) -> dict[str, float]:
    """For each term of a text what it tells, from 0 up; 1 is a noun."""
    terms = analyse(text).terms
    units = list(words(normalise(text)))
    told = dict(_of_words(units)) | dict.fromkeys(_pairs_within(units), WITHIN_WORDS)
    if _JAPANESE.search(text):
        told |= {term: FOREIGN for term in terms if term.startswith(STEM)}
    numbers = [term for term in terms if is_numbered(term)]
    parts = {part for number in numbers for part in analyse(bare(number)).terms} - set(numbers)
    return {
        term: NOUN if term in numbers else PART_OF_NUMBER if term in parts else told.get(term, _otherwise(term))
        for term in terms
    }


def _of_words(units: Iterable[Word]) -> Iterable[tuple[str, float]]:
    """Of a word that stands there twice, what it tells in its last place."""
    every = list(units)
    for unit, after in zip_longest(every, every[1:]):
        yield WORD + unit.normal.lower(), NOUN if _is_of_compound(unit, after) else _of_word(unit)


def _is_of_compound(unit: Word, after: Word | None) -> bool:
    """Whether a noun of time is part of a longer one: 年末 in 年末調整."""
    return (
        unit.part_of_speech[2] == "副詞可能"
        and after is not None
        and after.start == unit.end
        and after.part_of_speech[0] == "名詞"
        and not _SMALL & {*after.part_of_speech[1:3]}
        and after.normal not in WORDS_OF_ASKING
    )


def _of_word(unit: Word) -> float:
    kind, detail, usage = unit.part_of_speech[:3]
    if unit.normal in WORDS_OF_ASKING:
        return NOTHING
    if kind == "名詞":
        return SMALL_NOUN if _SMALL & {detail, usage} else NOUN
    return LIGHT_VERB if detail == "非自立可能" else _BY_KIND.get(kind, NOTHING)


def _pairs_within(units: Iterable[Word]) -> set[str]:
    """Pairs of characters that cross no border between a noun and something else."""
    runs = ("".join(unit.surface for unit in run) for telling, run in groupby(units, key=_is_noun) if telling)
    return {PAIR + first + second for run in runs for first, second in pairwise(run)}


def _is_noun(unit: Word) -> bool:
    return unit.part_of_speech[0] in ("名詞", "接頭辞", "接尾辞") and unit.normal not in WORDS_OF_ASKING


def _otherwise(term: str) -> float:
    """Of terms that are no words: the stem of a Latin word says what its letters would say again."""
    if term.startswith(PAIR) or (term.startswith(RUN) and _LATIN.fullmatch(bare(term))):
        return NOTHING
    return SMALL_NOUN if term.startswith(RUN) else NOUN
