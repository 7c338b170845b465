"""What people thought of results becomes judged questions."""

from __future__ import annotations

import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore, PostgresSearchLog
from locator_search.adapters.postgres.history.search_log import PostgresFeedbackReader
from locator_search.evaluation.feedback import judged_queries
from locator_search.model import SearchOutcome
from locator_search.ports import IndexedText, Judgement
from tests.builders.index import file_ref, index_entry


@pytest.fixture
def log(database: Database) -> PostgresSearchLog:
    index = PostgresIndexStore(database)
    for name in ("a", "b", "c"):
        index.replace(index_entry(file_ref(name, f"{name}.txt"), (f"一 {name}", f"二 {name}")), "1")
    return PostgresSearchLog(database)


def asked(log: PostgresSearchLog, question: str) -> int:
    return log.record(question, SearchOutcome("found", ""), "page", 0.1)


def test_a_thumb_says_more_than_opening_and_the_last_one_counts(log: PostgresSearchLog, database: Database) -> None:
    first, again = asked(log, "予算は"), asked(log, " 予算は ")
    log.opened(first, "a")
    log.opened(first, "a")
    log.opened(first, "b")
    log.feedback(again, "b", useful=True)
    log.feedback(first, "c", useful=True)
    log.feedback(again, "c", useful=False)
    log.feedback(asked(log, "契約は"), "a", useful=False)
    log.feedback(again, "deleted since", useful=True)
    judgements = PostgresFeedbackReader(database).judgements()
    assert judgements == [
        Judgement("予算は", "a", 1),
        Judgement("予算は", "b", 2),
        Judgement("予算は", "c", 0),
        Judgement("契約は", "a", 0),
    ]
    # A question for which nothing was right cannot be measured.
    assert [(query.text, query.grades) for query in judged_queries(judgements)] == [
        ("予算は", {"a": 1, "b": 2, "c": 0})
    ]


@pytest.mark.usefixtures("log")
def test_texts_are_those_of_all_chunks_in_order(database: Database) -> None:
    assert list(PostgresFeedbackReader(database).texts()) == [
        IndexedText(name, f"{name}.txt", f"一 {name}\n二 {name}") for name in ("a", "b", "c")
    ]


def test_without_feedback_there_are_no_questions(database: Database) -> None:
    assert judged_queries(PostgresFeedbackReader(database).judgements()) == []
