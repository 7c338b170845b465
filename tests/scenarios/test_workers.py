"""Two workers with homes of their own share one database, one folder and one model service."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections import Counter
from pathlib import Path

import psycopg
import pytest

from tests.builders.commands import StartedCommand
from tests.builders.model_office import Office, answer
from tests.builders.waiting import wait_until
from tests.fakes.openai_server import Body, OpenAiServer, Reply

pytestmark = pytest.mark.dagster_tables

FILES = 60
REQUEST_SLOTS = 10


@pytest.fixture
def slow(server: OpenAiServer) -> OpenAiServer:
    def slowly(path: str, body: Body) -> Reply:
        reply = answer(path, body)
        return Reply(reply.body, reply.status, delay=0.3)

    server.handler = slowly
    return server


def worker(office: Office, home: Path) -> StartedCommand:
    given = {name.upper(): str(value) for name, value in office.settings.items()}
    slots = {"LOCATOR_CRAWL_SLOTS": "2", "LOCATOR_REQUEST_SLOTS": str(REQUEST_SLOTS)}
    home.mkdir()
    return StartedCommand(("crawler", "--json"), {**os.environ, **given, **slots, "LOCATOR_HOME": str(home)}, home)


def summarised(server: OpenAiServer) -> Counter[str]:
    """How often the summary of each text was asked for."""
    bodies = [body for _, body in list(server.requests) if "response_format" in body]
    return Counter(json.loads(body["messages"][1]["content"])["text"] for body in bodies)


def chunks_by_file(database_url: str) -> dict[str, int]:
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(
            "SELECT f.file_name, count(*) FROM drive_file_index f JOIN file_chunk USING (file_id) GROUP BY f.file_id"
        )
        return dict(rows.fetchall())


def times_made(database_url: str, stage: str) -> dict[str, int]:
    """How often Dagster was told that a stage of each file was made."""
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(
            "SELECT file_name, count(*) FROM dagster.event_logs JOIN file_state ON partition = partition_key"
            " WHERE asset_key = %s AND dagster_event_type = 'ASSET_MATERIALIZATION' GROUP BY file_id",
            [json.dumps([stage])],
        )
        return dict(rows.fetchall())


def runs_under_way(database_url: str) -> int:
    with psycopg.connect(database_url) as connection:
        row = connection.execute("SELECT count(*) FROM dagster.runs WHERE status = 'STARTED'").fetchone()
        return row[0] if row else 0


def test_a_second_worker_joins_and_nothing_is_paid_or_indexed_twice(
    office: Office, slow: OpenAiServer, database_url: str, tmp_path: Path
) -> None:
    office.write(FILES)
    both_work, answers = threading.Event(), slow.handler

    def when_both_work(path: str, body: Body) -> Reply:
        assert both_work.wait(100)
        return answers(path, body)

    slow.handler = when_both_work
    one, other = worker(office, tmp_path / "one"), worker(office, tmp_path / "other")
    wait_until(lambda: runs_under_way(database_url) == 2)
    both_work.set()
    ended = one.end(), other.end()
    assert [one.returncode for one in ended] == [0, 0], [one.stderr for one in ended]
    reports = [json.loads(one.stdout) for one in ended]
    assert all(report["model_calls"] for report in reports), "both had a part of it"
    assert not any(report["without_embeddings"] for report in reports), "one gives vectors to words of the other"
    once_each = {f"報告{number:03}.txt": 1 for number in range(FILES)}
    assert times_made(database_url, "file_summary") == once_each
    assert summarised(slow).total() == len(summarised(slow)) == FILES
    assert chunks_by_file(database_url) == once_each


def test_when_one_worker_is_killed_the_other_finishes(
    office: Office, slow: OpenAiServer, database_url: str, tmp_path: Path
) -> None:
    office.write(FILES)
    one, other = worker(office, tmp_path / "one"), worker(office, tmp_path / "other")
    wait_until(lambda: summarised(slow).total() > FILES // 4)
    os.kill(one.pid, signal.SIGKILL)
    ended = other.end()
    assert ended.returncode == 0, ended.stderr
    assert chunks_by_file(database_url) == {f"報告{number:03}.txt": 1 for number in range(FILES)}
    lost_with_it = summarised(slow).total() - FILES
    assert lost_with_it <= REQUEST_SLOTS, "no more than what it was just asking for"
