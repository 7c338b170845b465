"""Keyword terms of a text, the same for files and questions.

Classes, each with a prefix, so that the word 東京 and the character pair 東京 are counted apart:

    w:  word: SudachiPy mode A in normalised form (打合せ and 打ち合わせ are one; server is サーバー), without
        particles, auxiliaries and symbols
    e:  stem: a Latin word without stop words, stemmed by Snowball (reports is report)
    g:  pair: two adjacent CJK characters, not both hiragana unless the whole text is; 「東京 大阪」 has no 京大
    r:  run: Latin letters and digits as written, and whole document numbers (abc-1234)

and the meanings of what can be written in several ways, beside its words (see `text.variants.meanings`):

    n:  number (n:第3回 for 第三回), y: year (y:2024年 for 令和6年), q: part of a year (q:第1四半期 for Q1),
    k:  company form (k:株式会社 for ㈱)

Source of the mix: measured best on Japanese questions among words, pairs and trigrams, alone and together.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise, starmap
from typing import Any

import regex
import snowballstemmer

from locator_search.model import Terms
from locator_search.text.meanings.finding import MeaningRule, find_meanings
from locator_search.text.normalise import normalise
from locator_search.text.stopwords import ENGLISH_STOP_WORDS
from locator_search.text.words import part_of_speech_matcher, pieces, tokenize

WORD, STEM, PAIR, RUN = "w:", "e:", "g:", "r:"
MEANING: dict[MeaningRule, str] = {"number": "n:", "era": "y:", "quarter": "q:", "company": "k:"}
_MEANINGS = tuple(MEANING.values())

LONGEST_TERM = 64
"""Characters; a longer run (base64, a hash list) is not something anybody types into a search."""

_CJK = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー々〆ヶ"
_CJK_RUN = regex.compile(rf"[{_CJK}]{{2,}}")
_HIRAGANA = regex.compile(r"[\p{Hiragana}ー]+")
_WORD_CHARACTERS = rf"[^\W_{_CJK}]"
_RUN = regex.compile(rf"[^\W_{_CJK}]+")
_NUMBERED_NAME = regex.compile(rf"(?<!{_WORD_CHARACTERS}){_WORD_CHARACTERS}++(?:[-._/]{_WORD_CHARACTERS}++)+")
_MARK_OF_A_NAME = regex.compile(r"[-._/]")
_DOCUMENT_NUMBER = regex.compile(r"(?=.*\d)(?=.*[^\d.,]).{3,}")
"""A digit and something else than digits, at least three characters: a-100, r2-0045, pj2024, 12-345."""
_LETTERS_OR_DIGITS = regex.compile(r"\d{2,}|[^\W\d_]{2,}")
_KANJI = regex.compile(r"[\p{Han}々〆ヶ]")
_TELLING_RUN = regex.compile(r"[\p{Han}々〆ヶ]{2,}|[\p{Katakana}ー]{2,}|[^\W_\p{Han}\p{Hiragana}\p{Katakana}ー々〆ヶ]+")
_LATIN_WORD = regex.compile(r"[\p{Latin}]+")
_HAS_DIGIT = regex.compile(r"\d")
_MORE_THAN_HIRAGANA = regex.compile(r"[^\W_\p{Hiragana}ー]")
_EMPTY_WORDS = [("助詞",), ("助動詞",), ("補助記号",), ("空白",), ("記号",)]

_thread = threading.local()


@lru_cache(maxsize=1024)
def analyse(text: str) -> Terms:
    """The terms of a text with their frequencies; some for every text that has a visible character.

    Remembers the latest texts, because a chunk is analysed for the keyword index and again for the offline vectors.
    """
    normalised = normalise(text)
    found = [*_words(normalised), *_pairs(normalised), *_runs(normalised), *_meanings(normalised)]
    counts = Counter(found or _parts(normalised))
    return Terms(tuple(counts), tuple(counts.values()))


def telling_parts(sentence: str) -> frozenset[str]:
    """Pairs of kanji, runs of katakana, other words and numbers of a sentence, found without a dictionary.

    For comparing the sentences of one text with each other, all of them once; not for an index. A sentence of symbols
    or of hiragana alone gives its parts between spaces.
    """
    normalised = normalise(sentence)
    found = set[str]()
    for run in _TELLING_RUN.findall(normalised):
        if _KANJI.match(run):
            found.update(map("".join, pairwise(run)))
        elif run not in ENGLISH_STOP_WORDS:
            found.add(run)
    return frozenset(found or normalised.split())


def is_meaning(term: str) -> bool:
    """Whether a term stands for what is meant and not for a word of the text."""
    return term.startswith(_MEANINGS)


def is_numbered(term: str) -> bool:
    """Whether a term is a number somebody gave a document, written as it is written there."""
    return term.startswith(RUN) and _DOCUMENT_NUMBER.fullmatch(bare(term)) is not None


def bare(term: str) -> str:
    """A term without its class, for people."""
    return term[2:]


def _words(text: str) -> list[str]:
    is_empty = _empty_word_matcher()
    return [
        term
        for _, piece in pieces(text)
        for unit in tokenize(piece)
        if not is_empty(unit) and (term := _term_of_word(unit.normalized_form(), unit.surface()))
    ]


@lru_cache(maxsize=65_536)
def _term_of_word(normal_form: str, surface: str) -> str:
    """Nothing for a word that is left to the stems, or too long."""
    word = normal_form.lower()
    left_out = len(word) > LONGEST_TERM or _LATIN_WORD.fullmatch(word) or surface in ENGLISH_STOP_WORDS
    return "" if left_out else WORD + word


def _meanings(text: str) -> list[str]:
    return [MEANING[found.rule] + found.means for found in find_meanings(text)]


def _parts(text: str) -> Iterator[str]:
    """The terms of a text of particles or symbols alone: の, ※, 「から まで」."""
    return (WORD + part[:LONGEST_TERM] for part in text.split())


def _pairs(text: str) -> list[str]:
    term_of_pair = _term_of_pair if _MORE_THAN_HIRAGANA.search(text) else _term_of_any_pair
    return [term for run in _CJK_RUN.findall(text) for term in starmap(term_of_pair, pairwise(run)) if term]


@lru_cache(maxsize=65_536)
def _term_of_pair(first: str, second: str) -> str:
    """Nothing for a pair of hiragana."""
    pair = first + second
    return "" if _HIRAGANA.fullmatch(pair) else PAIR + pair


def _term_of_any_pair(first: str, second: str) -> str:
    return PAIR + first + second


def _runs(text: str) -> list[str]:
    found = [term for run in _RUN.findall(text) if len(run) <= LONGEST_TERM for term in _terms_of_run(run)]
    names = _NUMBERED_NAME.findall(text) if _MARK_OF_A_NAME.search(text) else []
    found += [RUN + name for name in names if len(name) <= LONGEST_TERM and _HAS_DIGIT.search(name)]
    return found


@lru_cache(maxsize=16_384)
def _terms_of_run(run: str) -> tuple[str, ...]:
    if _LATIN_WORD.fullmatch(run):
        return (RUN + run,) if run in ENGLISH_STOP_WORDS else (RUN + run, STEM + stem(run))
    if run.isdigit() or not _HAS_DIGIT.search(run):
        return (RUN + run,)
    return (RUN + run, *(RUN + part for part in _LETTERS_OR_DIGITS.findall(run) if part != run))


@cache
def _empty_word_matcher() -> Any:
    return part_of_speech_matcher(_EMPTY_WORDS)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The Snowball stem of one lower-case word (reports and reporting are report)."""
    stemmer = getattr(_thread, "stemmer", None)  # a stemmer keeps state while it works: one per thread
    if stemmer is None:
        stemmer = _thread.stemmer = snowballstemmer.stemmer("english")
    return str(stemmer.stemWord(word))
