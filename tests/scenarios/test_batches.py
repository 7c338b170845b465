"""Summaries through the Batch API: half the price, nothing twice, the same answers as live ones."""

from __future__ import annotations

import json
import logging
from typing import Any

import dagster as dg
import pytest
from typer.testing import CliRunner

from locator_assets.commands.crawl import run_crawl
from locator_assets.commands.crawl_report import CrawlReport
from locator_search.adapters.postgres.history.batch_log import PostgresBatchLog
from locator_search.core.errors import ConfigurationError
from locator_search.indexing import batch_parts as batch_limits
from locator_search.indexing import prompts, summaries
from tests.builders.command_line import app
from tests.builders.model_office import SUMMARY_COST, Office, answer
from tests.builders.registry import all_known
from tests.dagster.runs import index_runs, tick
from tests.fakes.clock import HeldClock
from tests.fakes.openai_batches import BatchServer
from tests.fakes.openai_server import OpenAiServer, completion

pytestmark = pytest.mark.dagster_tables


@pytest.fixture
def service(server: OpenAiServer) -> BatchServer:
    service = BatchServer(answer)
    server.handler = service
    return service


def crawl(office: Office, *, batch: bool = True, told: list[str] | None = None, **settings: Any) -> CrawlReport:
    with office.open(**settings) as locator:
        return run_crawl(locator, on_progress=(told if told is not None else []).append, batch=batch)


def live_calls(server: OpenAiServer) -> int:
    return sum(path.endswith("/chat/completions") for path, _ in server.requests)


def rows(office: Office, query: str) -> list[tuple[Any, ...]]:
    with office.open() as locator, locator.database.connection() as connection:
        return list(connection.execute(query).fetchall())


def test_the_files_wait_for_their_batch_and_nothing_is_submitted_twice(
    office: Office, server: OpenAiServer, service: BatchServer
) -> None:
    office.write(5)
    report = crawl(office)
    assert (report.indexed, report.waiting, report.failed, report.stopped) == (0, 5, (), "")
    [batch] = report.batches
    assert (batch.batch_id, batch.files, batch.requests) == ("batch_1", 5, 5)
    assert batch.estimated_usd > 0
    again, ordinary = crawl(office), crawl(office, batch=False)
    assert (again.waiting, ordinary.waiting) == (5, 5), "an ordinary crawl leaves them to the batch, too"
    assert list(service.batches) == ["batch_1"]
    assert live_calls(server) == 0
    with office.open() as locator:
        status = locator.status_reader.status()
        progress = locator.status_reader.progress()
    assert [batch.batch_id for batch in status.batches] == ["batch_1"]
    assert (status.coverage.by_state, status.coverage.by_reason) == ({"pending": 5}, {"batch": 5})
    assert (progress.waiting, progress.in_batches) == (0, 5), "no crawl is under way meanwhile"


def test_a_full_crawl_leaves_them_to_the_batch_and_a_person_may_not_want_to_wait(
    office: Office, server: OpenAiServer, service: BatchServer
) -> None:
    office.write(2)
    crawl(office)
    with office.open() as locator:
        assert run_crawl(locator, "full").waiting == 2
        known = all_known(locator.registry)
        endings = {locator.indexer.index_file(file.file, verify=True).ending for file in known.values()}
        assert (endings, live_calls(server)) == ({"unchanged"}, 0)
        one = next(iter(known.values())).file
        assert locator.indexer.index_file(one, again=True).ending == "indexed"
    assert live_calls(server) == 1


def test_the_body_is_that_of_a_live_request(office: Office, server: OpenAiServer, service: BatchServer) -> None:
    office.write(1)
    crawl(office)
    [line] = service.lines("batch_1")
    assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")
    with office.open() as locator, locator.database.connection() as connection:
        connection.execute("TRUNCATE file_state, model_batch CASCADE")
    crawl(office, batch=False)
    [live] = [body for path, body in server.requests if path.endswith("/chat/completions")]
    assert line["body"] == live


def test_after_collection_a_crawl_asks_nothing_live_and_half_the_price_is_entered(
    office: Office, server: OpenAiServer, service: BatchServer
) -> None:
    office.write(4)
    crawl(office)
    service.end("batch_1", service.work("batch_1")[::-1])
    report = crawl(office)
    assert (report.indexed, report.waiting, report.batches, live_calls(server)) == (4, 0, (), 0)
    assert rows(office, "SELECT DISTINCT cost FROM model_answer") == [(pytest.approx(SUMMARY_COST / 2),)]
    assert rows(office, "SELECT calls, cost FROM model_usage WHERE task = 'summarise'") == [
        (4, pytest.approx(4 * SUMMARY_COST / 2))
    ]
    assert rows(office, "SELECT ended, answered FROM model_batch") == [("completed", 4)]
    assert service.files == {}, "what was uploaded is deleted"
    for file, summary in rows(office, "SELECT file_name, summary FROM drive_file_index"):
        assert f"第{int(file[2:5])}号" in summary, "each answer went to the file it is about, whatever the order"


