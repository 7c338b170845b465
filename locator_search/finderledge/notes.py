"""Notes for a person about a ledger that was just opened."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.app.ledger import langsmith_records
from locator_search.config.settings import Settings
from locator_search.locales import Section


@dataclass(frozen=True)
class LedgerTexts(Section, section="finderledge"):
    """The notes."""

    offline: str
    database_ignored: str
    tracing: str


def notes_on(settings: Settings, model_name: str, arguments: Mapping[str, object]) -> tuple[str, ...]:
    """Sentences in the language of the settings: an offline stand-in nobody asked for, a database that is not used,
    texts that leave this machine."""
    texts = LedgerTexts.of(settings.locator_language)
    notes = []
    if model_name.startswith("offline-") and settings.embedding_provider is None:
        notes.append(texts.offline.format(model=model_name))
    if arguments.get("persist_directory") is not None and settings.database_url is None and _names_a_database():
        notes.append(texts.database_ignored.format(folder=settings.home))
    if langsmith_records():
        notes.append(texts.tracing)
    return tuple(notes)


def _names_a_database() -> bool:
    return bool(os.environ.get("DATABASE_URL") or os.environ.get("SUPABASE_URL"))
