"""The one question to the person when too many files match, in Japanese or English."""

from __future__ import annotations

from locator_search.adapters.offline.keywords import question_keywords
from locator_search.locales import Language
from locator_search.text.cutting import truncate

_LONGEST_SUBJECT = 30

_QUESTIONS: dict[Language, dict[str, str]] = {
    "ja": {
        "folder": "どのフォルダにある{subject}をお探しですか?",
        "period": "いつ頃の{subject}をお探しですか?",
        "type": "どの種類のファイルをお探しですか?",
        "keyword": "{subject}は、次のどれに関するものですか?",
        "owner": "どなたが持っている{subject}ですか?",
        "": "{subject}について、内容や宛先、時期など、ほかに覚えていることを教えてください。",
    },
    "en": {
        "folder": "Which folder holds the {subject} you are looking for?",
        "period": "From about when is the {subject} you are looking for?",
        "type": "What kind of file are you looking for?",
        "keyword": "Which of these is the {subject} about?",
        "owner": "Who owns the {subject} you are looking for?",
        "": "What else do you remember about the {subject}: what it says, whom it is for, when it was written?",
    },
}
_ANY_FILE: dict[Language, str] = {"ja": "ファイル", "en": "file"}


def narrowing_question(question: str, facet: str, language: Language, max_length: int) -> str:
    """One question about a facet (folder, period, type, keyword, owner), or about anything where there is none.

    The subject is the last thing the person asked for (「議事録」 of 「松本工場の議事録」), so that the question sounds
    like an answer to theirs.
    """
    texts = _QUESTIONS[language]
    pattern = texts.get(facet, texts[""])
    return truncate(pattern.format(subject=_subject(question, language)), max_length)


def _subject(question: str, language: Language) -> str:
    keywords = question_keywords(question)
    if not keywords:
        return _ANY_FILE[language]
    last = max(keywords, key=question.rfind)
    fits_language = last.isascii() == (language == "en")
    return last if fits_language and len(last) <= _LONGEST_SUBJECT else _ANY_FILE[language]
