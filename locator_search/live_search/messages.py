"""Sentences of a live search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.core.errors import ServiceFailureReason
from locator_search.locales import Common, Plural


@dataclass(frozen=True)
class Sentences(Common, section="live_search"):
    """Progress, what is missing and why, answers without a model, refusals."""

    # Progress
    connecting: str
    drafting: str
    searching: str
    found: Plural
    no_answer: str
    reading: str
    read: str
    not_read: str
    writing: str
    index: str

    # What is missing, and why
    reasons: Mapping[ServiceFailureReason, str]
    not_started: str
    search_failed: str
    fetch_failed: str
    rate_limited: str
    limited_bodies: str
    mock: str
    sign_in_to_google: str
    problem: str
    not_for_you: str
    indexed_alone: str
    index_failed: str
    index_beside_mocks: str
    mock_evidence: str
    answer_without_model: str
    links_removed: Plural
    citations_refused: str
    not_proved: str
    statement: str
    not_cited: str
    disagree: str

    # Answers the host gives itself
    nothing_found_alternatives: str
    nobody_asked: str
    not_for_any_service: str
    here_is_what_was_found: str
    nothing_to_follow: str
    without: str
    found_nothing_in: str

    # Refusals
    question_too_long: str
