"""Filters that have to do with the question: its nearest files are those that do not pass."""

from __future__ import annotations

import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.adapters.postgres.search import vector_search
from locator_search.model import IndexEntry, RetrievalQuery, SearchFilters
from tests.builders.index import file_ref, index_entry, unit_vector, vector_at

QUESTION = unit_vector("question")
FILES = 400
PASS = range(180, FILES)
"""More than half, but none of the nearest."""


@pytest.fixture
def index(database: Database) -> PostgresIndexStore:
    """The nearer to the question, the smaller the number."""
    index = PostgresIndexStore(database)
    index.replace_many([entry_at(number) for number in range(FILES)], "pipeline-1")
    return index


def entry_at(number: int) -> IndexEntry:
    return index_entry(
        file_ref(f"file-{number:03}", mime_type="text/plain" if number in PASS else "text/csv"),
        ["本文"],
        embedding=vector_at(0.0, QUESTION, f"own {number}"),
        chunk_embeddings=[vector_at(0.98 - number * 0.0024, QUESTION, number)],
    )


def test_a_filter_that_none_of_the_nearest_passes_leaves_the_nearest_of_the_others(
    index: PostgresIndexStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    filters = SearchFilters(mime_types=("text/plain",))
    asked = RetrievalQuery("", filters=filters, threshold=0.0, mode="vector", with_facets=False, limit=5)
    for codes, deepest in ((vector_search.CODES, 20), (40, 20), (40, vector_search.DEEPEST)):
        monkeypatch.setattr(vector_search, "CODES", codes)
        monkeypatch.setattr(vector_search, "DEEPEST", deepest)
        found = index.retrieve(asked, QUESTION)
        assert [one.file_id for one in found.evidence] == [f"file-{number}" for number in PASS[:5]], (codes, deepest)
        assert found.hit_count == len(PASS)
