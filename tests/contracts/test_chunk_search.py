"""Chunks by one arm alone, for programs that fuse and filter by themselves."""

from __future__ import annotations

import numpy as np
import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.core.errors import DimensionMismatch, StoreError
from locator_search.model import JsonValue
from locator_search.ports import ChunkSearch
from tests.builders.index import DIMENSIONS, file_ref, index_entry, unit_vector, vector_at
from tests.contracts.test_retrieval import bm25

QUESTION = unit_vector("question")


@pytest.fixture
def index(database: Database) -> PostgresIndexStore:
    return PostgresIndexStore(database)


def test_the_nearest_chunks_come_first_with_their_cosines(index: PostgresIndexStore) -> None:
    cosines = [0.3, 0.9, 0.6, 0.1]
    vectors = [vector_at(cosine, QUESTION, number) for number, cosine in enumerate(cosines)]
    index.replace(index_entry(texts=["一", "二", "三", "四"], chunk_embeddings=vectors), "pipeline-1")
    search: ChunkSearch = index
    found = search.nearest_chunks(QUESTION, 3)
    assert [(hit.chunk_id, hit.file_id, hit.ordinal, hit.text) for hit in found] == [
        ("file-1#1", "file-1", 1, "二"),
        ("file-1#2", "file-1", 2, "三"),
        ("file-1#0", "file-1", 0, "一"),
    ]
    assert [hit.score for hit in found] == pytest.approx([0.9, 0.6, 0.3], abs=1e-4)


def test_matching_chunks_come_in_the_order_of_their_bm25_scores(index: PostgresIndexStore) -> None:
    texts = ["予算の話", "予算と予算と予算", "会議の記録", "予算会議の議事録、長い長い議事録"]
    entries = [index_entry(file_ref(f"file-{n}"), [text]) for n, text in enumerate(texts)]
    index.replace_many(entries, "pipeline-1")
    found = index.matching_chunks("予算の会議", 10)
    scores = bm25(entries, "予算の会議")
    assert {hit.file_id: hit.score for hit in found} == pytest.approx(scores, rel=1e-4)
    assert [hit.file_id for hit in found] == sorted(scores, key=lambda file_id: -scores[file_id])
    assert index.matching_chunks("予算の会議", 2) == found[:2]


def test_a_matching_chunk_says_which_terms_it_holds(index: PostgresIndexStore) -> None:
    index.replace(index_entry(texts=["A-100 の契約書"]), "pipeline-1")
    (hit,) = index.matching_chunks("A-100 の検収", 10)
    assert "a-100" in hit.matched_terms
    assert "検収" not in hit.matched_terms
    assert len(set(hit.matched_terms)) == len(hit.matched_terms)


def test_only_files_with_the_metadata_asked_for_are_searched(index: PostgresIndexStore) -> None:
    kept: dict[str, JsonValue] = {"team": "営業", "tags": ["a", "b"], "place": {"floor": 3, "room": "x"}, "year": 2024}
    index.replace(index_entry(file_ref("marked"), ["予算"], metadata=kept), "pipeline-1")
    index.replace(index_entry(file_ref("plain"), ["予算"]), "pipeline-1")
    asked: list[dict[str, JsonValue]] = [{}, {"team": "営業"}, {"tags": ["b"]}, {"place": {"floor": 3}}, kept]
    for metadata in asked:
        nearest = {hit.file_id for hit in index.nearest_chunks(QUESTION, 10, metadata)}
        matching = {hit.file_id for hit in index.matching_chunks("予算", 10, metadata)}
        assert nearest == matching == ({"marked"} if metadata else {"marked", "plain"})
    assert index.nearest_chunks(QUESTION, 10, {"team": "総務"}) == []
    assert index.matching_chunks("予算", 1, kept)[0].metadata == kept


def test_metadata_that_json_or_postgresql_refuse_is_cleaned_or_refused(index: PostgresIndexStore) -> None:
    index.replace(index_entry(metadata={"na\0me": ["va\0lue", {"deep\0": "\ud800"}]}), "pipeline-1")
    (hit,) = index.nearest_chunks(QUESTION, 1, {"na\0me": ["va\0lue"]})
    assert hit.metadata == {"name": ["value", {"deep": "?"}]}
    with pytest.raises(StoreError, match="finite"):
        index.replace(index_entry(metadata={"score": float("nan")}), "pipeline-1")


def test_a_question_of_another_model_or_without_direction_finds_nothing_wrong(index: PostgresIndexStore) -> None:
    assert index.nearest_chunks(unit_vector("short", 8), 5) == []
    assert index.matching_chunks("予算", 5) == []
    index.replace(index_entry(), "pipeline-1")
    with pytest.raises(DimensionMismatch):
        index.nearest_chunks(unit_vector("short", 8), 5)
    assert index.nearest_chunks(np.zeros(DIMENSIONS, dtype=np.float32), 5) == []
    assert index.matching_chunks("", 5) == []
    assert index.matching_chunks("'; DROP TABLE file_chunk; --", 5) == []
