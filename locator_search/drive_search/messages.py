"""Sentences of the Drive search.

「見つかりませんでした」 and 「10 件以下に絞り込めませんでした」 are a contract: other programs look for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Common, Plural
from locator_search.model import FacetName


@dataclass(frozen=True)
class Sentences(Common, section="drive_search"):
    """How it ended, what was changed on the way, questions, progress and refusals."""

    # How it ended
    found: Plural
    found_in_order: str
    found_best_of: Plural
    low_similarity: str
    absent: str
    how_to_ask: str
    not_found_closest: Plural
    not_found_tried: str
    not_found_conditions: str
    all_of_them: str
    too_many: str
    needs_answer: str

    # What was understood and changed
    period: str
    period_not_stated: str
    types: str
    conditions_only: str
    relaxed: str
    keywords_dropped: str
    conditions_dropped: str
    rewritten: str
    raised: str
    lowered: str
    chosen: str
    answer_added: str
    skipped: str
    answer_left_nothing: str
    model_silent: str
    gone: Plural
    folded: Plural
    unverified: Plural
    unread_why: str
    unread_waiting: str
    unread_remedies: Mapping[str, str]
    unread_next_try: str
    unread_due: str
    unread_else: str
    unread_named: str
    unread_instead: str
    unread_besides: str
    dictionary_unreadable: str
    dictionary_bad_lines: str

    # Narrowing questions without a model
    questions: Mapping[FacetName, str]
    open_question: str
    others: str
    show_all: str

    # What is being done now
    progress: Mapping[str, str]
    retrieving: str

    # Results to take away
    sheet_title: str
    sheet_made: str
    sheet_outcome: str
    sheet_results: str
    sheet_closest: str
    sheet_columns: tuple[str, ...]

    # Files like one file
    similar_to: Plural
    similar_to_nothing: str
    similar_to_none: str
    similar_to_none_hint: str
    similar_to_several: str

    # Saved searches
    too_many_saved: str

    # Refusals
    question_empty_hint: str
    question_too_long: str
    question_too_long_hint: str
    threshold_out_of_range: str
    number_too_small: str
    nothing_asked: str
