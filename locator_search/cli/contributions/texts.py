"""Texts of the `contributions` commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Common


@dataclass(frozen=True)
class ContributionTexts(Common, section="cli.contributions"):
    """Meetings, contributions and what became of them."""

    sample: str
    archive: str
    synced: str
    tdoc_list: str
    no_tdoc_list: str
    next_step: str
    no_converter: str
    nothing_due: str
    done: str
    endings: Mapping[str, str]
    states: Mapping[str, str]
    documents: str
    changes: str
    chunks: str
    details: str
    fields: Mapping[str, str]
    document_read: str
