"""Words come first: a file is found by them at once, and by meaning when its embeddings are there."""

from __future__ import annotations

import re
from collections import Counter
from threading import Event, Thread

import dagster as dg
import pytest

from locator_assets.commands.crawl import run_crawl
from locator_assets.commands.crawl_report import CrawlReport
from locator_assets.instance import open_instance
from locator_search.cli.operating.status import as_json
from locator_search.core.clock import SystemClock
from locator_search.indexing import gathering
from locator_search.model import RetrievalMode, RetrievalQuery
from tests.builders.model_office import Office, answer
from tests.builders.waiting import wait_until
from tests.dagster.runs import execute, tick
from tests.fakes.openai_server import Body, OpenAiServer, Reply

pytestmark = pytest.mark.dagster_tables


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SystemClock, "sleep", lambda _self, _seconds: None)


def found(office: Office, question: str, mode: RetrievalMode = "keyword") -> list[str]:
    with office.open() as locator:
        vector = None if mode == "keyword" else locator.embedder.embed([question], "query")[0]
        query = RetrievalQuery(question, threshold=0.0, mode=mode)
        return [one.file_name for one in locator.index.retrieve(query, vector).evidence]


def waiting(office: Office) -> object:
    """The number of files that wait for embeddings, as `status --json` says it."""
    with office.open() as locator:
        return as_json(locator.status_reader.status(), locator.clock.now(), ())["without_embeddings"]


def embedded(server: OpenAiServer) -> Counter[str]:
    """How often each text was paid for."""
    return Counter(text for path, body in server.requests if path.endswith("/embeddings") for text in body["input"])


def stopped_after_the_words(office: Office) -> None:
    """A crawl that dies when all words are in."""

    def die(message: str) -> None:
        if message.startswith("Words find them"):
            raise KeyboardInterrupt

    with office.open() as locator, pytest.raises(KeyboardInterrupt):
        run_crawl(locator, "auto", on_progress=die)


def test_while_the_embedding_service_keeps_everybody_waiting_all_files_are_found_by_words(
    office: Office, server: OpenAiServer
) -> None:
    answers = Event()

    def slow(path: str, body: Body) -> Reply:
        if path.endswith("/embeddings"):
            answers.wait(60)
        return answer(path, body)

    server.handler = slow
    office.write(12)
    reports: list[CrawlReport] = []
    crawling = Thread(target=lambda: reports.append(office.crawl()))
    crawling.start()
    try:
        wait_until(lambda: len(found(office, "案件の予算")) == 12)
        assert waiting(office) == 12
    finally:
        answers.set()
        crawling.join()
    assert (reports[0].indexed, reports[0].without_embeddings, waiting(office)) == (12, 0, 0)
    assert reports[0].chunks == 12
    assert set(embedded(server).values()) == {1}


def test_files_that_only_wait_for_embeddings_share_a_request(
    office: Office, server: OpenAiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "LONGEST_WAIT_SECONDS", 60.0)
    monkeypatch.setattr(gathering, "WAIT_PER_SECOND_ASKED", 240.0)
    asked: list[set[str]] = []
    the_rest_came = Event()

    def slow(path: str, body: Body) -> Reply:
        if path.endswith("/embeddings"):
            asked.append(set(re.findall(r"第\d+号", " ".join(body["input"]))))
            if len(asked) == 1:
                monkeypatch.setattr(gathering, "MOST_GATHERED", 12 - len(asked[0]))
                the_rest_came.wait(60)
            the_rest_came.set()
        return answer(path, body)

    server.handler = slow
    office.write(12)
    assert office.crawl().without_embeddings == 0
    assert len(asked) == 2, "one went ahead, the rest came together"


def test_a_crawl_that_dies_after_the_words_loses_nothing_and_pays_nothing_twice(
    office: Office, server: OpenAiServer
) -> None:
    office.write(5)
    stopped_after_the_words(office)
    assert (len(found(office, "案件の予算")), waiting(office), embedded(server)) == (5, 5, Counter())
    asked = len(server.requests)
    told: list[str] = []
    report = office.crawl(told)
    assert (report.indexed, report.without_embeddings, waiting(office)) == (5, 0, 0)
    assert all(path.endswith("/embeddings") for path, _ in server.requests[asked:]), "summaries were paid before"
    assert set(embedded(server).values()) == {1}
    assert len(found(office, "案件3", "vector")) == 5
    assert office.crawl().indexed == 0


def test_the_next_tick_of_the_sensor_brings_the_embeddings(office: Office) -> None:
    office.write(3)
    stopped_after_the_words(office)
    with office.open() as locator, open_instance(locator) as instance:
        asked = tick(locator, instance)
        assert isinstance(asked, dg.SensorResult)
        [request] = asked.run_requests or []
        assert execute(locator, instance, request).success
    assert waiting(office) == 0


def test_a_file_that_changes_while_it_waits_is_found_by_its_new_words_first(office: Office) -> None:
    office.write(2)
    stopped_after_the_words(office)
    (office.folder / "報告001.txt").write_text("第1号報告書\n\n新倉庫の棟上げを記念する。", encoding="utf-8")
    stopped_after_the_words(office)
    assert found(office, "棟上げ") == ["報告001.txt"]
    assert waiting(office) == 1, "the other one came with its turn"
    assert office.crawl().without_embeddings == 0


def test_after_a_change_of_the_model_words_find_all_files_until_the_crawl_has_made_new_embeddings(
    office: Office, server: OpenAiServer
) -> None:
    office.write(4)
    office.crawl()
    with office.open(openai_embedding_model="another") as locator:
        assert locator.upkeep.clear_index_of_other_model("another") == 4
    assert (len(found(office, "案件の予算")), waiting(office)) == (4, 4)
    asked = len(server.requests)
    report = office.crawl(openai_embedding_model="another")
    assert (report.indexed, report.without_embeddings, waiting(office)) == (4, 0, 0)
    assert all(path.endswith("/embeddings") for path, _ in server.requests[asked:]), "summaries are not paid again"


def test_what_is_remembered_comes_at_once(office: Office, server: OpenAiServer) -> None:
    office.write(4)
    office.crawl()
    with office.open() as locator, locator.database.connection() as connection:
        connection.execute("UPDATE file_state SET pipeline_version = 'older'")
    asked, told = len(server.requests), list[str]()
    assert office.crawl(told).indexed == 4
    assert not any(message.startswith("Words find them") for message in told)
    assert len(server.requests) == asked
