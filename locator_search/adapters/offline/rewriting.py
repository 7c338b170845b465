"""Says a question more precisely, with words that the best hits have in common with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from locator_search.adapters.offline.keywords import MOST, document_keywords, question_keywords
from locator_search.text.normalise import normalise

_ADDED = 2
_SUMMARIES = 10


def rewritten(question: str, keywords: Sequence[str], summaries: Sequence[str]) -> tuple[str, list[str]]:
    """A query and up to five keywords: those known, those of the question, and the commonest of the summaries.

    A word of the summaries is added only when at least two of the best hits use it and the question does not.
    """
    own = list(dict.fromkeys([*keywords, *question_keywords(question)]))[:MOST]
    known = normalise(" ".join([question, *own]))
    counts = Counter(keyword for summary in summaries[:_SUMMARIES] for keyword in set(document_keywords(summary)))
    common = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    added = [word for word, count in common if count > 1 and normalise(word) not in known][:_ADDED]
    missing = [keyword for keyword in own if normalise(keyword) not in normalise(question)]
    query = " ".join([question.strip(), *missing, *added]).strip()
    return query or "-", [*own, *added][:MOST]
