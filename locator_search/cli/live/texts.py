"""Texts of the `live` command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Common, Plural
from locator_search.model import Age


@dataclass(frozen=True)
class LiveTexts(Common, section="cli.live"):
    """The search itself speaks through `locator_search.live_search.messages`."""

    notice: str
    notice_offline: str
    debug_log: str
    sign_in: str
    signed_in: str
    signed_in_not: str

    welcome: str
    prompt: str
    help: str
    how_to_leave: str
    interrupted: str
    goodbye: str
    no_such_alternative: str
    needs_a_question: str
    nothing_to_follow_yet: str

    url_or_command: str
    agree_in_browser: str
    service_added: str
    service_removed: str
    service_tools: Plural
    service_search: str
    service_bodies: str
    service_sample: str
    service_found_nothing: str

    found: Plural
    no_evidence: str
    indexed: str
    only_indexed: str
    ages: Mapping[Age, str]
    alternatives: str
    how_to_choose: str
    mocks: str
    stand_in: str
