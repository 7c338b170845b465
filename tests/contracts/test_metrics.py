"""Figures for Prometheus: what is counted, what is never told, and rules and dashboard that ask for what there is."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
import yaml

from locator_assets.commands.crawl import run_crawl
from locator_search.adapters.postgres import Database, PostgresFileRegistry, PostgresRequestSlots, PostgresUsageLog
from locator_search.adapters.postgres.history.metrics import PostgresMetricsReader
from locator_search.adapters.postgres.history.search_log import PostgresSearchLog
from locator_search.app.locator import open_locator
from locator_search.config.settings import Settings
from locator_search.core.usage import Usage
from locator_search.health.metrics import HELP, PREFIX, exposition
from locator_search.model import SearchOutcome
from locator_search.ports import Sample
from tests.builders.index import NOON, file_ref

DEPLOY = Path(__file__).parents[2] / "deploy"
LINE = re.compile(r'document_locator_\w+\{(?:\w+="(?:[^"\\\n]|\\.)*",?)*\} -?[0-9.e+-]+')


def shown(database: Database) -> str:
    return exposition(PostgresMetricsReader(database).samples())


def value(text: str, start: str) -> float:
    [line] = [line for line in text.splitlines() if line.startswith(PREFIX + start)]
    return float(line.rpartition(" ")[2])


@pytest.mark.dagster_tables
def test_what_a_crawl_left_is_counted_and_nothing_of_the_files_is_told(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "機密の計画.txt").write_text("北斗製鋼の見積もり", "utf-8")
    (folder / "白紙.txt").touch()
    (folder / "壊れた.pdf").write_text("%PDF-1.7 and then nothing", "utf-8")
    with open_locator(
        Settings(database_url=database_url, locator_home=tmp_path / "home", locator_folders=(str(folder),))
    ) as locator:
        run_crawl(locator)
    text = shown(database)
    assert 0 <= value(text, "crawl_age_seconds") < 600
    ended = re.findall(r'runs_ended_last_hour\{job="index_files\w*",status="(\w+)"\} 1', text)
    assert sorted(ended) == ["failure", "success"]
    seconds = re.findall(r'run_seconds_last_hour\{job="index_files\w*"\} (\S+)', text)
    assert seconds
    assert all(0 < float(each) < 600 for each in seconds)
    assert value(text, "crawl_slots{") == 1
    assert value(text, "crawl_slots_in_use") == 0
    assert value(text, 'files{state="indexed"}') == 1
    assert value(text, 'files_left_out{reason="empty",state="skipped"}') == 1
    assert value(text, 'files_left_out{reason="corrupt",state="failed"}') == 1
    assert not re.search(r"[^\x00-\x7f]", text)
    assert [line for line in text.splitlines() if not line.startswith("# ") and not LINE.fullmatch(line)] == []


def test_a_reason_in_words_of_somebody_is_counted_and_not_shown() -> None:
    labels = {"state": "failed", "reason": "secret-plan.pdf"}
    text = exposition([Sample("files_left_out", labels, 2), Sample("files_left_out", labels | {"reason": "x\n"}, 1)])
    assert value(text, 'files_left_out{reason="other",state="failed"}') == 3
    assert "secret-plan" not in text


def test_requests_in_flight_are_counted_over_all_programs(database: Database, database_url: str) -> None:
    with Database(database_url) as elsewhere:
        slots = PostgresRequestSlots(elsewhere)
        with slots.slot("a model"), slots.slot("a drive"):
            assert value(shown(database), "request_slots_in_use") == 2
            assert value(shown(database), "request_slots{") == 5
        assert value(shown(database), "request_slots_in_use") == 0


def test_the_limit_of_requests_is_that_of_the_settings_and_the_rule_compares_with_it(
    database_url: str, tmp_path: Path
) -> None:
    with open_locator(Settings(database_url=database_url, locator_home=tmp_path, locator_request_slots=40)) as locator:
        locator.upkeep.require_current()
        assert value(exposition(locator.metrics_reader.samples()), "request_slots{") == 40
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))["groups"][0]["rules"]
    [asked] = [rule["expr"] for rule in rules if rule["alert"] == "RequestsWait"]
    assert asked.endswith(f">= {PREFIX}request_slots")


def test_the_seconds_of_searches_are_a_histogram_that_prometheus_reads(database: Database) -> None:
    log = PostgresSearchLog(database)
    for seconds in (0.05, 0.3, 30.0):
        log.record("北斗製鋼の見積もり", SearchOutcome("found", ""), "page", seconds)
    text = shown(database)
    assert f"# TYPE {PREFIX}search_seconds histogram\n" in text
    found = re.findall(r'search_seconds_bucket\{le="(.+)",surface="page"\} (\d+)\n', text)
    assert found[:3] == [("0.1", "1"), ("0.25", "1"), ("0.5", "2")]
    assert found[-2:] == [("20", "2"), ("+Inf", "3")]
    assert value(text, 'search_seconds_count{surface="page"}') == 3
    assert value(text, 'search_seconds_sum{surface="page"}') == pytest.approx(30.35)


def test_the_seconds_of_steps_and_of_models_are_summed_by_their_kind(database: Database) -> None:
    log = PostgresSearchLog(database)
    log.record("予算", SearchOutcome("found", ""), "page", 1.0, {"Retrieve": 0.25, "Rerank": 0.5})
    log.record("予算", SearchOutcome("not_found", ""), "page", 1.0, {"Retrieve": 0.5})
    log.record("予算", SearchOutcome("found", ""), "page", 1.0)
    for seconds in (0.5, 1.0):
        PostgresUsageLog(database).add("summary", "gpt-mini", Usage(1, 10, 5, 0.01, seconds))
    text = shown(database)
    assert f"# TYPE {PREFIX}search_step_seconds summary\n" in text
    assert value(text, 'search_step_seconds_sum{step="Retrieve"}') == 0.75
    assert value(text, 'search_step_seconds_count{step="Retrieve"}') == 2
    assert value(text, 'search_step_seconds_count{step="Rerank"}') == 1
    assert value(text, 'searches_total{outcome="found",surface="page"}') == 2
    assert value(text, 'model_seconds_total{model="gpt-mini",task="summary"}') == 1.5


@pytest.mark.dagster_tables
def test_ticks_have_a_mean_duration_once_they_have_ended(database: Database) -> None:
    for seconds in (2, 4, None):
        began = time.time() - 60
        tick = {"timestamp": began, "end_timestamp": began + seconds if seconds else None}
        database.run(
            "INSERT INTO dagster.job_ticks (job_origin_id, status, type, timestamp, tick_body)"
            " VALUES ('1', 'SKIPPED', 'SENSOR', now() AT TIME ZONE 'UTC', %s)",
            [json.dumps(tick)],
        )
    assert value(shown(database), 'tick_seconds_last_hour{kind="sensor"}') == pytest.approx(3, abs=0.01)


def test_files_that_wait_for_a_model_contributions_and_sessions_are_counted(database: Database) -> None:
    PostgresFileRegistry(database).record_listing([file_ref("a"), file_ref("b")], NOON)
    database.run("UPDATE file_state SET state = 'indexed', stand_in = 'refused' WHERE file_id = 'a'")
    database.run("INSERT INTO contribution_meeting (meeting_id, group_name, folder) VALUES ('SA1#111', 'SA1', '')")
    database.run("INSERT INTO contribution (contribution_id, meeting_id, number) VALUES ('a', 'SA1#111', 'S1-254001')")
    database.run(
        "WITH person AS (INSERT INTO x_search_user (owner) VALUES ('') RETURNING id)"
        " INSERT INTO x_search_session"
        " (user_id, message_id, query, model_id, status, language, source, page_size, budget, expires_at)"
        " SELECT id, '1', '予算', 'offline', 'paused', 'ja', 'sample', 10, 1, now() FROM person"
    )
    text = shown(database)
    assert value(text, 'files_waiting_for_model{why="refused"}') == 1
    assert value(text, 'contributions{state="listed"}') == 1
    assert value(text, 'x_sessions{status="paused"}') == 1


@pytest.mark.dagster_tables
@pytest.mark.parametrize(
    ("left", "rests"),
    [
        ("INSERT INTO dagster.runs (run_id, status, run_body) VALUES ('1', 'QUEUED', '{}')", True),
        ("INSERT INTO dagster.runs (run_id, status, run_body) VALUES ('1', 'STARTED', '{}')", False),
        (
            "INSERT INTO dagster.concurrency_slots (concurrency_key, run_id, deleted)"
            " VALUES ('index_files', '1', false)",
            False,
        ),
    ],
)
def test_dagster_rests_where_no_run_is_under_way_or_holds_a_place(database: Database, left: str, rests: bool) -> None:
    assert PostgresMetricsReader(database).dagster_rests()
    database.run(left)
    assert PostgresMetricsReader(database).dagster_rests() is rests


def test_where_dagster_was_never_started_it_has_to_be(database: Database) -> None:
    assert not PostgresMetricsReader(database).dagster_rests()


@pytest.mark.dagster_tables
def test_a_queued_run_has_an_age(database: Database) -> None:
    assert value(shown(database), "queue_age_seconds") == 0
    database.run(
        "INSERT INTO dagster.runs (run_id, pipeline_name, status, run_body, create_timestamp, update_timestamp)"
        " VALUES ('1', 'index_files', 'QUEUED', '{}', now() AT TIME ZONE 'UTC' - interval '1 minute', now())"
    )
    assert value(shown(database), 'runs{job="index_files",status="queued"}') == 1
    assert 60 <= value(shown(database), "queue_age_seconds") < 600


def test_rules_and_dashboard_ask_for_figures_that_there_are() -> None:
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))["groups"][0]["rules"]
    dashboard = json.loads((DEPLOY / "dashboard.json").read_text("utf-8"))
    asked = [rule["expr"] for rule in rules]
    assert all(rule["annotations"]["summary"] and rule["alert"] for rule in rules)
    shown_there = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    figure = re.compile(rf"{PREFIX}(\w+?)(?:_bucket|_sum|_count)?\b")
    assert set(figure.findall(" ".join(asked))) <= HELP.keys()
    assert set(figure.findall(" ".join(shown_there))) == HELP.keys()
    for expression in asked + shown_there:
        assert expression.count("(") == expression.count(")")
        assert expression.count("{") == expression.count("}")
