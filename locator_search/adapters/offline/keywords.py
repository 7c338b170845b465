"""One to five keywords of a file, and search keywords of a question: names and numbers first, then compound nouns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

import regex

from locator_search.adapters.offline.generic_words import OFFICE_NOUNS, OFFICE_WORDS, VAGUE_NOUNS
from locator_search.adapters.offline.noun_phrases import Kind, NounPhrase, noun_phrases
from locator_search.text.cutting import truncate
from locator_search.text.dates.finding import find_periods
from locator_search.text.dates.periods import Calendar
from locator_search.text.normalise import normalise

MOST = 5
_LONGEST = 40
_LIST_LENGTH = 4
_LOOKED_AT = 300
_LONGEST_QUESTION = 1_000
_KIND_ORDER: dict[Kind, int] = {
    "organisation": 0, "name": 0, "person": 0, "place": 0, "number": 1, "noun": 2, "word": 3,
}  # fmt: skip
_KIND_WEIGHT: dict[Kind, float] = {
    "organisation": 3, "name": 2, "number": 2.5, "person": 1.3, "place": 0.7, "noun": 1, "word": 0.8,
}  # fmt: skip
_AT_MOST: dict[Kind, int] = {
    "organisation": 2, "name": 2, "number": 2, "person": 1, "place": 1, "noun": 3, "word": 3,
}  # fmt: skip

_ONLY_NUMBERS = regex.compile(r"[\d\W年月日度第回週号版期時分秒]+")


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    kind: Kind
    count: int
    start: int


def document_keywords(text: str) -> list[str]:
    """One to five keywords of a file, as written in it; a file without any noun gives its first words."""
    title_end = _end_of_title(text)
    candidates = _without_lists(
        [one for one in _candidates(noun_phrases(text)) if not _is_generic(one.text)], title_end
    )
    ranked = sorted(candidates, key=lambda one: (-_weight(one, title_end), one.start))
    chosen = _chosen(ranked)
    ordered = sorted(chosen, key=lambda one: (_KIND_ORDER[one.kind], ranked.index(one)))
    return [truncate(one.text, _LONGEST) for one in ordered] or [truncate(" ".join(text.split()), _LONGEST) or "-"]


def question_keywords(question: str) -> list[str]:
    """Up to five nouns of a question, as written: proper nouns first, then numbers, then other nouns, no dates."""
    candidates = _candidates(noun_phrases(_without_dates(" ".join(question.split())[:_LONGEST_QUESTION])))
    telling = [one for one in candidates if one.text not in VAGUE_NOUNS] or candidates
    ordered = sorted(telling, key=lambda one: (min(_KIND_ORDER[one.kind], 2), one.start))
    return [truncate(one.text, _LONGEST) for one in ordered[:MOST]]


def without_the_vaguest(keywords: Sequence[str], telling: Sequence[float]) -> list[str]:
    """The keywords without the one that tells least, the later one of equals; one of which nothing is told tells 0."""
    parts = [*telling, *[0.0] * len(keywords)]
    vaguest = min(range(len(keywords)), key=lambda index: (parts[index], -index), default=0)
    return [keyword for index, keyword in enumerate(keywords) if index != vaguest]


def _without_dates(question: str) -> str:
    normalised = normalise(question)
    if len(normalised) != len(question):
        question = normalised
    for found in reversed(find_periods(normalised, Calendar(None))):
        question = f"{question[: found.start]} {question[found.end :]}"
    return question


def _candidates(phrases: Sequence[NounPhrase]) -> list[_Candidate]:
    keys = [_key(phrase.text) for phrase in phrases]
    counts = Counter(keys)
    firsts: dict[str, NounPhrase] = {}
    kinds: dict[str, Kind] = {}
    for key, phrase in zip(keys, phrases, strict=True):
        known = firsts.setdefault(key, phrase)
        if known is phrase or _KIND_ORDER[phrase.kind] <= _KIND_ORDER[kinds[key]]:
            kinds[key] = phrase.kind
    return [_Candidate(one.text, kinds[key], counts[key], one.start) for key, one in firsts.items() if key]


@lru_cache(maxsize=4096)
def _key(text: str) -> str:
    """A phrase as all its spellings are counted, or nothing for numbers alone; a file repeats most of its phrases."""
    key = normalise(text).replace(" ", "")
    return "" if _ONLY_NUMBERS.fullmatch(key) else key


def _without_lists(candidates: list[_Candidate], title_end: int) -> list[_Candidate]:
    """Without the codes of a list (M-001, M-002, M-003 ...) and without the parts of longer compounds."""
    prefixes = Counter(_prefix(one.text) for one in candidates if one.kind == "number")
    return [
        one
        for one in candidates
        if not (one.kind == "number" and prefixes[_prefix(one.text)] >= _LIST_LENGTH and one.start > title_end)
        and not _is_part(one, candidates)
    ]


def _prefix(number: str) -> str:
    return number.partition("-")[0]


def _is_part(one: _Candidate, candidates: Sequence[_Candidate]) -> bool:
    """Whether a longer candidate of its kind that is not much rarer holds it."""
    return any(
        one.text in whole.text and one.text != whole.text and whole.kind == one.kind and 2 * whole.count >= one.count
        for whole in candidates
    )


def _is_generic(text: str) -> bool:
    return text in OFFICE_NOUNS or text.lower() in OFFICE_WORDS


def _end_of_title(text: str) -> int:
    lines = text.lstrip()
    return len(text) - len(lines) + min((lines + "\n").index("\n"), 80)


def _weight(candidate: _Candidate, title_end: int) -> float:
    weight = _KIND_WEIGHT[candidate.kind] * (1 + log(candidate.count))
    if candidate.start < title_end:
        weight *= 2
    if candidate.kind == "noun":
        weight *= 0.4 + min(len(candidate.text), 8) / 8  # longer compounds are more telling
    return weight


def _chosen(ranked: Sequence[_Candidate]) -> list[_Candidate]:
    chosen: list[_Candidate] = []
    for candidate in ranked:
        same_kind = sum(one.kind == candidate.kind for one in chosen)
        if same_kind < _AT_MOST[candidate.kind] and not any(_contains(one.text, candidate.text) for one in chosen):
            chosen.append(candidate)
        if len(chosen) == MOST:
            break
    return chosen


def _contains(one: str, other: str) -> bool:
    return one in other or other in one
