"""Says a question more precisely, with words that the best hits have in common with it."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.adapters.offline.keywords import MOST, document_keywords, question_keywords
from locator_search.text.normalise import normalise

_ADDED = 2
_SUMMARIES = 10


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