def test_an_ordinary_crawl_collects_what_was_paid(office: Office, server: OpenAiServer, service: BatchServer) -> None:
    office.write(2)
    crawl(office)
    service.end("batch_1", service.work("batch_1"))
    assert crawl(office, batch=False).indexed == 2
    assert live_calls(server) == 0


def test_an_unusable_answer_is_not_remembered_and_its_file_is_asked_live(
    office: Office, server: OpenAiServer, service: BatchServer
) -> None:
    office.write(4)
    crawl(office)
    good, broken, refused, failed = service.work("batch_1")
    broken = service.line(broken["custom_id"], body=completion('{"summary": ""}'))
    refused = service.line(refused["custom_id"], body=completion("", refusal="no"))
    failed = service.line(failed["custom_id"], status=400, body={"error": {"message": "no"}})
    stranger = service.line("nobody-asked", body=completion(json.dumps({"summary": "x", "keywords": ["x"]})))
    service.end("batch_1", [broken, stranger, good, refused], [failed])
    told: list[str] = []
    report = crawl(office, told=told)
    assert (report.indexed, live_calls(server)) == (4, 3)
    assert rows(office, "SELECT count(*) FROM model_answer WHERE key = 'nobody-asked'") == [(0,)]
    assert any("3 questions failed" in line and "was refused" in line for line in told)
    assert list(service.batches) == ["batch_1"]


def test_what_expired_goes_into_the_next_batch(office: Office, server: OpenAiServer, service: BatchServer) -> None:
    office.write(3)
    crawl(office)
    done, *rest = service.work("batch_1")
    expired = [service.line(line["custom_id"], code="batch_expired") for line in rest]
    service.end("batch_1", [done], expired, status="expired")
    told: list[str] = []
    report = crawl(office, told=told)
    assert any("2 questions were not answered" in line for line in told)
    assert (report.indexed, report.waiting, live_calls(server)) == (1, 2, 0)
    assert len(service.lines("batch_2")) == 2


class Killed(BaseException):
    """As if the process had been killed."""


