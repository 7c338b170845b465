"""The next attempt of a search, after too many hits or none, with the sentence that says what was changed. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import regex

from locator_search.drive_search import policy
from locator_search.drive_search.effects import RewrittenQuery
from locator_search.drive_search.facets import in_period, matching_choice, narrowed_by
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.policy import Attempt, Trail
from locator_search.drive_search.questions import Reading
from locator_search.model import Choice, SearchFilters


def loosened(attempt: Attempt, keywords: tuple[str, ...], say: Sentences) -> Attempt:
    """At the relaxed threshold, with these keywords alone: the others leave the query, too."""
    dropped = [word for word in attempt.keywords if word not in keywords]
    left_out = say.keywords_dropped.format(words=say.comma.join(dropped)) if dropped else ""
    note = say.together(say.relaxed, left_out)
    return Attempt(without(attempt.query, dropped, keywords), keywords, policy.RELAXED, attempt.filters, note)


def without(query: str, dropped: Sequence[str], kept: Sequence[str]) -> str:
    """The query without some of its keywords; one that stands inside a kept one stays there."""
    either = "|".join(regex.escape(word) for word in sorted((*kept, *dropped), key=len, reverse=True))
    keep = {word.casefold() for word in kept}
    left = regex.sub(either, lambda one: one[0] if one[0].casefold() in keep else " ", query, flags=regex.IGNORECASE)
    return " ".join(left.split()) or query


def stepped_back(attempt: Attempt, trail: Trail, say: Sentences) -> Attempt | None:
    """Half way back to the threshold that had too many. None when there is no room left."""
    threshold = trail.lowered()
    if threshold is None:
        return None
    return replace(attempt, threshold=threshold, note=say.lowered)


def rewritten(attempt: Attempt, better: RewrittenQuery, trail: Trail, say: Sentences) -> Attempt | None:
    """The better query, one rung of the ladder higher. None when there is no room left."""
    threshold = trail.raised(policy.next_rung(attempt.threshold))
    if threshold is None:
        return None
    changed = say.rewritten.format(query=better.query) if better.query != attempt.query else ""
    note = say.together(changed, _raised(attempt, threshold, say))
    return Attempt(better.query, better.keywords, threshold, attempt.filters, note)


def wants_all(answer: str, choices: Sequence[Choice]) -> bool:
    """Whether an answer names the choice that shows all hits."""
    choice = matching_choice(answer, choices)
    return choice is not None and choice.facet is None


def answered(
    attempt: Attempt,
    answer: str,
    choices: Sequence[Choice],
    read: Callable[[str], Reading],
    trail: Trail,
    say: Sentences,
) -> Attempt | None:
    """A button adds its filter and leaves all else alone, so the count it promised is the count that comes. Words join
    the question, at the raised threshold; a period or a file type in them (`read`) becomes a filter, and alone it
    works like a button. None when there is no room left.
    """
    choice = matching_choice(answer, choices)
    if choice is not None:
        return replace(
            attempt, filters=narrowed_by(attempt.filters, choice), note=say.chosen.format(label=choice.label)
        )
    reading = read(answer)
    filters = _limited_further(attempt.filters, reading.filters)
    if reading.conditions and not reading.text:
        return replace(attempt, filters=filters, note=say.together(*reading.notes))
    threshold = trail.raised(max(policy.NARROWED, attempt.threshold))
    if threshold is None:
        return None
    return Attempt(
        query=f"{attempt.query} {reading.text or answer}",
        keywords=attempt.keywords,
        threshold=threshold,
        filters=filters,
        note=say.together(say.answer_added.format(answer=answer), *reading.notes, _raised(attempt, threshold, say)),
    )


def _limited_further(filters: SearchFilters, answered: SearchFilters) -> SearchFilters:
    limited = in_period(filters, answered.period) if answered.period else filters
    return replace(limited, mime_types=answered.mime_types or filters.mime_types)


def _raised(attempt: Attempt, threshold: float, say: Sentences) -> str:
    return say.raised if threshold > attempt.threshold else ""
