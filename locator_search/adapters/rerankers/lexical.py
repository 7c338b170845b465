"""Reranking by words: how much of the question a text holds. Needs no key and no network, and understands nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

from locator_search.text.terms import PAIR, analyse

_PAIR_WEIGHT = 0.5


class LexicalReranker:
    """A Reranker by the share of the question's terms in a text; terms few texts hold weigh more (idf)."""

    name = "lexical-1"

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One value in [0, 1] per text."""
        wanted = set(analyse(question).terms)
        held = [wanted.intersection(analyse(text).terms) for text in texts]
        frequency = Counter(term for terms in held for term in terms)
        weights = {
            term: (_PAIR_WEIGHT if term.startswith(PAIR) else 1.0) * log(1 + len(texts) / (1 + frequency[term]))
            for term in sorted(wanted)
        }
        everything = sum(weights.values()) or 1.0
        return [sum(weights[term] for term in sorted(terms)) / everything for terms in held]
