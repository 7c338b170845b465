"""Crawling and searching with real clients against a model server on loopback: what is asked, and what it costs."""

from __future__ import annotations

import dagster as dg
import pytest

from locator_search.indexing import prompts, summaries
from tests.builders.model_office import EMBEDDING_COST, SUMMARY_COST, Office, task_of
from tests.dagster.runs import tick
from tests.fakes.openai_server import OpenAiServer

pytestmark = pytest.mark.dagster_tables


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
    assert (first.indexed, first.failed) == (6, ())
    assert first.model_calls == len(server.requests)
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
    monkeypatch.setattr(summaries, "SUMMARY_VERSION", "next")
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
        [(seconds, steps)] = locator.database.rows("SELECT seconds, step_seconds FROM search_log")
        assert {"ExtractKeywords", "Retrieve", "Verify"} <= steps.keys()
        assert sum(steps.values()) == pytest.approx(seconds, abs=0.5)
        waited = locator.database.rows("SELECT task FROM model_usage WHERE seconds > 0")
        assert {"summarise", "embed"} <= {task for (task,) in waited}
        again = locator.drive_search.start("予算の報告").advance()
    assert again.usage.calls == 0, "asked again, it is remembered"
    assert len(server.requests) == before + asked


def test_the_cost_is_said_before_it_is_paid(office: Office, server: OpenAiServer) -> None:
    office.write(3)
    told: list[str] = []
    office.crawl(told, locator_max_cost_usd=5)
    [line] = [line for line in told if "Models will read" in line]
    assert "3 files" in line
    assert "in this crawl" in line
    assert "The ceiling on all crawls and searches together is $5" in line
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


def test_a_search_beyond_the_ceiling_pays_nothing_and_says_so(office: Office, server: OpenAiServer) -> None:
    office.write(2)
    office.crawl()
    made = len(server.requests)
    with office.open(locator_max_cost_usd=1e-9) as locator:
        outcome = locator.drive_search.start("案件1の予算").advance()
    assert len(server.requests) == made
    assert outcome.usage.calls == 0
    assert any("LOCATOR_MAX_COST_USD" in note for note in outcome.notes)
