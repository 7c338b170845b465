"""The texts of a ledger about itself."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.locales import Section


@dataclass(frozen=True)
class LedgerTexts(Section, section="finderledge"):
    """Sentences; braces are filled in where they are used."""

    offline: str
    database_ignored: str
    tracing: str
