"""Texts of the live search page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Common
from locator_search.model import Age


@dataclass(frozen=True)
class LiveTexts(Common, section="pages.live"):
    """The search itself speaks through `locator_search.live_search.messages`."""

    menu_title: str
    title: str
    lead: str
    notice: str
    notice_offline: str
    closed: str
    question_placeholder: str
    examples_title: str
    examples: tuple[str, ...]
    ask: str
    with_index: str
    with_index_hint: str
    follow_label: str
    follow_placeholder: str
    follow: str
    running: str
    done: str
    queries: str
    query_columns: tuple[str, ...]
    no_evidence: str
    kinds: Mapping[str, str]
    cited: str
    indexed: str
    ages: Mapping[Age, str]
    only_indexed: str
    alternatives: str
    alternatives_hint: str
    mocks: str
    stand_in: str
    stand_in_hint: str
