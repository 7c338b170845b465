"""Texts of the `x` commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Common, Plural
from locator_search.x_search.rechecking import WhyEnded


@dataclass(frozen=True)
class XTexts(Common, section="cli.x"):
    """The search itself speaks through `locator_search.x_search.messages`."""

    sample: str
    estimate: str
    session: str
    stopped: str
    resume_with: str
    cost: str
    query_line: str
    offline_answer: str
    posts: Plural
    more_posts: str
    near_copies: Plural
    scores: str
    seconds: str
    no_sessions: str
    session_line: str
    forgotten: Plural
    to_recheck: Plural
    nothing_to_recheck: str
    recheck_cost: str
    recheck_with: str
    rechecked: str
    why_ended: Mapping[WhyEnded, str]
    removed: Plural
