"""Sentences about servers.yaml and about servers that a person adds."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.locales.sections import Section


@dataclass(frozen=True)
class ServersTexts(Section, section="live_servers"):
    """A refusal, and under `..._hint` or beside it what to do."""

    like_that_of_the_program: str
    none_enabled: str
    none_enabled_hint: str

    unset: str
    unset_hint: str
    try_by_itself: str
    not_added: str
    added: str
    no_address: str
    no_name: str
    no_name_hint: str
    which_server: str
    secret: str
    secret_hint: str

    no_tool: str
    tools: str
    no_search: str
    no_search_hint: str
    arguments_needed: str
