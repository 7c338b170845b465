"""Chunks by words and by vectors, as a ledger asks for them; and fused, as questions about few documents ask."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from locator_search.adapters.ledger_stores.catalogue import PostgresLedgerCatalogue
from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.core.errors import DimensionMismatch, StoreError
from locator_search.model import JsonValue, RetrievalQuery
from locator_search.ports.ledger import LedgerView
from tests.builders.index import DIMENSIONS, file_ref, index_entry, unit_vector, vector_at
from tests.contracts.test_retrieval import bm25

QUESTION = unit_vector("question")
CHUNKS = RetrievalQuery("予算", threshold=0.0, with_facets=False, unit="chunk")


@pytest.fixture
def index(database: Database) -> PostgresIndexStore:
    return PostgresIndexStore(database)


class Now:
    """The catalogue as it is at each question."""

    def __init__(self, database: Database) -> None:
        self._catalogue = PostgresLedgerCatalogue(database)

    def by_vectors(
        self, embedding: np.ndarray, k: int, metadata: dict[str, JsonValue] | None = None
    ) -> dict[str, float]:
        with self._catalogue.view() as view:
            return view.by_vectors(embedding, k, metadata or {})

    def by_words(self, text: str, k: int, metadata: dict[str, JsonValue] | None = None) -> dict[str, float]:
        with self._catalogue.view() as view:
            return view.by_words(text, k, metadata or {})


@pytest.fixture
def now(database: Database) -> Now:
    return Now(database)


@pytest.fixture
def view(database: Database, index: PostgresIndexStore) -> Iterator[LedgerView]:
    """What it says of one document with a text and metadata."""
    kept: dict[str, JsonValue] = {"na\0me": ["va\0lue", {"deep\0": "\ud800"}]}
    index.replace(index_entry(texts=["A-100 の契約書"], metadata=kept), "pipeline-1")
    with PostgresLedgerCatalogue(database).view() as view:
        yield view


def test_the_nearest_chunks_come_first_with_their_cosines(index: PostgresIndexStore, now: Now) -> None:
    cosines = [0.3, 0.9, 0.6, 0.1]
    vectors = [vector_at(cosine, QUESTION, number) for number, cosine in enumerate(cosines)]
    index.replace(index_entry(texts=["一", "二", "三", "四"], chunk_embeddings=vectors), "pipeline-1")
    found = now.by_vectors(QUESTION, 3)
    assert list(found) == ["file-1#1", "file-1#2", "file-1#0"]
    assert list(found.values()) == pytest.approx([0.9, 0.6, 0.3], abs=1e-4)


def test_chunks_with_the_words_come_in_the_order_of_their_bm25_scores(index: PostgresIndexStore, now: Now) -> None:
    texts = ["予算の話", "予算と予算と予算", "会議の記録", "予算会議の議事録、長い長い議事録"]
    entries = [index_entry(file_ref(f"file-{n}"), [text]) for n, text in enumerate(texts)]
    index.replace_many(entries, "pipeline-1")
    found = now.by_words("予算の会議", 10)
    scores = {f"{file_id}#0": score for file_id, score in bm25(entries, "予算の会議").items()}
    assert found == pytest.approx(scores, rel=1e-4)
    assert list(found) == sorted(scores, key=lambda chunk_id: -scores[chunk_id])
    assert list(now.by_words("予算の会議", 2)) == list(found)[:2]


def test_a_chunk_says_which_terms_it_holds(view: LedgerView) -> None:
    (chunk,) = view.chunks(list(view.by_words("A-100 の検収", 10)), "A-100 の検収").values()
    assert "a-100" in chunk.matched_terms
    assert "検収" not in chunk.matched_terms
    assert len(set(chunk.matched_terms)) == len(chunk.matched_terms)
    assert view.chunks(["file-1#0"])["file-1#0"].matched_terms == ()


def test_only_documents_with_the_metadata_asked_for_are_searched(index: PostgresIndexStore, now: Now) -> None:
    kept: dict[str, JsonValue] = {"team": "営業", "tags": ["a", "b"], "place": {"floor": 3, "room": "x"}, "year": 2024}
    index.replace(index_entry(file_ref("marked"), ["予算"], metadata=kept), "pipeline-1")
    index.replace(index_entry(file_ref("plain"), ["予算"]), "pipeline-1")
    asked: list[dict[str, JsonValue]] = [{}, {"team": "営業"}, {"tags": ["b"]}, {"place": {"floor": 3}}, kept]
    for metadata in asked:
        near, worded = now.by_vectors(QUESTION, 10, metadata), now.by_words("予算", 10, metadata)
        assert near.keys() == worded.keys() == ({"marked#0"} if metadata else {"marked#0", "plain#0"})
    assert now.by_vectors(QUESTION, 10, {"team": "総務"}) == now.by_words("予算", 10, {"team": "総務"}) == {}


def test_a_chunk_without_a_word_is_not_found_by_words_however_few_pass(index: PostgresIndexStore, now: Now) -> None:
    index.replace(index_entry(file_ref("marked"), ["会議", "予算"], metadata={"team": "営業"}), "pipeline-1")
    assert list(now.by_words("予算", 10, {"team": "営業"})) == ["marked#1"]


def test_metadata_that_json_or_postgresql_refuse_is_cleaned_or_refused(
    index: PostgresIndexStore, view: LedgerView
) -> None:
    (chunk_id,) = view.by_vectors(QUESTION, 1, {"na\0me": ["va\0lue"]})
    assert view.chunks([chunk_id])[chunk_id].metadata == {"name": ["value", {"deep": "?"}]}
    with pytest.raises(StoreError, match="finite"):
        index.replace(index_entry(metadata={"score": float("nan")}), "pipeline-1")


def test_a_question_without_words_or_direction_finds_nothing(index: PostgresIndexStore, now: Now) -> None:
    assert now.by_words("予算", 5) == {}
    assert now.by_vectors(QUESTION, 5) == {}
    index.replace(index_entry(), "pipeline-1")
    assert now.by_vectors(np.zeros(DIMENSIONS, dtype=np.float32), 5) == {}
    assert now.by_words("", 5) == {}
    assert now.by_words("'; DROP TABLE file_chunk; --", 5) == {}


def test_several_chunks_of_a_file_are_found_each_with_its_own_reasons(index: PostgresIndexStore) -> None:
    vectors = [vector_at(cosine, QUESTION, number) for number, cosine in enumerate((0.2, 0.8, 0.4))]
    index.replace(index_entry(texts=["予算", "会議", "予算の予算"], chunk_embeddings=vectors), "pipeline-1")
    found = index.retrieve(CHUNKS, QUESTION).evidence
    told = {one.chunk_id: (one.text, one.explain["vector"], one.explain.get("keyword")) for one in found}
    assert told.keys() == {"file-1#0", "file-1#1", "file-1#2"}
    assert [told[f"file-1#{n}"][1]["rank"] for n in range(3)] == [3, 1, 2]  # type: ignore[index]
    assert told["file-1#1"][2] is None, "it holds no word of the question"
    assert told["file-1#0"][2]["name_idf"] == 0.0, "the name is that of the file"  # type: ignore[index]
    with pytest.raises(DimensionMismatch):
        index.retrieve(CHUNKS, unit_vector("short", 8))
    with pytest.raises(ValueError, match="not counted"):
        RetrievalQuery("予算", unit="chunk")
