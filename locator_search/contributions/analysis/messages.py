"""Sentences of an analysis and of its review sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Common, Plural
from locator_search.ports.contributions.analyses import AnalysisKind, Aspect


@dataclass(frozen=True)
class Sentences(Common, section="analysis"):
    """An analysis in words."""

    progress: Mapping[str, str]
    """By the purpose of a search, or what a model is asked for."""
    aspects: Mapping[Aspect, str]
    kinds: Mapping[AnalysisKind, str]
    cover: Mapping[str, str]
    """By the field of a cover page."""
    flaws: Mapping[str, str]
    """By the state of a text."""
    absences: Mapping[str, str]
    """By the state of a contribution, `unknown` for one that is not listed."""

    # Notes
    no_evidence_found: str
    unanswered: str
    not_announced: str
    not_changed: str
    model_silent: str
    unsupported: Plural
    refused: Plural
    many_found: str
    untyped_changes: str
    changes_unread: str
    no_changes: str

    # Refusals
    no_contribution: str
    one_contribution: str
    two_contributions: str
    several_contributions: str
    too_many_contributions: str

    # The review sheet
    sheet_title: str
    fact_kind: str
    fact_provider: str
    fact_made: str
    stand_in: str
    cover_title: str
    comparison_title: str
    clause_column: str
    meeting_columns: tuple[str, ...]
    changes_of: str
    notes_title: str
    left_out_title: str
    inserted: str
    deleted: str
    before: str
    after: str
    asked: str
