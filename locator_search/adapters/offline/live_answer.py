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
    """The best sentence of each piece of evidence, as a list in Markdown."""
    lines = [f"- **{_bare(card.get('title'))}** {_best_sentence(question, card)} [{card['number']}]" for card in cards]
    return "\n".join([OfflineTexts.of(language).places, "", *lines])


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
