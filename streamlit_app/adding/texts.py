"""Texts of the page that adds documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.config.folders import FolderFault
from locator_search.locales import Plural, Section


@dataclass(frozen=True)
class AddingTexts(Section, section="pages.adding"):
    """The sentences of this page alone."""

    title: str
    lead: str
    ways: tuple[str, ...]
    # A folder of this machine
    crawled: str
    remove: str
    removed: Plural
    path: str
    path_placeholder: str
    faults: Mapping[FolderFault, str]
    start: str
    started: str
    again: str
    failed: str
    crawling: str
    ended: Plural
    look: str
    # Who may
    switched_off: str
    administrators: str
    by_setting: str
    drive_instead: str
    no_rules: str
    # The preview
    counting: Plural
    counted: Plural
    at_least: Plural
    nothing: str
    free: str
    cost: str
    cost_unknown: str
    ceiling: str
    kinds: tuple[str, ...]
    other_kinds: str
    skipped: tuple[str, ...]
    left_out: str
    names: str
    # Google Drive
    steps: tuple[str, ...]
    checks: tuple[str, ...]
    is_set: str
    is_not_set: str
    link: str
    link_placeholder: str
    no_credentials: str
    connect: str
    connected: str
