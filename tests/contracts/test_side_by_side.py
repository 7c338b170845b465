"""Both arms look at once, on two connections that see one state of the index."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.adapters.postgres.search.keyword_search import KeywordQuestion
from locator_search.adapters.postgres.search.second_connection import MOST_AT_ONCE, SideBySide
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


def test_what_is_found_side_by_side_is_what_is_found_one_after_the_other(
    index: PostgresIndexStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = index.retrieve(ANIMALS, QUESTION)

    def later(_: SideBySide, connection: Connection, ask: Callable[[Connection], object]) -> Callable[[], object]:
        return lambda: ask(connection)

    monkeypatch.setattr(SideBySide, "start", later)
    assert index.retrieve(ANIMALS, QUESTION) == at_once
    assert len(at_once.evidence) == 5


def test_the_arm_that_is_done_first_asks_the_other_one_about_its_files(
    index: PostgresIndexStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the vector arm: it goes on when the question is taken apart, and the first by words wait for its end."""
    expected = index.retrieve(ANIMALS, QUESTION)
    start, first = SideBySide.start, KeywordQuestion.first
    words_are_ready = threading.Event()
    looks: list[Callable[[], Any]] = []

    def started(
        side_by_side: SideBySide, connection: Connection, ask: Callable[[Connection], Any]
    ) -> Callable[[], Any]:
        def ask_then(second: Connection) -> Any:
            assert words_are_ready.wait(60)
            return ask(second)

        looks.append(start(side_by_side, connection, ask_then))
        return looks[-1]

    def first_when_done(*asked: Any) -> list[str]:
        words_are_ready.set()
        looks[0]()
        return first(*asked)

    monkeypatch.setattr(SideBySide, "start", started)
    monkeypatch.setattr(KeywordQuestion, "first", first_when_done)
    assert index.retrieve(ANIMALS, QUESTION) == expected
    near, other_half = (look() for look in looks)
    assert len(near.first) == 30
    assert near.said.words.keys() == near.first.keys()
    assert other_half.words
    assert other_half.words.keys() == other_half.cosines.keys()
    assert not other_half.words.keys() & near.first.keys(), "of the nearest it is known"


def test_the_second_look_sees_what_the_first_one_sees(index: PostgresIndexStore, database: Database) -> None:
    with database.snapshot() as connection:
        assert files(connection) == FILES
        index.replace(animal(FILES), "pipeline-1")
        waiting = SideBySide(database).start(connection, lambda second: (second is connection, files(second)))
        assert waiting() == (False, FILES)


def test_with_no_connection_to_spare_the_first_one_is_asked(database: Database) -> None:
    side_by_side, go_on = SideBySide(database), threading.Event()
    with database.snapshot() as connection:
        busy = [side_by_side.start(connection, lambda _: go_on.wait(60)) for _ in range(MOST_AT_ONCE)]
        assert side_by_side.start(connection, itself)() is connection
        go_on.set()
        assert all(waiting() for waiting in busy)


def test_a_look_that_fails_says_why_and_leaves_its_place(database: Database) -> None:
    side_by_side = SideBySide(database)
    with database.snapshot() as connection:
        for _ in range(2 * MOST_AT_ONCE):
            waiting = side_by_side.start(connection, lambda second: 1 // (second is connection))
            with pytest.raises(ZeroDivisionError):
                waiting()
        assert side_by_side.start(connection, itself)() is not connection


def test_more_questions_at_once_than_there_are_connections_are_all_answered(index: PostgresIndexStore) -> None:
    expected = index.retrieve(ANIMALS, QUESTION)
    with ThreadPoolExecutor(3 * LARGEST_POOL) as threads:
        answers = list(threads.map(lambda _: index.retrieve(ANIMALS, QUESTION), range(6 * LARGEST_POOL)))
    assert all(answer == expected for answer in answers)
