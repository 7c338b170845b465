"""The stand-in for a model in a search: says a question more precisely, asks the one question to the person when too
many files match, and orders files by how many of the question's words they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from locator_search.adapters.offline.keywords import MOST, document_keywords, question_keywords
from locator_search.adapters.offline.texts import OfflineTexts
from locator_search.locales import Language
from locator_search.text.cutting import truncate
from locator_search.text.normalise import normalise
from locator_search.text.terms import PAIR, analyse

_ADDED = 2
_SUMMARIES = 10

_LONGEST_SUBJECT = 30

_FIELD_WEIGHTS = {"file_name": 3.0, "keywords": 2.0, "summary": 1.0, "folder_path": 1.0}
_PAIR_WEIGHT = 0.5


def rewritten(question: str, keywords: Sequence[str], summaries: Sequence[str]) -> tuple[str, list[str]]:
    """A query and up to five keywords: those known, those of the question, and what all the best hits share.

    A word that only some of them use is not added: it would choose among equals without a reason.
    """
    own = list(dict.fromkeys([*keywords, *question_keywords(question)]))[:MOST]
    known = normalise(" ".join([question, *own]))
    best = [normalise(summary) for summary in summaries[:_SUMMARIES]]
    candidates = document_keywords(summaries[0]) if len(best) > 1 else []
    shared = [word for word in candidates if all(normalise(word) in summary for summary in best)]
    added = [word for word in shared if normalise(word) not in known][:_ADDED]
    missing = [keyword for keyword in own if normalise(keyword) not in normalise(question)]
    query = " ".join([question.strip(), *missing, *added]).strip()
    return query or "-", [*own, *added][:MOST]


def narrowing_question(question: str, facet: str, language: Language, max_length: int) -> str:
    """One question about a facet (folder, period, type, keyword, owner), or about anything where there is none.

    The subject is the last thing the person asked for (「議事録」 of 「松本工場の議事録」), so that the question sounds
    like an answer to theirs.
    """
    texts = OfflineTexts.of(language)
    pattern = texts.narrowing.get(facet, texts.narrowing_open)
    return truncate(pattern.format(subject=_subject(question, texts)), max_length)


def _subject(question: str, texts: OfflineTexts) -> str:
    keywords = question_keywords(question)
    if not keywords:
        return texts.any_file
    last = max(keywords, key=question.rfind)
    fits_language = last.isascii() == (texts.language == "en")
    return last if fits_language and len(last) <= _LONGEST_SUBJECT else texts.any_file


def ranked_ids(question: str, files: Sequence[Mapping[str, object]]) -> list[str]:
    """The ids of the files, best first; equal ones keep their order. Every id once, none invented."""
    wanted = set(analyse(question).terms)
    order = sorted(range(len(files)), key=lambda index: (-_score(wanted, files[index]), index))
    return list(dict.fromkeys(str(files[index].get("id", "")) for index in order if files[index].get("id")))


def _score(wanted: set[str], file: Mapping[str, object]) -> float:
    score = 0.0
    for field, weight in _FIELD_WEIGHTS.items():
        terms = set(analyse(_text(file.get(field))).terms)
        shared = sum(_PAIR_WEIGHT if term.startswith(PAIR) else 1.0 for term in terms & wanted)
        score += weight * shared / sqrt(10 + len(terms))  # a long summary shares words by chance
    return score


def _text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return " ".join(str(part) for part in value)
    return "" if value is None else str(value)
