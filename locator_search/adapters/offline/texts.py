"""Sentences of the stand-in for a language model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Section


@dataclass(frozen=True)
class OfflineTexts(Section, section="offline"):
    """Questions, answers and claims; what is quoted in them stays in its own language."""

    narrowing: Mapping[str, str]
    """By the name of a facet."""
    narrowing_open: str
    any_file: str
    places: str
    post_says: str
    position_for: str
    position_against: str
    inserted: str
    deleted: str
    replaced: str
    more_edits: str
    changes_joined: str
    changed_clause: str
    changed: str
    affected: str
    both_change: str
    contributions_joined: str
