"""Texts that several surfaces show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales.sections import Section


@dataclass(frozen=True)
class Common(Section, section="common"):
    """Each is here because more than one surface or flow says it in the same words."""

    nothing_found: str
    question_empty: str
    question_label: str
    answer_heading: str
    search_queries: str
    language_model: str
    by_model: str
    model_usage: str
    warnings: str
    failed: str
    none: str
    comma: str
    evidence: str
    evidence_links: str
    clause: str
    no_clause: str
    page: str
    estimated_page: str
    pages: Mapping[str, str]
    evidence_read: Mapping[str, str]
    not_supported: str
    marked_not_supported: str
    unverified_numbers: str
    refused_citations: str
    contributions: str
    changed_places: str
    searches: str
    model_extra: str
    space: str
    rule_names: Mapping[str, str]
    likes: str
    time_left: str
    session_statuses: Mapping[str, str]
