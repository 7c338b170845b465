"""Words of a question that no file holds as they are written, and the words they may be slips of. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import regex

from locator_search.retrieval.query_terms import QueryTerm
from locator_search.text.normalise import normalise, normalise_with_offsets, original_span
from locator_search.text.stopwords import WORDS_OF_ASKING
from locator_search.text.terms import PAIR, RUN, STEM, WORD, bare, is_numbered, stem
from locator_search.text.words import Word, words

MOST = 5
"""Odd words of one question that are looked at."""
LONG = 7
"""Latin letters from which two slips are looked for where one explains nothing."""
LONG_READING = 5
"""Kana of a reading from which another one may differ by one."""
LONG_ROW = 4
"""Characters of a row of nouns from which another one may differ in one of them."""

_LATIN = regex.compile(r"[a-z]{4,}")
_KATAKANA = regex.compile(r"[\p{Katakana}ー]{4,}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_KANA = "".join(map(chr, range(ord("ァ"), ord("ヴ") + 1))) + "ー"
_VOWELS = "aeiouy"
_IN_RUNS = ("名詞", "接頭辞", "接尾辞")


@dataclass(frozen=True, slots=True)
class OddWord:
    """A word, as `written` in the question and as `compared`; `is_absent` unless files hold another form of it.

    `names` says that it is a name, a foreign word or a number. Of a word in a row of nouns, `before` and `after` are
    the rest of the row, and `known` the pairs of characters in them that files hold.
    """

    written: str
    compared: str
    is_absent: bool = True
    names: bool = False
    before: str = ""
    after: str = ""
    known: tuple[str, ...] = ()


def odd_words(question: str, terms: Sequence[QueryTerm]) -> list[OddWord]:
    """The odd words of a question whose `terms` were looked up in an index."""
    absent = {term.term for term in terms if not term.found}
    normalised, offsets = normalise_with_offsets(question)

    def written(start: int, end: int) -> str:
        first, after = original_span(offsets, start, end)
        return question[first:after]

    found = []
    for number in (term for term in terms if is_numbered(term.term)):
        start = normalised.find(bare(number.term))
        end = start + len(bare(number.term))
        if start >= 0 and not number.found:
            found.append(OddWord(written(start, end), bare(number.term), names=True))
        normalised = normalised.replace(bare(number.term), " " * (end - start))
    for run in _runs(words(normalised)):
        for odd in _odd_among(run, absent):
            is_latin = _LATIN.fullmatch(odd[0].surface) is not None
            start, end = odd[0].start, odd[-1].end
            before, after = normalised[run[0].start : start], normalised[end : run[-1].end]
            pairs = (PAIR + first + second for part in (before, after) for first, second in pairwise(part))
            found.append(
                OddWord(
                    written=written(start, end) if end - start > 1 else written(run[0].start, run[-1].end),
                    compared=normalised[start:end],
                    is_absent=not is_latin or STEM + stem(odd[0].surface) in absent,
                    names=is_latin
                    or any(unit.part_of_speech[1] == "固有名詞" for unit in odd if len(unit.surface) > 1),
                    before=before,
                    after=after,
                    known=tuple(pair for pair in pairs if pair not in absent),
                )
            )
    return found[:MOST]


def _odd_among(run: Sequence[Word], absent: Container[str]) -> Iterator[list[Word]]:
    """The nouns of a row that no file holds, those that follow each other together; each Latin one by itself."""

    def is_odd(unit: Word) -> bool:
        term = RUN + unit.surface if _LATIN.fullmatch(unit.surface) else WORD + unit.normal.lower()
        return term in absent and unit.part_of_speech[0] == "名詞" and unit.normal not in WORDS_OF_ASKING

    for (odd, _), units in groupby(run, key=lambda unit: (is_odd(unit), unit.surface.isascii() and unit.start)):
        if odd:
            yield list(units)


def _runs(units: Iterable[Word]) -> Iterator[list[Word]]:
    """Nouns with nothing between them."""
    run: list[Word] = []
    for unit in units:
        if run and (unit.part_of_speech[0] not in _IN_RUNS or run[-1].end != unit.start):
            yield run
            run = []
        if unit.part_of_speech[0] in _IN_RUNS:
            run.append(unit)
    if run:
        yield run


def slips_of(odd: OddWord) -> Iterator[list[str]]:
    """Terms of words that are one slip away (a letter left out, added, taken for another, or two of them swapped), then
    those two common slips away; none for words that are too short or neither Latin nor katakana. The first letter
    stays: few people mistake it."""
    word = odd.compared
    if _KATAKANA.fullmatch(word):
        yield [WORD + one for one in _one_slip(word, _KANA)]
    elif _LATIN.fullmatch(word):
        yield [RUN + one for one in _one_slip(word, _LETTERS)]
        if len(word) >= LONG and odd.is_absent:
            yield [RUN + two for two in {two for one in _common_slips(word) for two in _common_slips(one)}]


def likeliest(odd: OddWord, frequencies: Iterable[tuple[str, int]]) -> str:
    """The word in most texts among (term, frequency); "" where there is none. Of a word that files hold in another
    form, only one of the same stem that is no inflection of it: installation for instalation, not report for reports.
    """
    known = [
        (frequency, bare(term))
        for term, frequency in frequencies
        if odd.is_absent or (stem(bare(term)) == stem(odd.compared) and not _is_inflected(bare(term), odd.compared))
    ]
    return max(known, default=(0, ""))[1]


def sounding_alike(odd: OddWord, texts: Iterable[str]) -> str:
    """The nouns that texts have most often where this word stands, and that sound as it does: 議事録 for 議事禄.

    "" where there are none."""
    length = len(odd.compared)
    pattern = regex.compile(
        rf"{regex.escape(odd.before)}[\p{{Han}}\p{{Katakana}}\p{{Hiragana}}ー]{{{length}}}{regex.escape(odd.after)}"
    )
    asked = odd.before + odd.compared + odd.after
    counted = Counter(found for text in texts for found in pattern.findall(normalise(text), overlapped=True))
    alike = (row for row, _ in counted.most_common() if row != asked and _sounds_like(row, asked))
    row = next(alike, "")
    return row[len(odd.before) : len(row) - len(odd.after)] if row and length > 1 else row


def _one_slip(word: str, letters: str) -> set[str]:
    parts = [(word[:place], word[place:]) for place in range(1, len(word) + 1)]
    left_out = {start + rest[1:] for start, rest in parts if rest}
    swapped = {word[:place] + word[place + 1] + word[place] + word[place + 2 :] for place in range(len(word) - 1)}
    other = {start + letter + rest[1:] for start, rest in parts if rest for letter in letters}
    added = {start + letter + rest for start, rest in parts for letter in letters}
    return (left_out | swapped | other | added) - {word}


def _common_slips(word: str) -> set[str]:
    """A letter too many, a double letter for one, a vowel for another."""
    parts = [(word[:place], word[place:]) for place in range(1, len(word))]
    left_out = {start + rest[1:] for start, rest in parts}
    doubled = {start + rest[0] + rest for start, rest in parts}
    vowels = {start + vowel + rest[1:] for start, rest in parts if rest[0] in _VOWELS for vowel in _VOWELS}
    return left_out | doubled | vowels


def _is_inflected(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _reading(text: str) -> str:
    return "".join(word.reading for word in words(text))


def _sounds_like(one: str, other: str) -> bool:
    """Whether two rows of the same length have the same reading, or one that is a slip away. Of a long row all but one
    character are enough: what is no word is often not read as it is meant."""
    first, second = _reading(one), _reading(other)
    if first == second or (min(len(first), len(second)) >= LONG_READING and first in _one_slip(second, _KANA)):
        return True
    return len(one) >= LONG_ROW and sum(here != there for here, there in zip(one, other, strict=True)) == 1
