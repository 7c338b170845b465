"""Imports for the server that forks commands: everything that crawls and searches import when they need it."""

from importlib import import_module

for name in (
    "dagster_postgres",
    "locator_assets.commands.crawling",
    "locator_search.adapters.google_drive",
    "locator_search.adapters.offline.chat_model",
    "locator_search.adapters.offline.embedder",
    "locator_search.adapters.openai_models",
    "locator_search.adapters.postgres",
    "locator_search.cli.main",
    "locator_search.drive_search.searcher",
    "locator_search.retrieval.evidence",
):
    import_module(name)
