"""The graph of neighbours of a large index: built beside everything else, and nothing but faster."""

from __future__ import annotations

import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore, PostgresUpkeep
from locator_search.adapters.postgres.index.vector_graph import GRAPH, build_graph, graph_state
from locator_search.model import IndexEntry, RetrievalQuery, SearchFilters
from tests.builders.index import file_ref, index_entry, unit_vector, vector_at

QUESTION = unit_vector("question")
ALL_FILES = SearchFilters()


@pytest.fixture
def index(database: Database) -> PostgresIndexStore:
    """120 files, the nearer to the question the smaller their number."""
    index = PostgresIndexStore(database)
    index.replace_many([entry_at(number) for number in range(120)], "pipeline-1")
    return index


def entry_at(number: int) -> IndexEntry:
    return index_entry(
        file_ref(f"file-{number:03}", mime_type="text/csv" if number % 9 == 0 else "text/plain"),
        ["本文"],
        embedding=vector_at(0.0, QUESTION, f"own {number}"),
        chunk_embeddings=[vector_at(0.9 - number * 0.007, QUESTION, number)],
    )


def nearest(index: PostgresIndexStore, filters: SearchFilters = ALL_FILES, limit: int = 20) -> list[str]:
    asked = RetrievalQuery("", filters=filters, threshold=0.0, mode="vector", with_facets=False, limit=limit)
    return [evidence.file_id for evidence in index.retrieve(asked, QUESTION).evidence]


def plan_of_a_ranking(database: Database) -> str:
    with database.connection() as connection:
        connection.execute("SET enable_seqscan = off")
        rows = connection.execute(
            "EXPLAIN SELECT file_id FROM embedding_code AS k ORDER BY code <~> %s::bit(1536) LIMIT 9", ["0" * 1536]
        ).fetchall()
        connection.execute("RESET enable_seqscan")
    return "\n".join(row[0] for row in rows)


def test_a_small_index_needs_no_graph(index: PostgresIndexStore, database: Database) -> None:
    upkeep = PostgresUpkeep(database)
    assert upkeep.build_vector_graph() == "not needed"
    assert upkeep.schema().vector_graph == "not needed"
    assert GRAPH not in plan_of_a_ranking(database)


def test_a_large_index_says_that_its_graph_is_missing_until_it_is_built(
    index: PostgresIndexStore, database: Database
) -> None:
    with database.connection() as connection:
        assert graph_state(connection, large=120) == "missing"
    before = nearest(index)
    assert build_graph(database, large=120) == "built"
    assert build_graph(database, large=120) == "built"
    assert PostgresUpkeep(database).schema().vector_graph == "built"
    assert GRAPH in plan_of_a_ranking(database)
    assert nearest(index) == before == [f"file-{number:03}" for number in range(20)]


def test_the_graph_follows_what_is_written_and_deleted(index: PostgresIndexStore, database: Database) -> None:
    build_graph(database, large=120)
    index.delete([f"file-{number:03}" for number in range(5)])
    nearer = index_entry(file_ref("new"), ["本文"], chunk_embeddings=[vector_at(0.99, QUESTION, "new")])
    index.replace(nearer, "pipeline-1")
    assert nearest(index, limit=3) == ["new", "file-005", "file-006"]


def test_no_filter_starves_beside_a_graph(index: PostgresIndexStore, database: Database) -> None:
    asked = RetrievalQuery("", threshold=0.7, mode="vector")
    before = index.retrieve(asked, QUESTION).hit_count
    build_graph(database, large=120)
    found = nearest(index, SearchFilters(mime_types=("text/csv",)))
    assert found == [f"file-{number:03}" for number in range(0, 120, 9)]
    assert index.retrieve(asked, QUESTION).hit_count == before > 20


def test_what_a_killed_build_left_behind_is_built_again(index: PostgresIndexStore, database: Database) -> None:
    build_graph(database, large=120)
    with database.connection() as connection:
        connection.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass", [GRAPH])
        assert graph_state(connection, large=120) == "missing"
    assert build_graph(database, large=120) == "built"


def test_offline_vectors_get_no_graph_and_lose_the_one_they_have(index: PostgresIndexStore, database: Database) -> None:
    before = nearest(index)
    build_graph(database, large=120)
    with database.connection() as connection:
        connection.execute("UPDATE index_profile SET embedding_model = 'offline-hashed-ngrams-2'")
    assert build_graph(database, large=120) == "not needed"
    assert GRAPH not in plan_of_a_ranking(database)
    assert build_graph(database, large=120) == "not needed"
    assert nearest(index) == before


def test_who_finds_another_one_building_leaves_it_to_that_one(index: PostgresIndexStore, database: Database) -> None:
    with database.connect() as builder:
        builder.execute("SELECT pg_advisory_lock(%s, hashtext(current_schema()))", [0x67726170])
        assert build_graph(database, large=120) == "missing"
