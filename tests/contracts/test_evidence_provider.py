"""Evidence out of the index alone."""

from __future__ import annotations

import asyncio

import pytest

from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.model import RetrievalMode, SearchFilters
from locator_search.retrieval.evidence import IndexEvidenceProvider
from tests.builders.index import file_ref, index_entry

TEXTS = {"budget": "2024年度の予算は百万円とする。", "minutes": "経営会議の議事録。", "rules": "出張旅費規程を定める。"}


@pytest.fixture
def index(database: Database) -> PostgresIndexStore:
    store, embedder = PostgresIndexStore(database), OfflineEmbedder()
    for file_id, text in TEXTS.items():
        vector = embedder.embed([text], "document")[0]
        file = file_ref(file_id, f"{file_id}.txt", folder_path=f"会社/{file_id}")
        entry = index_entry(
            file, [text], embedding=vector, chunk_embeddings=[vector], embedding_model=embedder.model_name
        )
        store.replace(entry, "pipeline-1")
    return store


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
def test_the_best_evidence_comes_first_in_every_mode(index: PostgresIndexStore, mode: RetrievalMode) -> None:
    provider = IndexEvidenceProvider(index, OfflineEmbedder(), mode)
    found = provider.search("予算はいくら", SearchFilters(), top_k=2)
    assert found[0].file_id == "budget"
    assert len(found) <= 2
    assert asyncio.run(provider.asearch("予算はいくら", SearchFilters(), top_k=2)) == found


def test_filters_limit_the_evidence(index: PostgresIndexStore) -> None:
    provider = IndexEvidenceProvider(index, OfflineEmbedder())
    found = provider.search("予算はいくら", SearchFilters(folders=("会社/minutes", "会社/rules")))
    assert {evidence.file_id for evidence in found} == {"minutes", "rules"}


def test_a_blank_query_finds_nothing(index: PostgresIndexStore) -> None:
    assert IndexEvidenceProvider(index, OfflineEmbedder()).search(" \u3000", SearchFilters()) == []
