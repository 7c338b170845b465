"""Queries for live services, and an answer out of what they found, without a model: by words alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from locator_search.adapters.offline.keywords import question_keywords
from locator_search.adapters.offline.texts import OfflineTexts
from locator_search.locales import Language
from locator_search.text.cutting import sentences, truncate
from locator_search.text.matching import find_marks
from locator_search.text.normalise import normalise
from locator_search.text.variants.finding import find_variants
from locator_search.text.words import words

MOST_JOINED = 6
"""Words and their other forms joined with OR."""
MOST_REQUIRED = 2
"""Words asked for where all of them must occur."""
SHORTEST_SENTENCE, LONGEST_SENTENCE = 6, 160
"""Characters."""
MOST_LOOKED_AT = 40
"""Sentences of one piece of evidence."""


def live_queries(question: str, searches: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, object]]:
    """A query with alternatives for each search, by its name."""
    services = {normalise(word) for one in searches for word in str(one.get("service", "")).split()}
    nouns = question_keywords(question)
    keywords = [noun for noun in nouns if normalise(noun) not in services] or nouns or [question]
    return {str(one["name"]): _query(keywords, understands_or=bool(one.get("understands_or"))) for one in searches}


def live_answer(question: str, cards: Sequence[Mapping[str, Any]], language: Language) -> str:
    """The best sentence of each piece of evidence, as a list in Markdown."""
    lines = [f"- **{_bare(card.get('title'))}** {_best_sentence(question, card)} [{card['number']}]" for card in cards]
    return "\n".join([OfflineTexts.of(language).places, "", *lines])


def _query(keywords: Sequence[str], *, understands_or: bool) -> dict[str, object]:
    parts = list(dict.fromkeys(part for keyword in keywords for part in _parts(keyword)))
    if understands_or:
        forms = list(dict.fromkeys(form for keyword in keywords for form in (keyword, *_other_forms(keyword))))
        return {"query": _joined(forms), "alternatives": [_joined(parts)]}
    return {"query": " ".join(keywords[:MOST_REQUIRED]), "alternatives": [keywords[0], parts[0]]}


def _joined(forms: Sequence[str]) -> str:
    return " OR ".join(f'"{form}"' if " " in form else form for form in forms[:MOST_JOINED])


def _other_forms(keyword: str) -> list[str]:
    """Other spellings and synonyms; Latin letters for Japanese would find names of other things."""
    return [
        other
        for variant in find_variants(keyword)
        if variant.rule not in ("romaji", "office")
        for other in variant.others
    ]


def _parts(keyword: str) -> list[str]:
    """The nouns of a compound: 設計ドキュメント is 設計 and ドキュメント."""
    nouns = [word.surface for word in words(normalise(keyword)) if word.part_of_speech[0] == "名詞"]
    return [noun for noun in nouns if len(noun) > 1] or [keyword]


def _best_sentence(question: str, card: Mapping[str, Any]) -> str:
    """The sentence that shares most words with the question and does not only repeat the title."""
    title, text = str(card.get("title", "")), str(card.get("text", ""))
    telling = [one for one in sentences(text)[:MOST_LOOKED_AT] if one not in title and len(one) >= SHORTEST_SENTENCE]
    telling = telling or [text]
    weights = {one: sum(mark.weight for mark in find_marks(one, question)) for one in telling}
    return _bare(max(weights, key=lambda one: weights[one]))


def _bare(text: object) -> str:
    """The text on one line, without characters of Markdown."""
    line = " ".join(str(text or "").split())
    return truncate("".join(" " if letter in "*_`[]" else letter for letter in line), LONGEST_SENTENCE).strip()
