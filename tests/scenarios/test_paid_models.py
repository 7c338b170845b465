"""Crawling and searching with real clients against a model server on loopback: what is asked, and what it costs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import dagster as dg
import numpy as np
import pytest

from locator_assets.crawl_command import CrawlReport, run_crawl
from locator_search.app import Locator, open_locator
from locator_search.errors import BudgetExhausted
from locator_search.indexing import pipeline, prompts
from locator_search.settings import load_settings
from tests.dagster.runs import tick
from tests.fakes.openai_server import Body, OpenAiServer, Reply, completion, embeddings, openai_server

SUMMARY_COST = (1000 * 0.10 + 100 * 0.50) / 1e6
EMBEDDING_COST = 10 * 0.02 / 1e6

ANSWERS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "summarise": lambda asked: {"summary": f"要約: {asked['text'][:30]}", "keywords": ["報告"]},
    "search_keywords": lambda asked: {"keywords": ["報告"]},
    "narrowing_question": lambda asked: {"question": "どの報告ですか？"},
    "rerank": lambda asked: {"file_ids": [file["id"] for file in asked["files"]][::-1]},
    "rewrite": lambda asked: {"query": asked["question"], "keywords": ["報告"]},
    "relax": lambda asked: {"keywords": asked["keywords"][:-1]},
}


def task_of(body: Body) -> str:
    return str(body["response_format"]["json_schema"]["name"])


def answer(path: str, body: Body) -> Reply:
    """A model that answers every task, and vectors that depend on the text alone."""
    if path.endswith("/embeddings"):
        return Reply(embeddings([vector_of(text) for text in body["input"]]))
    if path.endswith("/chat/completions"):
        asked = json.loads(body["messages"][1]["content"])
        return Reply(completion(json.dumps(ANSWERS[task_of(body)](asked))))
    return Reply({"error": {"message": "not here"}}, 404)


def vector_of(text: str) -> list[float]:
    """Close to every other one, so that a search finds something."""
    rng = np.random.default_rng(crc32(text.encode()))
    vector = np.ones(1536) + 0.3 * rng.standard_normal(1536)
    return [float(part) for part in vector]


@pytest.fixture
def server() -> Iterator[OpenAiServer]:
    with openai_server() as started:
        started.handler = answer
        yield started


class Office:
    """A folder, a database and a model server; every crawl and search opens the product anew, as a process would."""

    def __init__(self, home: Path, database_url: str, server: OpenAiServer) -> None:
        self.folder = home / "共有"
        self.folder.mkdir()
        self.settings: dict[str, Any] = {
            "locator_home": home / "home",
            "locator_folders": str(self.folder),
            "database_url": database_url,
            "openai_base_url": server.url,
            "openai_api_key": "sk-test",
        }

    def write(self, count: int) -> None:
        for number in range(count):
            text = f"第{number}号報告書\n\n案件{number}の予算は{number}万円である。"
            (self.folder / f"報告{number:03}.txt").write_text(text, encoding="utf-8")

    def open(self, **settings: Any) -> Locator:
        return open_locator(load_settings(**(self.settings | settings)))

    def crawl(self, told: list[str] | None = None, **settings: Any) -> CrawlReport:
        with self.open(**settings) as locator:
            said = [] if told is None else told
            return run_crawl(locator, "auto", on_progress=said.append)


@pytest.fixture
def office(tmp_path: Path, database_url: str, server: OpenAiServer) -> Office:
    return Office(tmp_path, database_url, server)


def calls(server: OpenAiServer, task: str) -> int:
    return sum("response_format" in body and task_of(body) == task for _, body in server.requests)


def embedding_calls(server: OpenAiServer) -> int:
    return sum(path.endswith("/embeddings") for path, _ in server.requests)


def forget_index(office: Office) -> None:
    """As if the database had been emptied, except for what was paid."""
    with office.open() as locator, locator.database.connection() as connection:
        connection.execute("TRUNCATE file_state, drive_file_index, drive_sync_state, file_chunk CASCADE")


def test_rerunning_the_whole_crawl_costs_no_model_call(office: Office, server: OpenAiServer) -> None:
    office.write(6)
    first = office.crawl()
    assert (first.indexed, first.model_calls, first.failed) == (6, 6, ())
    assert calls(server, "summarise") == 6
    made = len(server.requests)
    assert made == 6 + embedding_calls(server)

    assert office.crawl().model_calls == 0
    forget_index(office)
    again = office.crawl()
    assert (again.indexed, again.model_calls, again.tokens, again.cost_usd) == (6, 0, 0, 0)
    assert len(server.requests) == made


def test_a_new_summary_prompt_costs_exactly_one_call_per_file(
    office: Office, server: OpenAiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write(5)
    office.crawl()
    made = len(server.requests)
    monkeypatch.setattr(prompts, "SUMMARY_VERSION", "next")
    monkeypatch.setattr(pipeline, "SUMMARY_VERSION", "next")
    report = office.crawl()
    assert (report.indexed, report.model_calls) == (5, 5)
    assert calls(server, "summarise") == 10
    assert len(server.requests) == made + 5, "the summaries say the same, so no embedding is paid anew"


def test_what_a_crawl_cost_is_the_sum_of_its_calls_embeddings_included(office: Office, server: OpenAiServer) -> None:
    office.write(4)
    report = office.crawl()
    paid = 4 * SUMMARY_COST + embedding_calls(server) * EMBEDDING_COST
    assert report.cost_usd == pytest.approx(paid)
    assert report.tokens == 4 * 1100 + embedding_calls(server) * 10
    with office.open() as locator:
        status = locator.status_reader.status()
    assert (status.model_calls, status.tokens) == (len(server.requests), report.tokens)
    assert status.cost_usd == pytest.approx(paid)


def test_a_question_tells_what_models_took_for_it(office: Office, server: OpenAiServer) -> None:
    office.write(4)
    office.crawl()
    before = len(server.requests)
    with office.open() as locator:
        run = locator.drive_search.start("予算の報告")
        outcome = run.advance()
        asked = len(server.requests) - before
        assert outcome.usage.calls == asked > 1
        assert outcome.usage.cost_usd > 0
        assert locator.drive_search.resume(run.log).outcome == outcome, "a reload shows the same and asks nobody"
        with locator.database.connection() as connection:
            logged = connection.execute("SELECT model_calls, tokens, cost FROM search_log").fetchall()
        assert logged == [(asked, outcome.usage.tokens, pytest.approx(outcome.usage.cost_usd))]
        again = locator.drive_search.start("予算の報告").advance()
    assert again.usage.calls == 0, "asked again, it is remembered"
    assert len(server.requests) == before + asked


def test_the_cost_is_said_before_it_is_paid(office: Office, server: OpenAiServer) -> None:
    office.write(3)
    told: list[str] = []
    office.crawl(told, locator_max_cost_usd=5)
    [line] = [line for line in told if "Models will read" in line]
    assert "3 files" in line
    assert "The ceiling is $5" in line
    told.clear()
    office.crawl(told)
    assert not [line for line in told if "Models will read" in line], "nothing to pay, nothing to say"


def test_the_ceiling_stops_a_crawl_cleanly_and_a_higher_one_finishes_it(office: Office, server: OpenAiServer) -> None:
    office.write(30)
    ceiling = 12 * SUMMARY_COST
    stopped = office.crawl(locator_max_cost_usd=ceiling)
    assert "LOCATOR_MAX_COST_USD" in stopped.stopped
    assert 0 < stopped.indexed < 12
    assert (stopped.failed, stopped.indexed + stopped.waiting) == ((), 30)
    assert 0 < stopped.cost_usd <= ceiling
    asked = len(server.requests)

    again = office.crawl(locator_max_cost_usd=ceiling)
    assert again.stopped
    assert again.cost_usd <= ceiling - stopped.cost_usd

    finished = office.crawl(locator_max_cost_usd=1)
    assert (finished.stopped, finished.waiting) == ("", 0)
    assert calls(server, "summarise") == 30, "nothing is paid twice"
    assert len(server.requests) > asked


def test_the_sensor_asks_for_no_run_that_could_pay_for_nothing(office: Office, server: OpenAiServer) -> None:
    office.write(2)
    office.crawl()
    office.write(3)
    with dg.DagsterInstance.ephemeral() as instance:
        with office.open(locator_max_cost_usd=2 * SUMMARY_COST) as parts:
            answer = tick(parts, instance)
        assert isinstance(answer, dg.SkipReason)
        assert "ceiling" in str(answer.skip_message)
        with office.open(locator_max_cost_usd=1) as parts:
            answer = tick(parts, instance)
        assert isinstance(answer, dg.SensorResult)
        assert len(answer.run_requests or ()) == 1


def test_a_search_beyond_the_ceiling_is_refused_in_one_sentence(office: Office, server: OpenAiServer) -> None:
    office.write(2)
    office.crawl()
    with office.open(locator_max_cost_usd=1e-9) as locator, pytest.raises(BudgetExhausted, match="ceiling"):
        locator.drive_search.start("新しい質問").advance()
