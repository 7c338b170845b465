"""An answer out of what live services found, without a model: by words alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from locator_search.adapters.offline.texts import OfflineTexts
from locator_search.locales import Language
from locator_search.text.cutting import sentences, truncate
from locator_search.text.matching import find_marks

SHORTEST_SENTENCE, LONGEST_SENTENCE = 6, 160
"""Characters."""
MOST_LOOKED_AT = 40
"""Sentences of one piece of evidence."""


def live_answer(question: str, cards: Sequence[Mapping[str, Any]], language: Language) -> str:
    """The best sentence of each piece of evidence, as a list in Markdown: those that say something of the question, by
    their titles or themselves, the best first; else all as they come."""
    best = [(card, *_best_sentence(question, card)) for card in cards]
    telling = sorted((one for one in best if one[2]), key=lambda one: -one[2])
    lines = [f"- **{_bare(card.get('title'))}** {sentence} [{card['number']}]" for card, sentence, _ in telling or best]
    return "\n".join([OfflineTexts.of(language).places, "", *lines])


def _best_sentence(question: str, card: Mapping[str, Any]) -> tuple[str, float]:
    """The sentence that shares most words with the question and does not only repeat the title; how much both share.
    A word counts once, however often it stands there: the file asked for comes before those that only mention it."""
    title, text = str(card.get("title", "")), str(card.get("text", ""))
    telling = [one for one in sentences(text)[:MOST_LOOKED_AT] if one not in title and len(one) >= SHORTEST_SENTENCE]
    shared = {one: _shared(one, question) for one in telling or [text]}
    best = max(shared, key=lambda one: sum(shared[one].values()))
    return _bare(best), sum((_shared(title, question) | shared[best]).values())


def _shared(text: str, question: str) -> dict[str, float]:
    """The words of a question that a text holds, with their weights."""
    return {mark.needle: mark.weight for mark in find_marks(text, question)}


def _bare(text: object) -> str:
    """The text on one line, without characters of Markdown."""
    line = " ".join(str(text or "").split())
    return truncate("".join(" " if letter in "*_`[]" else letter for letter in line), LONGEST_SENTENCE).strip()