def test_killed_before_the_batch_was_noted_it_is_found_again(
    office: Office, server: OpenAiServer, service: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write(3)

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(PostgresBatchLog, "submitted", killed)
        with pytest.raises(Killed):
            crawl(office)
    report = crawl(office)
    assert (report.waiting, [batch.batch_id for batch in report.batches]) == (3, ["batch_1"])
    assert list(service.batches) == ["batch_1"]
    service.end("batch_1", service.work("batch_1"))
    assert (crawl(office).indexed, live_calls(server)) == (3, 0)


def test_a_batch_that_never_arrived_is_submitted_anew(office: Office, service: BatchServer) -> None:
    office.write(2)
    crawl(office)
    service.batches.clear()
    report = crawl(office)
    assert [batch.number for batch in report.batches] == [2]
    assert rows(office, "SELECT ended FROM model_batch ORDER BY number") == [("lost",), ("",)]


def test_an_answer_lost_on_its_way_leads_to_no_second_batch(
    office: Office, service: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write(2)
    service.lose_the_answer = True
    with office.open() as locator:
        locator.__dict__["clock"] = HeldClock(locator.clock.now())
        report = run_crawl(locator, batch=True)
    assert [batch.batch_id for batch in report.batches] == ["batch_1"]
    assert list(service.batches) == ["batch_1"]


def test_copies_of_one_text_are_one_question(office: Office, service: BatchServer) -> None:
    office.write(2)
    for number in range(3):
        (office.folder / f"写し{number}.txt").write_bytes((office.folder / "報告000.txt").read_bytes())
    [batch] = crawl(office).batches
    assert (batch.files, batch.requests) == (5, 2)
    (office.folder / "後の写し.txt").write_bytes((office.folder / "報告001.txt").read_bytes())
    [batch] = crawl(office).batches
    assert (batch.files, batch.requests) == (6, 2)
    service.end("batch_1", service.work("batch_1"))
    assert crawl(office).indexed == 6


def test_the_ceiling_is_kept_before_a_batch_is_submitted_and_while_it_is_waited_for(
    office: Office, server: OpenAiServer, service: BatchServer
) -> None:
    office.write(3)
    stopped = crawl(office, locator_max_cost_usd=1e-6)
    assert "LOCATOR_MAX_COST_USD" in stopped.stopped
    assert service.batches == {}
    [batch] = crawl(office).batches
    (office.folder / "新しい.txt").write_text("まったく新しい報告である。", encoding="utf-8")
    tight = crawl(office, batch=False, locator_max_cost_usd=batch.estimated_usd * 1.1)
    assert tight.stopped, "what the batch may cost is spoken for"
    assert live_calls(server) == 0


def test_files_edited_while_they_wait_are_asked_about_anew(office: Office, service: BatchServer) -> None:
    office.write(2)
    crawl(office)
    (office.folder / "報告000.txt").write_text("すっかり書き直した。", encoding="utf-8")
    assert len(crawl(office).batches) == 2
    service.end("batch_1", service.work("batch_1"))
    report = crawl(office)
    assert (report.indexed, report.waiting) == (1, 1)
    service.end("batch_2", service.work("batch_2"))
    assert crawl(office).indexed == 1


def test_waiting_looks_every_minute(office: Office, service: BatchServer) -> None:
    office.write(1)
    with office.open() as locator:
        clock = HeldClock(locator.clock.now())
        locator.__dict__["clock"] = clock
        run_crawl(locator, batch=True)
        told: list[str] = []

        def tell(line: str) -> None:
            told.append(line)
            if len(told) == 2:
                service.end("batch_1", service.work("batch_1"))

        assert locator.summary_batches is not None
        locator.summary_batches.wait(tell)
        assert clock.slept == [60.0, 60.0]
        assert run_crawl(locator, batch=True).indexed == 1


def test_a_server_without_batches_is_a_clear_configuration_error(office: Office, server: OpenAiServer) -> None:
    office.write(2)
    with pytest.raises(ConfigurationError, match="no Batch API"):
        crawl(office)
    assert crawl(office, batch=False).indexed == 2, "nothing is left waiting"


def test_without_a_model_of_a_server_there_is_no_batch(office: Office) -> None:
    office.settings |= {"openai_base_url": None, "openai_api_key": None}
    with pytest.raises(ConfigurationError, match="--batch"):
        crawl(office)


def test_no_text_of_a_file_comes_into_the_log(
    office: Office, service: BatchServer, caplog: pytest.LogCaptureFixture
) -> None:
    (office.folder / "秘密.txt").write_text("極秘事項である。", encoding="utf-8")
    with caplog.at_level(logging.DEBUG):
        crawl(office)
        service.end("batch_1", service.work("batch_1"))
        crawl(office)
    assert "極秘事項" not in caplog.text
    assert "sk-test" not in caplog.text


def test_a_new_prompt_is_asked_by_batch_while_the_old_summaries_stay_findable(
    office: Office, server: OpenAiServer, service: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.write(3)
    crawl(office, batch=False)
    live = live_calls(server)
    monkeypatch.setattr(prompts, "SUMMARY_VERSION", "next")
    monkeypatch.setattr(summaries, "SUMMARY_VERSION", "next")
    assert crawl(office).waiting == 3
    assert rows(office, "SELECT count(*) FROM drive_file_index") == [(3,)]
    service.end("batch_1", service.work("batch_1"))
    assert (crawl(office).indexed, live_calls(server)) == (3, live)
    assert rows(office, "SELECT DISTINCT prompt_version FROM model_batch") == [("next",)]


def test_the_sensor_leaves_waiting_files_alone_until_their_answers_are_there(
    office: Office, server: OpenAiServer, service: BatchServer
) -> None:
    office.write(2)
    crawl(office)
    with dg.DagsterInstance.ephemeral() as instance, office.open() as parts:
        assert index_runs(tick(parts, instance)) == []
        service.end("batch_1", service.work("batch_1"))
        assert parts.summary_batches is not None
        parts.summary_batches.collect(lambda _line: None)
        asked = tick(parts, instance)
    assert len(index_runs(asked)) == 1


def test_more_questions_than_one_batch_takes_go_into_several(
    office: Office, service: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_limits, "MOST_REQUESTS", 2)
    office.write(5)
    assert [batch.requests for batch in crawl(office).batches] == [2, 2, 1]
    assert sum(len(service.lines(batch_id)) for batch_id in service.batches) == 5
    assert crawl(office).waiting == 5
    for batch_id in service.batches:
        service.end(batch_id, service.work(batch_id))
    assert crawl(office).indexed == 5


def test_the_command_says_what_waits_and_status_names_the_batch(
    office: Office, service: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in office.settings.items():
        monkeypatch.setenv(name.upper(), str(value))
    office.write(2)
    run = CliRunner().invoke
    said = run(app, ["crawler", "--batch"])
    assert (said.exit_code, "batch_1" in said.stdout) == (0, True), said.output
    told = run(app, ["status"]).stdout
    assert "batch_1" in told
    assert "件済み" not in told, "no crawl is under way"
    assert told.index("処理待ち") < told.index("理由の内訳") < told.index("モデルのバッチの回答待ち")
    [batch] = json.loads(run(app, ["status", "--json"]).stdout)["batches"]
    assert (batch["batch_id"], batch["files"]) == ("batch_1", 2)
    assert run(app, ["crawler", "--wait"]).exit_code == 2
