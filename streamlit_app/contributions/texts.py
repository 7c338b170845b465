"""Texts of the contributions page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Common
from locator_search.ports.contributions.analyses import AnalysisKind


@dataclass(frozen=True)
class ContributionTexts(Common, section="pages.contributions"):
    """An analysis itself speaks through `locator_search.contributions.analysis.messages`."""

    title: str
    lead: str
    no_meetings: str
    list_meetings: str
    list_again: str
    listing: str
    no_archive: str
    meeting: str
    contributions_placeholder: str
    filters: str
    agenda_item: str
    source: str
    status: str
    anything: str
    here: str
    stages: Mapping[str, str]
    fetching: str
    fetched: str
    not_fetched: str
    asked_for: str
    why: str
    between: str
    nobody_works: str
    meeting_view: str
    details: str
    readings: Mapping[str, str]
    specification: str
    release: str
    question: str
    question_placeholder: str
    saved_question: str
    keep_question: str
    question_name: str
    keep: str
    forget: str
    answer: str
    kind: str
    kinds: Mapping[AnalysisKind, str]
    older_first: str
    run: str
    choose_first: str
    running: str
    done: str
    findings: str
    no_claims: str
    no_changes: str
    estimated_hint: str
    inserted: str
    deleted: str
    nearest: str
    before: str
    after: str
    save_document: str
    provider: str
    stand_in: str
    stand_in_hint: str
    search_columns: tuple[str, ...]
    download_word: str
    download_markdown: str
    download_excel: str
    make_link: str
    link_hint: str
    shared_sheet: str
    shared_until: str
    link_refused: str
    analysis_refused: str
    earlier: str
    file_name: str
