"""The variants of a question: which parts of it may be written otherwise, by which rule, and how."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import regex

from locator_search.model import Matching, Placement, Variant
from locator_search.text.dates.eras import ERAS
from locator_search.text.meanings.finding import Meaning, company_form_variants, find_meanings
from locator_search.text.meanings.numerals import in_kanji
from locator_search.text.normalise import compatible, normalise, normalise_with_offsets, original_span
from locator_search.text.stopwords import ENGLISH_STOP_WORDS
from locator_search.text.terms import MEANING, PAIR, RUN, WORD, analyse, is_meaning
from locator_search.text.variants.kana import KATAKANA_WORD, katakana_variants
from locator_search.text.variants.romaji import katakana_of, romaji_of
from locator_search.text.variants.synonyms import office_words, synonyms_by_word
from locator_search.text.words import Word, words

LATIN_WORD = regex.compile(r"[a-z]{3,}")
"""A word of a normalised question that is looked for in Japanese as well."""

_OKURIGANA = regex.compile(r"(?=.*\p{Han}).*\p{Hiragana}")
_HIRAGANA_WORD = regex.compile(r"\p{Hiragana}{2,}")
_HAN = regex.compile(r"\p{Han}")
_NUMBER_AND_COUNTER = regex.compile(r"(第?)(\d+)(.*)")
_HAS_KANA_OR_KANJI = regex.compile(r"[\p{Han}\p{Katakana}\p{Hiragana}]")

_SHORTEST_NAME, _SHORTEST_WORD = 3, 5
"""Latin letters of a word's romaji: 伊藤 is ito, but 酒 is not sake, 名目 not "name"."""
_SPELLINGS_OF_A_WORD = 2
_LARGEST_IN_KANJI = 99


ALL_RULES = Matching()


@dataclass(frozen=True, slots=True)
class _Question:
    """A question, its normalised form with the way back, and its words."""

    text: str
    normalised: str
    offsets: list[int]
    words: tuple[Word, ...]

    def written(self, start: int, end: int) -> str:
        first, after = original_span(self.offsets, start, end)
        return self.text[first:after]


def find_variants(question: str, matching: Matching = ALL_RULES) -> tuple[Variant, ...]:
    """The variants of a question by the rules that are on, in the order of the rules.

    Some have no `others`: their word stands in its usual form, and is found in other spellings all the same.
    """
    read = _read(question)
    found = [variant for rule, finder in _FINDERS.items() if rule not in matching.off for variant in finder(read)]
    if "synonym" not in matching.off:
        found += _synonyms(read, "synonym", matching.synonyms)
    if "office" not in matching.off:
        found += _synonyms(read, "office", office_words())
    return tuple(dict.fromkeys(found))


def without_words(question: str, ignored: Sequence[str]) -> str:
    """The question with blanks in place of the words that a dictionary has it ignore; as it is where no other term is
    left."""
    if not ignored:
        return question
    read, left = _read(question), list(question)
    for start, end in _said(read, frozenset(ignored), max(map(len, ignored))):
        first, after = original_span(read.offsets, start, end)
        left[first:after] = " " * (after - first)
    rest = "".join(left)
    return rest if analyse(rest).terms else question


def placements_for(question: str, placements: Sequence[Placement]) -> list[Placement]:
    """Those of which the question says the phrase, in the order of the dictionary."""
    if not placements:
        return []
    read, phrases = _read(question), frozenset(one.phrase for one in placements)
    said = {read.normalised[start:end] for start, end in _said(read, phrases, max(map(len, phrases)))}
    return [one for one in placements if one.phrase in said]


def variants_in_use(variants: Iterable[Variant], occurring: Container[str]) -> tuple[Variant, ...]:
    """The variants that can change what is found: those with a term that occurs, and those compared in one form.

    One for each rule and written part, with all its others.
    """
    joined: dict[tuple[str, str], Variant] = {}
    for variant in variants:
        occurs = not variant.terms or any(term in occurring for terms in variant.terms for term in terms)
        if variant.others and occurs:
            known = joined.get((variant.rule, variant.written))
            others = (*known.others, *variant.others) if known else variant.others
            terms = (*known.terms, *variant.terms) if known else variant.terms
            joined[variant.rule, variant.written] = replace(variant, others=tuple(dict.fromkeys(others)), terms=terms)
    return tuple(joined.values())


def _width(question: _Question) -> Iterator[Variant]:
    for word in question.words:
        written = question.written(word.start, word.end)
        compared = compatible(written)
        if compared.casefold() != written.casefold():
            yield Variant("width", written, (compared,))


def _kanji(question: _Question) -> Iterator[Variant]:
    for word in question.words:
        written = question.written(word.start, word.end)
        if _HAN.search(word.surface) and compatible(written).lower() != word.surface:
            yield Variant("kanji", written, (word.surface,))


def _kana(question: _Question) -> Iterator[Variant]:
    for word in question.words:
        written = question.written(word.start, word.end)
        usual = word.normal.lower()
        if KATAKANA_WORD.fullmatch(word.surface):
            changed = usual != word.surface and KATAKANA_WORD.fullmatch(usual)
            yield Variant("kana", written, (usual,) if changed else (), ((WORD + usual,),))
            for other in katakana_variants(word.surface):
                terms = _word_terms(other)
                if terms and terms != (WORD + usual,):
                    yield Variant("kana", written, (other,), (terms,))
        elif _HIRAGANA_WORD.fullmatch(word.surface) and word.part_of_speech[0] == "名詞":
            # Alone and beside other words Sudachi may read it differently: みどり, 緑.
            readings = {WORD + word.surface, *_word_terms(word.surface), WORD + usual}
            if len(readings) > 1:
                others = tuple(sorted(reading[2:] for reading in readings if reading[2:] != word.surface))
                yield Variant("kana", written, others, tuple((reading,) for reading in sorted(readings)))


