"""Words and vectors are asked at once, on two connections that see one state of the index; who is faster does not
matter."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.adapters.postgres.search.index_search import IndexSearch
from locator_search.adapters.postgres.search.side_by_side import MOST_AT_ONCE, SideBySide
from locator_search.adapters.postgres.server.database import LARGEST_POOL, Connection
from locator_search.model import RetrievalQuery
from tests.builders.index import file_ref, index_entry, unit_vector, vector_at

QUESTION = unit_vector("question")
FILES = 60
ANIMALS = RetrievalQuery("麒麟と河馬", threshold=0.0, with_facets=False, limit=5)


@pytest.fixture
def index(database: Database) -> PostgresIndexStore:
    index = PostgresIndexStore(database)
    index.replace_many([animal(number) for number in range(FILES)], "pipeline-1")
    return index


def animal(number: int) -> Any:
    return index_entry(
        file_ref(f"file-{number:02}"),
        [f"{'麒麟' if number % 3 else '河馬'}の話 {number}"],
        chunk_embeddings=[vector_at(0.9 - number / 100, QUESTION, number)],
    )


def files(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM drive_file_index").fetchone()[0])  # type: ignore[index]


def itself(connection: Connection) -> Connection:
    return connection


def slowly(look: Callable[..., Any]) -> Callable[..., Any]:
    def slow(*asked: Any) -> Any:
        time.sleep(0.3)
        return look(*asked)

    return slow


class Statements:
    """The queries that are executed, whoever executes them and in whatever order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[str] = []
        execute = psycopg.Connection.execute

        def recorded(connection: Connection, statement: Any, *values: Any, **how: Any) -> Any:
            if "FROM" in str(statement):
                self.seen.append(str(statement))
            return execute(connection, statement, *values, **how)

        monkeypatch.setattr(psycopg.Connection, "execute", recorded)

    def taken(self) -> list[str]:
        seen, self.seen = sorted(self.seen), []
        return seen


@pytest.mark.parametrize("query", [ANIMALS, RetrievalQuery("麒麟と河馬", threshold=0.6)])
def test_neither_what_is_found_nor_what_is_asked_depends_on_who_is_faster(
    index: PostgresIndexStore, query: RetrievalQuery, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.retrieve(query, QUESTION)
    statements = Statements(monkeypatch)
    expected, asked = index.retrieve(query, QUESTION), statements.taken()
    assert len(expected.evidence) >= 5
    for slow_one in ("_by_words", "_by_vectors"):
        with monkeypatch.context() as slowed:
            slowed.setattr(IndexSearch, slow_one, slowly(getattr(IndexSearch, slow_one)))
            assert index.retrieve(query, QUESTION) == expected
            assert statements.taken() == asked


def test_what_is_found_side_by_side_is_what_is_found_one_after_the_other(
    index: PostgresIndexStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = index.retrieve(ANIMALS, QUESTION)

    def in_turn(_: SideBySide, connection: Connection, here: Any, beside: Any, at_once: bool = True) -> Any:
        return here(connection), beside(connection)

    monkeypatch.setattr(SideBySide, "both", in_turn)
    assert index.retrieve(ANIMALS, QUESTION) == at_once
    assert len(at_once.evidence) == 5


def test_both_look_at_the_same_time_and_see_the_same(index: PostgresIndexStore, database: Database) -> None:
    together = threading.Barrier(2, timeout=60)

    def look(connection: Connection) -> tuple[Connection, int]:
        together.wait()
        return connection, files(connection)

    with database.snapshot() as connection:
        assert files(connection) == FILES
        index.replace(animal(FILES), "pipeline-1")
        (first, seen), (second, seen_beside) = SideBySide(database).both(connection, look, look)
    assert first is connection is not second
    assert seen == seen_beside == FILES


def test_with_no_connection_to_spare_the_first_one_is_asked_in_turn(database: Database) -> None:
    side_by_side, go_on = SideBySide(database), threading.Event()

    def busy(_: int) -> bool:
        with database.snapshot() as connection:
            return side_by_side.both(connection, itself, lambda _: go_on.wait(60))[1]

    with ThreadPoolExecutor(MOST_AT_ONCE) as threads, database.snapshot() as connection:
        waiting = [threads.submit(busy, number) for number in range(MOST_AT_ONCE)]
        while side_by_side._places.acquire(blocking=False):
            side_by_side._places.release()
            time.sleep(0.01)
        assert side_by_side.both(connection, itself, itself) == (connection, connection)
        go_on.set()
        assert all(look.result() for look in waiting)


def test_a_look_that_fails_says_why_and_leaves_its_place(database: Database) -> None:
    side_by_side = SideBySide(database)
    with database.snapshot() as connection:
        for _ in range(2 * MOST_AT_ONCE):
            with pytest.raises(ZeroDivisionError):
                side_by_side.both(connection, itself, lambda second: 1 // (second is connection))
        first, second = side_by_side.both(connection, itself, itself)
        assert first is connection is not second


def test_more_questions_at_once_than_there_are_connections_are_all_answered(index: PostgresIndexStore) -> None:
    expected = index.retrieve(ANIMALS, QUESTION)
    with ThreadPoolExecutor(3 * LARGEST_POOL) as threads:
        answers = list(threads.map(lambda _: index.retrieve(ANIMALS, QUESTION), range(6 * LARGEST_POOL)))
    assert all(answer == expected for answer in answers)
