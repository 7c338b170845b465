"""What is kept of files that are gone, and of runs that ended: no longer than the settings say."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from locator_assets.commands.crawl import run_crawl
from locator_assets.instance import open_instance
from locator_assets.partitions import DRIVE_FILES
from locator_assets.retention import clear_away
from locator_search.core.clock import SystemClock
from locator_search.indexing.stages import STAGES
from tests.builders.model_office import Office, answer
from tests.dagster.runs import keys_shown
from tests.fakes.openai_server import OpenAiServer, Reply, error

pytestmark = pytest.mark.dagster_tables

SECRET = "秘密の買収計画"
KEPT = {"extracted_text": "document::text", "model_answer": "answer"}


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Moves the clock of the program on."""
    now, passed = SystemClock.now, [timedelta()]
    monkeypatch.setattr(SystemClock, "now", lambda self: now(self) + passed[0])

    def move(time: timedelta) -> None:
        passed[0] += time

    return move


def write(office: Office, name: str, text: str) -> Path:
    path = office.folder / name
    path.write_text(text, encoding="utf-8")
    return path


def remembered(office: Office, words: str) -> dict[str, int]:
    """In how many rows of each memory the words stand, the beginnings and summaries in Dagster's events among them."""
    columns = {**KEPT, "dagster.event_logs": "event", "dagster.asset_keys": "last_materialization"}
    escaped = words.encode("unicode_escape").decode()
    with office.open() as locator, locator.database.connection() as connection:
        return {
            table: connection.execute(
                f"SELECT count(*) FROM {table} WHERE {column} LIKE %s OR strpos({column}, %s) > 0",
                [f"%{words}%", escaped],
            ).fetchall()[0][0]
            for table, column in columns.items()
        }


def count(office: Office, table: str) -> int:
    with office.open() as locator, locator.database.connection() as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0])


def test_a_file_that_is_gone_is_forgotten_after_the_days_that_are_set(
    office: Office, server: OpenAiServer, later: Callable[[timedelta], None]
) -> None:
    office.write(3)
    gone = write(office, "計画.txt", SECRET)
    office.crawl()
    held = remembered(office, SECRET)
    assert min(held["extracted_text"], held["model_answer"], held["dagster.event_logs"]) > 0
    embeddings = count(office, "text_embedding")
    gone.unlink()
    office.crawl()
    later(timedelta(days=2))
    office.crawl()
    later(timedelta(days=28))
    office.crawl()
    assert remembered(office, SECRET)["extracted_text"], "30 days after it was seen that nobody needs it"
    later(timedelta(days=3))
    office.crawl()
    assert not any(remembered(office, SECRET).values())
    assert count(office, "text_embedding") == embeddings - 2, "that of the file, and that of its chunk"
    assert count(office, "extracted_text") == count(office, "model_answer") == 3

    made = len(server.requests)
    with office.open() as locator:
        run_crawl(locator, "full")
    assert len(server.requests) == made, "nothing that is needed was forgotten"


def test_nothing_is_kept_where_the_setting_is_0(office: Office, server: OpenAiServer) -> None:
    office.write(2)
    gone = write(office, "計画.txt", SECRET)
    office.crawl(locator_forget_days=0)
    assert remembered(office, SECRET)["extracted_text"] == 1
    gone.unlink()
    office.crawl(locator_forget_days=0)
    assert not any(remembered(office, SECRET).values())
    made = len(server.requests)
    with office.open(locator_forget_days=0) as locator:
        run_crawl(locator, "full")
    assert len(server.requests) == made


def test_what_a_copy_needs_is_not_forgotten(office: Office, server: OpenAiServer) -> None:
    gone = write(office, "計画.txt", SECRET)
    write(office, "写し.txt", SECRET)
    office.crawl(locator_forget_days=0)
    gone.unlink()
    office.crawl(locator_forget_days=0)
    assert remembered(office, SECRET)["extracted_text"] == remembered(office, SECRET)["model_answer"] == 1
    (office.folder / "写し.txt").unlink()
    write(office, "別.txt", "別の文書")
    office.crawl(locator_forget_days=0)
    assert not any(remembered(office, SECRET).values())


