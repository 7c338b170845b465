"""Weighs the terms of a question for the keyword search. Pure.

Two measures come from the same terms: the BM25 score, which orders files, and the share of the question's idf mass
found in a file, which says whether it is a hit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from types import MappingProxyType

import regex

from locator_search.model import Variant
from locator_search.retrieval.term_weights import NOUN
from locator_search.text.meanings.finding import find_company_forms
from locator_search.text.normalise import normalise
from locator_search.text.terms import MEANING, PAIR, RUN, STEM, WORD, analyse, is_meaning, is_numbered
from locator_search.text.variants.finding import LATIN_WORD
from locator_search.text.words import words

NUMBER_SHARE = 0.76
"""The share that a document number alone counts for: a file that bears it is a hit, whatever else was asked."""

MOST_BEARERS = 5
"""A number in more files than these is a topic (a product, a project), not a document."""

DOCUMENT_NUMBER = 3.0
"""The weight of a document number beside 1 for a noun: a question that names one wants that document."""

LEADING_PAIRS = 2
"""Terms that lead to a chunk together with another one. Measured with 300 questions to 100,000 chunks: with one, four
of the first tens lose a chunk; with two, none."""

TELLING = 1.5
"""The idf of a term in every fifth chunk: a term that is in more of them says little beside another one."""

ROUNDING = 1e-9

_QUOTED = regex.compile(r"「([^「」]+)」|『([^『』]+)』|\"([^\"]+)\"|“([^“”]+)”|＂([^＂]+)＂")


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One term of a question. `idf` > 0; `mass` is its part of the share (all parts sum to 1); `floor` is the share
    a file has at least when it holds this term; `found` is whether any file holds it.

    `alternatives` are terms of the same meaning. A text holds the term as often as the most frequent of all of them: it
    counts once, however many of them the text has. `frequency` counts the chunks that may hold one of them.
    """

    term: str
    idf: float
    mass: float
    floor: float
    frequency: int
    alternatives: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether any chunk or file name holds the term."""
        return self.frequency > 0


def terms_of(query: str, keywords: Sequence[str], off: Sequence[str] = ()) -> list[str]:
    """The terms of a question and its extra keywords, each once; `off` are matching rules that are off."""
    without = tuple(MEANING[rule] for rule in MEANING if rule in off)
    terms = dict.fromkeys((*analyse(query).terms, *analyse(" ".join(keywords)).terms))
    left_out = _of_company_forms("\n".join((query, *keywords)), is_one_thing="company" not in off)
    left_out |= _japanese_of_latin_words("\n".join((query, *keywords)), romaji="romaji" not in off)
    return [term for term in terms if not term.startswith(without) and term not in left_out]


def quoted_phrases(query: str) -> list[str]:
    """The phrases in quotation marks of a question, each once."""
    phrases = ("".join(found.groups("")).strip() for found in _QUOTED.finditer(query))
    return list(dict.fromkeys(phrase for phrase in phrases if phrase))


def alternatives_of(terms: Sequence[str], query: str, variants: Sequence[Variant]) -> dict[str, tuple[str, ...]]:
    """For terms of a question, the terms of its variants that count as them.

    Word stands in for word where both ways to write it have as many. Else one term of the other way does for all: the
    pair of characters where its words meet (次報 of 週次報告), or its longest word. A term that the rest of the
    question holds as well has no alternatives.
    """
    wanted = frozenset(terms)
    found: dict[str, dict[str, None]] = {}
    for variant in variants:
        elsewhere = frozenset(analyse(query.replace(variant.written, " ")).terms)
        own = (*analyse(variant.written).terms, *(term for other in variant.terms for term in other))
        replaced = [term for term in dict.fromkeys(own) if term in wanted and term not in elsewhere]
        written = _words_of(analyse(variant.written).terms)
        for text, other in zip_longest(variant.others, variant.terms, fillvalue=""):
            read = _words_of(other) or [(term,) for term in other]
            whole = _across_words(text, other) or max(read, key=lambda forms: len(forms[0]), default=())
            for term in replaced if whole else ():
                place = next((n for n, forms in enumerate(written) if _is_of(term, forms)), 0)
                forms = read[place] if len(read) == len(written) else whole
                alike = [form for form in forms if form.startswith(STEM) == term.startswith(STEM)]
                found.setdefault(term, {})[(alike or forms)[0]] = None
    return {term: kept for term, others in found.items() if (kept := tuple(one for one in others if one != term))}


def _across_words(text: str, terms: Sequence[str]) -> tuple[str, ...]:
    """The first pair of characters where two words of a text meet, which no text with one of them alone holds."""
    normalised = normalise(text)
    pairs = (PAIR + normalised[word.end - 1 : word.end + 1] for word in words(normalised))
    return tuple(pair for pair in pairs if pair in terms)[:1]


def _words_of(terms: Sequence[str]) -> list[tuple[str, ...]]:
    """The words of a text by its terms, each with its forms: of Latin ones the run of letters and the stem."""
    if any(term.startswith(PAIR) for term in terms) or not any(term.startswith(RUN) for term in terms):
        return [(term,) for term in terms if term.startswith(WORD)]
    words: list[tuple[str, ...]] = []
    for term in terms:
        if term.startswith(RUN):
            words.append((term,))
        elif term.startswith(STEM) and words:
            words[-1] = (*words[-1], term)
    return words


def _is_of(term: str, forms: Sequence[str]) -> bool:
    """Whether a term is a form of a word, or a pair of characters in it."""
    return term in forms or (term.startswith(PAIR) and term[len(PAIR) :] in forms[0])


def _of_company_forms(asked: str, *, is_one_thing: bool) -> set[str]:
    """The pairs where a name and its company form touch: 社み of 株式会社みどり, which ㈱みどり has not.

    With the rule on, also the words and pairs within the form, unless the question says them again: its meaning
    counts once, so that both ways to write it find as much.
    """
    text = normalise(asked)
    forms = find_company_forms(text)
    if not is_one_thing:
        borders = [border for start, end, _ in forms for border in (start, end)]
        return {PAIR + text[border - 1 : border + 1] for border in borders}
    rest = text
    for start, end, _ in forms:
        rest = rest[:start] + " " * (end - start) + rest[end:]
    return {term for term in analyse(text).terms if not is_meaning(term)} - set(analyse(rest).terms) if forms else set()


def _japanese_of_latin_words(query: str, *, romaji: bool) -> set[str]:
    """サーバー of server, unless the question says that, too.

    With the rule romaji on, it is an alternative of the Latin word (see `find_variants`), and one thing counts once:
    nDCG@10 on SciFact rises from 0.687 to 0.699. With the rule off, a Latin word asks for itself alone.
    """
    text = normalise(query)
    latin = regex.findall(r"\p{Latin}+", text)
    asked = " ".join(word for word in latin if not romaji or LATIN_WORD.fullmatch(word))
    japanese = regex.sub(r"\p{Latin}+", " ", text)
    return {term for term in analyse(asked).terms if term.startswith(WORD)} - set(analyse(japanese).terms)


def weigh(
    terms: Sequence[str],
    frequencies: Mapping[str, int],
    bearers: Mapping[str, int],
    chunks: int,
    alternatives: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    telling: Mapping[str, float] = MappingProxyType({}),
) -> list[QueryTerm]:
    """Weights for terms, rarest first.

    `frequencies` holds, for each term that occurs, the number of its chunks among all `chunks`; `bearers`, for each
    document number, the number of its files (counted up to MOST_BEARERS + 1); `telling`, what a term tells (see
    `retrieval.term_weights`), 1 where it does not say.

    The idf is Lucene's, ln(1 + (N - n + 0.5) / (n + 0.5)), above zero however common the term. A word that occurs
    nowhere is as rare as the mean of the others: what is missing tells, but not more than what is there. A document
    number, and whatever else tells more than a noun, is as rare as can be where it occurs nowhere. Pairs of characters
    that occur nowhere weigh nothing: they are those of another way to write it. A term with alternatives is as rare as
    the most frequent of them. The share takes the idf times what the term tells.
    """
    held = {term: [frequencies.get(one, 0) for one in (term, *alternatives.get(term, ()))] for term in terms}
    idfs = {term: _idf(max(held[term]), chunks) for term in terms if any(held[term])}
    unknown = sum(idfs.values()) / len(idfs) if idfs else 1.0
    told: dict[str, float] = {}
    for term in terms:
        is_one_document = is_numbered(term) and bearers.get(term, 0) <= MOST_BEARERS
        told[term] = DOCUMENT_NUMBER if is_one_document else telling.get(term, 1.0)
        if term not in idfs:
            idfs[term] = _idf(1, chunks) if told[term] > NOUN else unknown
            told[term] = 0.0 if term.startswith(PAIR) else told[term]
    total = sum(idfs[term] * told[term] for term in terms)
    weighed = [
        QueryTerm(
            term=term,
            idf=idfs[term],
            mass=idfs[term] * told[term] / total if total else 1 / len(terms),
            floor=NUMBER_SHARE if 1 <= bearers.get(term, 0) <= MOST_BEARERS else 0.0,
            frequency=min(chunks, sum(held[term])),
            alternatives=tuple(other for other in alternatives.get(term, ()) if frequencies.get(other)),
        )
        for term in terms
    ]
    return sorted(weighed, key=lambda term: (term.frequency, term.term))


def decisive(terms: Sequence[QueryTerm], share: float) -> list[str]:
    """Terms of which every file with at least `share` holds one, in as few chunks as is quickly found.

    Files without any of them can reach only the mass of the other terms, so looking at the files that hold one is
    enough for an exact count. A term is chosen the sooner, the more mass it has for the chunks that hold it; one that
    those chosen after it made superfluous is left out again.
    """
    found = [term for term in terms if term.found and term.mass]
    rest = math.fsum(term.mass for term in found) + ROUNDING
    chosen: list[QueryTerm] = []
    for term in sorted(found, key=lambda term: term.frequency / term.mass):
        if rest < share:
            break
        chosen.append(term)
        rest -= term.mass
    for term in sorted(chosen, key=lambda term: -term.frequency):
        if rest + term.mass < share:
            chosen.remove(term)
            rest += term.mass
    return list(dict.fromkeys(_spellings([*(term for term in terms if term.floor >= share), *chosen])))


def rarest(terms: Sequence[QueryTerm], least: int) -> list[str]:
    """The rarest terms, one at least, which so many chunks hold in all: enough for a ranking where they are many (for
    which `leading` looks at fewer). `terms` are sorted rarest first."""
    chosen: list[QueryTerm] = []
    chunks = 0
    for term in terms:
        if chosen and chunks >= least:
            break
        if term.found:
            chosen.append(term)
            chunks += term.frequency
    return list(dict.fromkeys(_spellings(chosen)))


@dataclass(frozen=True, slots=True)
class Lead:
    """Where the highest scores are: in chunks with one of the terms `alone`, or with one of either side of a pair."""

    alone: tuple[str, ...]
    pairs: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


def leading(terms: Sequence[QueryTerm], most: int) -> Lead | None:
    """The terms that lead to the highest scores, for questions whose terms are in many chunks; else None.

    The rarest terms, while no more than `most` chunks hold one of them. Of each of the LEADING_PAIRS that come next,
    which are in too many, what holds one of the two after it as well: a chunk with one common term of a question is not
    among the best of thousands. Terms in exactly as many chunks are taken for forms of one word, which are always
    together. A last term that has none after it is left out beside enough others. `terms` are sorted rarest first.
    """
    found = [term for term in terms if term.found]
    alone, chunks = 0, 0
    while alone < len(found) and chunks + found[alone].frequency <= most:
        chunks += found[alone].frequency
        alone += 1
    common = [next(forms) for _, forms in groupby(found[alone:], key=lambda term: term.frequency)]
    sides = [(one, [other for other in common[n + 1 : n + 3] if other.idf >= TELLING]) for n, one in enumerate(common)]
    pairs = tuple((_spellings([one]), _spellings(beside)) for one, beside in sides[:LEADING_PAIRS] if beside)
    is_enough = alone < len(found) and (pairs or chunks >= most / 4)
    return Lead(_spellings(found[:alone]), pairs) if is_enough else None


def _spellings(terms: Iterable[QueryTerm]) -> tuple[str, ...]:
    return tuple(one for term in terms for one in (term.term, *term.alternatives))


def _idf(frequency: int, chunks: int) -> float:
    return math.log(1 + max(0.0, chunks - frequency + 0.5) / (frequency + 0.5)) or 1e-6
