"""The one question to the person when too many files match."""

from __future__ import annotations

from locator_search.adapters.offline.keywords import question_keywords
from locator_search.adapters.offline.texts import OfflineTexts
from locator_search.locales import Language
from locator_search.text.cutting import truncate

_LONGEST_SUBJECT = 30


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
