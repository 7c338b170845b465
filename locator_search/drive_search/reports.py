"""The message at the end of a search, and of unread files, put together from the sentences of `messages`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from locator_search.config.synonyms import DictionaryFile
from locator_search.drive_search import policy
from locator_search.drive_search.effects import Retrieve
from locator_search.drive_search.flow import Effect
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.policy import Trail
from locator_search.locales.reasons import reason_text
from locator_search.model import Evidence, Retrieval, SearchFilters, SearchOutcome, UnreadFile, UnreadMatches

MOST_LINES = 5
"""Bad lines of a dictionary that are named."""


def told_step(effect: Effect[Any], say: Sentences) -> str:
    """The step that is done now; of a search in the index, the query as it is by then, and its keywords."""
    if isinstance(effect, Retrieve):
        query = effect.query
        words = " ".join([query.query, *(word for word in query.keywords if word not in query.query)]).strip()
        if words:
            return say.retrieving.format(query=words)
    return say.progress[type(effect).__name__]


def found_message(
    say: Sentences,
    found: Retrieval,
    chosen: Sequence[Evidence],
    shown: Sequence[Evidence],
    trail: Trail,
    *,
    in_order: bool,
) -> str:
    """How many documents are shown of how many, whether a model put them `in_order`, and whether they are unlike."""
    count = len(shown)
    if len(chosen) < found.hit_count:
        message = say.found_best_of.format(hits=found.hit_count, count=count)
    elif in_order and count > 1:
        message = say.found_in_order.format(count=count)
    else:
        message = say.found.format(count)
    top = max(policy.similarity_of_group(item) for item in shown)
    has_subject = trail.rounds[-1].threshold > policy.ANY_SIMILARITY
    low = say.low_similarity.format(similarity=top) if has_subject and top < policy.CLEAR else ""
    return say.together(message, low)


def remarks_on(dictionary: DictionaryFile, say: Sentences) -> tuple[str, ...]:
    """Remarks on faults in the owner's dictionary; the search goes on with the rest of it."""
    if not dictionary.readable:
        return (say.dictionary_unreadable.format(file=dictionary.path.name),)
    bad = dictionary.dictionary.bad_lines
    if not bad:
        return ()
    lines = say.comma.join(map(str, bad[:MOST_LINES])) + ("…" if len(bad) > MOST_LINES else "")
    return (say.dictionary_bad_lines.format(file=dictionary.path.name, lines=lines),)


def respelled_question(question: str, found: Retrieval) -> tuple[str, ...]:
    """The question with words of the index in the place of those that may be slips of them."""
    other = question
    for written, near in found.respelled:
        other = other.replace(written, near)
    return (other,) if other != question else ()


def not_found_message(say: Sentences, trail: Trail, set_by_person: SearchFilters, closest: int | None = None) -> str:
    """That nothing was found, how many of the `closest` files are named instead or, where there are none, how to ask,
    what was tried, and whether conditions the person set may be the reason."""
    tried = say.together(*(done.note for done in trail.rounds))
    return say.together(
        say.nothing_found,
        say.not_found_closest.format(count=closest) if closest else "" if closest is None else say.how_to_ask,
        say.not_found_tried.format(tried=tried) if tried else "",
        say.not_found_conditions if set_by_person != SearchFilters() else "",
    )


def as_checked(file: UnreadFile, checked: Evidence, say: Sentences, zone: tzinfo) -> UnreadFile:
    """The file as its source shows it now, with the sentence for the person."""
    return replace(
        file,
        file=replace(file.file, link=checked.link),
        verified=checked.verified,
        sentence=say.together(_why(file, say), *_what_next(file, say, zone)),
    )


def with_unread(outcome: SearchOutcome, matches: UnreadMatches, say: Sentences) -> SearchOutcome:
    """The outcome of a search with the files it could not look into.

    The message begins with the one that the question names; where nothing was found, the best takes the place of that.
    """
    told = replace(outcome, unread=matches.files, coverage=matches.coverage)
    for best in matches.files[:1]:
        about = {"name": best.file.file_name, "why": _why(best, say)}
        if outcome.outcome == "not_found":
            return replace(told, message=(say.unread_named if best.named else say.unread_instead).format(**about))
        if best.named:
            besides = say.unread_besides.format(message=outcome.message)
            return replace(told, message=say.together(say.unread_named.format(**about), besides))
    return told


def _why(file: UnreadFile, say: Sentences) -> str:
    if not file.reason:
        return say.unread_waiting
    return say.unread_why.format(reason=reason_text(file.reason, say.language).words)


def _what_next(file: UnreadFile, say: Sentences, zone: tzinfo) -> tuple[str, ...]:
    """The remedy a person has, and when it is tried again without that."""
    remedy = say.unread_remedies.get(file.reason.partition(": ")[0], "")
    if file.is_due:
        return (say.unread_due,)
    if file.next_try_at is not None:
        return (remedy, say.unread_next_try.format(when=file.next_try_at.astimezone(zone)))
    return (remedy or say.unread_else,)