def _okurigana(question: _Question) -> Iterator[Variant]:
    """Words with kanji that have okurigana, or whose usual form has: 見積 is 見積もり."""
    for word in question.words:
        if word.part_of_speech[0] in ("名詞", "動詞", "形容詞") and _HAN.match(word.surface):
            usual = word.normal
            if _OKURIGANA.fullmatch(word.surface + usual) and _HAN.findall(word.surface) == _HAN.findall(usual):
                is_usual = usual == word.surface or word.part_of_speech[0] != "名詞"
                written = question.written(word.start, word.end)
                yield Variant("okurigana", written, () if is_usual else (usual,), ((WORD + usual,),))


def _meanings(rule: str, others: Callable[[Meaning, str], tuple[str, ...]]) -> Callable[[_Question], Iterator[Variant]]:
    def find(question: _Question) -> Iterator[Variant]:
        for found in find_meanings(question.normalised):
            if found.rule == rule:
                written = question.normalised[found.start : found.end]
                yield Variant(
                    rule,
                    question.written(found.start, found.end),
                    tuple(other for other in others(found, written) if normalise(other) != written),
                    ((MEANING[found.rule] + found.means,),),
                )

    return find


def _other_numbers(found: Meaning, _: str) -> tuple[str, ...]:
    parts = _NUMBER_AND_COUNTER.fullmatch(found.means)
    if parts is None:
        return ()
    value = int(parts[2])
    in_words = (parts[1] + in_kanji(value) + parts[3],) if 0 < value <= _LARGEST_IN_KANJI else ()
    return (found.means, *in_words)


def _other_years(found: Meaning, _: str) -> tuple[str, ...]:
    year = int(found.means.removesuffix("年"))
    eras = [(name, year - before) for name, before in ERAS.items()]
    lasted = {"明治": 45, "大正": 15, "昭和": 64, "平成": 31, "令和": year}
    written = [f"{name}{'元' if number == 1 else number}年" for name, number in eras if 1 <= number <= lasted[name]]
    letters = [f"R{number}" for name, number in eras if name == "令和" and number >= 1]
    return (found.means, *written, *letters)


def _other_quarters(found: Meaning, _: str) -> tuple[str, ...]:
    if found.means in ("上期", "下期"):
        half = 1 if found.means == "上期" else 2
        return (found.means, f"{found.means[0]}半期", f"H{half}", f"{half}H")
    quarter = found.means[1]
    return (found.means, f"Q{quarter}", f"{quarter}Q")


def _other_companies(found: Meaning, _: str) -> tuple[str, ...]:
    return company_form_variants(found.means)


def _romaji(question: _Question) -> Iterator[Variant]:
    for word in question.words:
        written = question.written(word.start, word.end)
        if LATIN_WORD.fullmatch(word.surface):
            for other in _in_japanese(word):
                yield Variant("romaji", written, (other,), ((WORD + other,),))
        elif word.part_of_speech[0] == "名詞" and _HAS_KANA_OR_KANJI.search(word.surface):
            is_name = word.part_of_speech[1] == "固有名詞"
            shortest, most = (_SHORTEST_NAME, None) if is_name else (_SHORTEST_WORD, _SPELLINGS_OF_A_WORD)
            for latin in romaji_of(word.reading)[:most]:
                if len(latin) >= shortest and latin not in ENGLISH_STOP_WORDS:
                    yield Variant("romaji", written, (latin,), ((RUN + latin,),))


def _in_japanese(word: Word) -> Iterator[str]:
    if word.surface in ENGLISH_STOP_WORDS:
        return
    if _HAS_KANA_OR_KANJI.search(word.normal):  # Sudachi knows it: server is サーバー
        yield word.normal
    kana = katakana_of(word.surface)
    if kana and len(word.surface) >= _SHORTEST_NAME + 1:
        yield kana


def _read(question: str) -> _Question:
    normalised, offsets = normalise_with_offsets(question)
    return _Question(question, normalised, offsets, tuple(words(normalised)))


def _said(question: _Question, known: Container[str], longest: int) -> Iterator[tuple[int, int]]:
    """Where whole words of the question, or several in a row, are among those known: (start, end) as compared."""
    ends = sorted({word.end for word in question.words})
    for start in sorted({word.start for word in question.words}):
        for end in ends[bisect_right(ends, start) : bisect_right(ends, start + longest)]:
            if question.normalised[start:end] in known:
                yield start, end


def _synonyms(question: _Question, rule: str, groups: tuple[tuple[str, ...], ...]) -> Iterator[Variant]:
    dictionary = synonyms_by_word(groups)
    for start, end in _said(question, dictionary.others, dictionary.longest):
        for other in dictionary.others[question.normalised[start:end]]:
            yield Variant(rule, question.written(start, end), (other,), (_telling_terms(other),))


def _word_terms(text: str) -> tuple[str, ...]:
    return tuple(term for term in analyse(text).terms if term.startswith(WORD))


def _telling_terms(text: str) -> tuple[str, ...]:
    """The terms of a text, words before pairs of characters."""
    return tuple(sorted((t for t in analyse(text).terms if not is_meaning(t)), key=lambda term: term.startswith(PAIR)))


_FINDERS: Mapping[str, Callable[[_Question], Iterator[Variant]]] = {
    "width": _width,
    "kanji": _kanji,
    "kana": _kana,
    "okurigana": _okurigana,
    "number": _meanings("number", _other_numbers),
    "era": _meanings("era", _other_years),
    "quarter": _meanings("quarter", _other_quarters),
    "company": _meanings("company", _other_companies),
    "romaji": _romaji,
}
