"""Texts of the `search` and `evidence` commands around results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Common
from locator_search.model import GroupKind


@dataclass(frozen=True)
class Texts(Common, section="cli.search"):
    """The search itself speaks through `locator_search.drive_search.messages`."""

    summary: str
    link: str
    similarity: str
    cosine: str
    modified: str
    excerpt: str
    groups: Mapping[GroupKind, str]
    members: Mapping[GroupKind, str]
    overlap: str
    document_date: str
    why: str
    why_score: str
    why_arms: Mapping[str, str]
    why_words: str
    why_placed: Mapping[str, str]
    changed: str
    not_verified: str
    choose: str
    choose_by_key: str
    closest: str
    did_you_mean: str
    unread: str
    stand_ins: str
    choose_needs_terminal: str
    choose_hint: str
    which_to_open: str
    open_by_key: str
    no_such_result: str
    not_opened: str
    export_suffix: str
    new_hits_unknown: str
    no_such_search: str

    trace: str
    trace_round: str
    trace_query: str
    trace_keywords: str
    trace_variant: str

    bad_time: str
    bad_time_hint: str
    empty_period: str
