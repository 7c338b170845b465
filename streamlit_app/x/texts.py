"""Texts of the X page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Common, Plural
from locator_search.ports.x.sessions import QueryStatus
from locator_search.x_search.rechecking import WhyEnded


@dataclass(frozen=True)
class XTexts(Common, section="pages.x"):
    """The search itself speaks through `locator_search.x_search.messages`."""

    title: str
    lead: str
    sample: str
    sample_hint: str
    placeholder: str
    budget: str
    budget_help: str
    run: str
    estimate: str
    free: str
    month: str
    sessions: str
    no_sessions: str
    session_line: str
    stopped: str
    stopped_hint: str
    resume: str
    delete: str
    refused: str
    progress: str
    so_far: Plural
    no_answer: str
    stand_in: str
    stand_in_hint: str
    filters: str
    authors: str
    authors_placeholder: str
    period: str
    shown: str
    posts: str
    replies: Plural
    reposts: Plural
    final_score: str
    score_parts: str
    file_name: str
    more: str
    details: str
    query_columns: tuple[str, ...]
    query_statuses: Mapping[QueryStatus, str]
    phase_columns: tuple[str, ...]
    x_time: str
    cost: str
    kept_until: str
    removed: Plural
    to_recheck: Plural
    recheck: str
    rechecked: str
    all_there: str
    why_ended: Mapping[WhyEnded, str]