def test_what_a_file_said_before_it_was_edited_is_forgotten(office: Office, server: OpenAiServer) -> None:
    path = write(office, "計画.txt", SECRET)
    office.crawl(locator_forget_days=0, locator_history_days=0)
    path.write_text("公開する計画", encoding="utf-8")
    os.utime(path, (2_000_000_000, 2_000_000_000))
    assert office.crawl(locator_forget_days=0, locator_history_days=0).indexed == 1
    left = remembered(office, SECRET)
    assert (left["extracted_text"], left["model_answer"], left["dagster.event_logs"]) == (0, 0, 0)


def test_dagster_keeps_the_last_word_on_every_file_and_no_more(
    office: Office, server: OpenAiServer, later: Callable[[timedelta], None]
) -> None:
    office.write(6)
    for round_ in range(3):
        for path in office.folder.iterdir():
            path.write_text(f"{path.name}の第{round_}版", encoding="utf-8")
            os.utime(path, (1_800_000_000 + round_, 1_800_000_000 + round_))
        office.crawl()
    broken = write(office, "壊れた.pdf", "%PDF-1.4 not really")
    office.crawl()
    before = count(office, "dagster.event_logs")
    with office.open() as locator, open_instance(locator) as instance:
        assert clear_away(locator, instance).history.events == 0, "nothing is old yet"
        later(timedelta(days=31))
        done = clear_away(locator, instance)
        assert done.history.runs > 0
        assert count(office, "dagster.event_logs") == before - done.history.events
        files = set(instance.get_dynamic_partitions(DRIVE_FILES))
        failed = {file_id for file_id in files if failed_in(instance, file_id)}
        assert len(failed) == 1, broken.name
        for stage in STAGES:
            assert keys_shown(instance, stage, "materialized") >= files - failed
            records = instance.fetch_materializations(dg.AssetKey(stage), limit=100).records
            assert len({record.partition_key for record in records}) == len(records), "one of each file"
            assert all(instance.get_run_by_id(record.run_id) for record in records), "the run behind it is there"
        assert keys_shown(instance, "extracted_text", "failed") == failed, "the stage that failed says so, and no other"
        assert [stage for stage in STAGES if keys_shown(instance, stage, "failed")] == ["extracted_text"]
        again = clear_away(locator, instance)
        assert (again.history.events, again.history.runs) == (0, 0)
    logs = Path(office.settings["locator_home"]) / "dagster" / "storage"
    assert not list(logs.glob("*/compute_logs/*"))


def test_the_history_of_crawls_goes_with_dagsters_and_never_within_the_week_an_alarm_looks_back(
    office: Office, server: OpenAiServer, later: Callable[[timedelta], None]
) -> None:
    office.write(1)
    office.crawl()
    with office.open(locator_history_days=0) as locator, open_instance(locator) as instance:
        kept = locator.status_reader.runs()
        assert kept
        later(timedelta(days=6))
        assert clear_away(locator, instance).crawl_runs == 0
        later(timedelta(days=2))
        assert clear_away(locator, instance).crawl_runs == len(kept)
        assert locator.status_reader.runs() == []


def failed_in(instance: dg.DagsterInstance, file_id: str) -> bool:
    records = instance.fetch_observations(dg.AssetRecordsFilter(dg.AssetKey(STAGES[-1]), [file_id]), limit=1).records
    return any("state" in one.asset_observation.metadata for one in records if one.asset_observation)


def test_runs_under_way_keep_what_they_have_said(office: Office, server: OpenAiServer, later: Any) -> None:
    office.write(1)
    office.crawl()
    with office.open() as locator, open_instance(locator) as instance:
        run = dg.DagsterRun(job_name="index_files_job", status=dg.DagsterRunStatus.STARTED)
        instance.add_run(run)
        instance.report_engine_event("under way", run)
        later(timedelta(days=400))
        clear_away(locator, instance)
        assert instance.get_run_by_id(run.run_id) is not None
        assert len(instance.all_logs(run.run_id)) == 1


def test_the_answer_a_file_was_paid_for_outlives_a_crawl_that_broke_off(office: Office, server: OpenAiServer) -> None:
    def dear(path: str, body: dict[str, Any]) -> Reply:
        if path.endswith("/embeddings"):
            return Reply(error("quota", 429, code="insufficient_quota"), 429)
        return answer(path, body)

    server.handler = dear
    office.write(3)
    assert office.crawl(locator_forget_days=0).stopped
    assert count(office, "model_answer") >= 1
