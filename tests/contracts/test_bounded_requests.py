"""Requests to model servers that misbehave: each ends in time, and a model that failed is left alone for a while."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import pytest

from locator_search.adapters.openai_models.chat_model import OpenAiChatModel
from locator_search.adapters.openai_models.client import OpenAiClient
from locator_search.adapters.openai_models.embedder import OpenAiEmbedder
from locator_search.adapters.postgres import Database, PostgresRequestSlots
from locator_search.core.clock import SystemClock, deadline
from locator_search.core.errors import ConfigurationError, DeadlinePassed, ModelError, ModelTimedOut
from locator_search.llm.answers import KeywordsAnswer
from locator_search.llm.budget import Budget
from locator_search.ports import Prompt
from tests.fakes.embedding_widths import WidthsInMemory
from tests.fakes.faulty_server import FAULTS, FaultyServer, closed_port, faulty_server, hangs
from tests.fakes.slots import CountingSlots
from tests.fakes.usage_log import UsageLogInMemory

SECONDS = 1.5
SLACK = 3.0
"""For a machine that is busy."""
PROMPT = Prompt("search_keywords", "1", "Pick keywords.", {"question": "報告"}, KeywordsAnswer)


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with faulty_server() as started:
        yield started


@contextmanager
def client(url: str) -> Iterator[OpenAiClient]:
    made = OpenAiClient(
        api_key="sk-test",
        slots=CountingSlots(),
        clock=SystemClock(),
        budget=Budget(UsageLogInMemory()),
        base_url=url,
    )
    try:
        yield made
    finally:
        made.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_a_server_does_both_models_fail_in_time(server: FaultyServer, fault: str) -> None:
    server.faults = {"": FAULTS[fault]}
    with client(server.url) as asked:
        began = monotonic()
        with deadline(SECONDS), pytest.raises((ModelError, ConfigurationError)):
            OpenAiChatModel(asked, "gpt-6-luna").answer(PROMPT)
        assert monotonic() - began < SECONDS + SLACK
        began = monotonic()
        with deadline(SECONDS), pytest.raises((ModelError, ConfigurationError)):
            OpenAiEmbedder(asked, "text-embedding-3-small", WidthsInMemory()).embed(["報告"], "query")
        assert monotonic() - began < SECONDS + SLACK


def test_a_server_that_dribbles_is_given_up_without_any_deadline_too(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("locator_search.adapters.openai_models.client.LOOK_UP_SECONDS", 1.0)
    server.faults = {"": FAULTS["dribbles headers"]}
    with client(server.url) as asked, pytest.raises(ModelTimedOut):
        asked.look_up("some-model")


def test_a_model_that_failed_one_question_is_not_asked_for_the_next_ones(server: FaultyServer) -> None:
    server.faults = {"": hangs}
    with client(server.url) as asked:
        model = OpenAiChatModel(asked, "gpt-6-luna")
        for _ in range(3):
            with deadline(0.5), pytest.raises(ModelTimedOut):
                model.answer(PROMPT)
        assert len(server.asked) == 1
        server.faults = {}
        with deadline(5):
            assert OpenAiEmbedder(asked, "text-embedding-3-small", WidthsInMemory()).embed(["報告"], "query").shape == (
                1,
                1536,
            )


def test_after_its_rest_a_model_is_asked_again(server: FaultyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("locator_search.adapters.openai_models.resting.REST_SECONDS", 0.0)
    server.faults = {"": hangs}
    with client(server.url) as asked:
        model = OpenAiChatModel(asked, "gpt-6-luna")
        with deadline(0.5), pytest.raises(ModelTimedOut):
            model.answer(PROMPT)
        server.faults = {}
        with deadline(10):
            assert model.answer(PROMPT).keywords == ["報告"]


def test_work_without_a_deadline_asks_a_resting_model_and_wakes_it(server: FaultyServer) -> None:
    server.faults = {"": hangs}
    with client(server.url) as asked:
        model = OpenAiChatModel(asked, "gpt-6-luna")
        with deadline(0.5), pytest.raises(ModelTimedOut):
            model.answer(PROMPT)
        server.faults = {}
        assert model.answer(PROMPT).keywords == ["報告"]
        with deadline(10):
            assert model.answer(PROMPT).keywords == ["報告"]


def test_a_model_that_is_not_there_costs_a_question_no_more_than_its_time() -> None:
    with client(closed_port()) as asked:
        began = monotonic()
        with deadline(SECONDS), pytest.raises(ModelError):
            OpenAiChatModel(asked, "gpt-6-luna").answer(PROMPT)
        assert monotonic() - began < SECONDS + SLACK


def test_a_question_waits_for_its_turn_no_longer_than_its_deadline(database: Database) -> None:
    slots, held, done = PostgresRequestSlots(database), threading.Barrier(6), threading.Event()

    def hold() -> None:
        with slots.slot("model"):
            held.wait()
            done.wait()

    threads = [threading.Thread(target=hold) for _ in range(5)]
    for thread in threads:
        thread.start()
    held.wait()
    try:
        with deadline(0.3), pytest.raises(DeadlinePassed), slots.slot("model"):
            pass
        elsewhere = PostgresRequestSlots(database)  # another process: its line is in PostgreSQL
        with deadline(0.3), pytest.raises(DeadlinePassed), elsewhere.slot("model"):
            pass
    finally:
        done.set()
        for thread in threads:
            thread.join()
    with slots.slot("model"):
        pass
