"""The arguments of a ledger as settings: arguments over environment (and `.env`) over defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from locator_search.config.settings import Settings, load_settings
from locator_search.core.errors import ConfigurationError

SETTING_OF = {
    "vector_store_provider": "finderledge_vector_store_provider",
    "embedding_provider": "embedding_provider",
    "embedding_model_name": "openai_embedding_model",
    "persist_directory": "finderledge_persist_directory",
    "chunk_size": "finderledge_chunk_size",
    "chunk_overlap": "finderledge_chunk_overlap",
    "collection": "finderledge_collection",
}
KEYWORD_STORES = ("bm25",)
OTHER_DATABASES = ("database_url", "supabase_url", "supabase_db_password")
LONGEST_COLLECTION = 56
"""Bytes. PostgreSQL takes 63 for the name of a schema, which begins with `ledger_`."""
_COLLECTION = re.compile(r"[\w-]{1,40}")


def ledger_settings(arguments: Mapping[str, object], others: Mapping[str, object]) -> Settings:
    """Settings of one ledger. `others` are settings of the product by their names in lower case.

    A `persist_directory` that is given as an argument is where everything is kept, whatever database the environment
    names. Raises ConfigurationError.
    """
    keyword_store = arguments.get("keyword_store_provider")
    if keyword_store not in (None, *KEYWORD_STORES):
        raise ConfigurationError(f"keyword_store_provider must be bm25, not {keyword_store!r}.")
    for name in others:
        if name not in Settings.model_fields:
            raise _unknown(name)
    given = {setting: arguments[name] for name, setting in SETTING_OF.items() if arguments.get(name) is not None}
    settings = load_settings(**given, **others)
    name = settings.finderledge_collection
    if not _COLLECTION.fullmatch(name) or len(name.encode()) > LONGEST_COLLECTION:
        raise ConfigurationError(
            f"{name[:60]!r} cannot be the name of a collection.",
            hint="Letters, digits, _ and -: at most 40 of them, or 18 kanji or kana.",
        )
    folder = settings.finderledge_persist_directory
    if folder is None:
        return settings
    if "finderledge_persist_directory" in given and not set(OTHER_DATABASES) & set(others):
        return settings.model_copy(update={"locator_home": folder, **dict.fromkeys(OTHER_DATABASES)})
    return settings.model_copy(update={"locator_home": folder})


def schema_of(settings: Settings) -> str:
    """The PostgreSQL schema of the collection."""
    return f"ledger_{settings.finderledge_collection}"


def folder_of(settings: Settings) -> Path:
    """Where a vector store outside PostgreSQL keeps the collection."""
    return settings.home / "finderledge" / settings.finderledge_collection


def _unknown(name: str) -> ConfigurationError:
    known = [*SETTING_OF, "keyword_store_provider", "embeddings", *Settings.model_fields]
    near = get_close_matches(name, known, n=1)
    hint = f"Did you mean {near[0]}?" if near else "Settings are named as in .env.example, in lower case."
    return ConfigurationError(f"FinderLedge takes no argument {name!r}.", hint=hint)
