"""A model with a memory is a model: it answers the same, and is asked once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from locator_search.adapters.postgres import Database, PostgresAnswerMemo
from locator_search.indexing.memo import MemoisedChatModel
from locator_search.indexing.prompts import summary_prompt
from locator_search.ports import AnswerMemo
from tests.builders.crawl import CountingChatModel

PROMPT = summary_prompt("令和6年度の予算会議で、空調設備の更新を決めた。", 100)


@pytest.fixture
def memo(database: Database) -> AnswerMemo:
    return PostgresAnswerMemo(database)


def test_the_same_question_is_asked_once_also_by_another_process(memo: AnswerMemo) -> None:
    model = CountingChatModel()
    first = MemoisedChatModel(model, memo).answer(PROMPT)
    second = MemoisedChatModel(model, memo).answer(PROMPT)
    assert first == second
    assert model.answers == 1


@pytest.mark.parametrize(
    "other",
    [
        replace(PROMPT, version="2"),
        replace(PROMPT, language="en"),
        replace(PROMPT, max_length=50),
        summary_prompt("別の文書。", 100),
    ],
)
def test_whatever_changes_the_answer_is_another_question(memo: AnswerMemo, other: object) -> None:
    model = CountingChatModel()
    remembering = MemoisedChatModel(model, memo)
    remembering.answer(PROMPT)
    remembering.answer(other)  # type: ignore[arg-type]
    assert model.answers == 2


def test_another_model_is_asked_anew(memo: AnswerMemo) -> None:
    one, other = CountingChatModel("one"), CountingChatModel("other")
    MemoisedChatModel(one, memo).answer(PROMPT)
    MemoisedChatModel(other, memo).answer(PROMPT)
    assert one.answers == other.answers == 1


def test_a_remembered_answer_that_no_longer_fits_its_schema_counts_as_forgotten(
    memo: AnswerMemo, database: Database
) -> None:
    model = CountingChatModel()
    MemoisedChatModel(model, memo).answer(PROMPT)
    with database.connection() as connection:
        connection.execute("""UPDATE model_answer SET answer = '{"summary": ""}'""")
    assert MemoisedChatModel(model, memo).answer(PROMPT).summary
    assert model.answers == 2


def test_nothing_is_remembered_of_a_question_that_was_never_asked(memo: AnswerMemo) -> None:
    assert MemoisedChatModel(CountingChatModel(), memo).recall(PROMPT) is None


def test_the_name_of_a_file_is_no_part_of_the_question() -> None:
    assert set(PROMPT.inputs) == {"text"}
