"""Sentences of an X search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from locator_search.locales import Common, Language, Plural
from locator_search.ports.x.posts import PostSource
from locator_search.ports.x.sessions import Phase
from locator_search.x_search.budget import Estimate
from locator_search.x_search.queries import FEWEST_QUERIES

FailureKind = Literal[
    "unreadable",
    "silent",
    "not_allowed",
    "no_credits",
    "rate_limit",
    "query_refused",
    "place_forgotten",
    "refused",
    "dimensions",
    "database",
    "other",
]


@dataclass(frozen=True)
class Sentences(Common, section="x_search"):
    """Phases, refusals, warnings, and how it ended."""

    phases: Mapping[Phase, str]
    phase_names: Mapping[Phase, str]
    blank_question: str
    long_question: str
    long_model_name: str
    unknown_model: str
    budget_below_zero: str
    other_source: Mapping[str, str]
    paused_until: str
    interrupted: str
    small_budget: str
    budget_used: Plural
    requests_used: Plural
    budget_of_query: str
    requests_of_query: str
    credits_used: str
    query_failed: str
    withheld: Plural
    unreadable: Plural
    reranker_failed: str
    model_silent: str
    model_failed: str
    stopped: str
    failures: Mapping[FailureKind, str]
    uncited: Plural
    no_post_found: str
    nothing_bought: str

    # The sheet
    sheet_title: str
    sheet_source: str
    sheet_sources: Mapping[PostSource, str]
    sheet_stand_in: str
    sheet_made: str
    sheet_not_shown: str
    sheet_counts: str
    sheet_posts: str
    sheet_columns: tuple[str, ...]


def small_budget(estimate: Estimate, language: Language) -> str:
    """How few queries a budget buys, and what all of them take."""
    needed = f"{estimate.every_query:.2f}"
    return Sentences.of(language).small_budget.format(queries=estimate.queries, all=FEWEST_QUERIES, needed=needed)
