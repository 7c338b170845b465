"""Sessions of X search that nobody opens again are deleted all the same."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import dagster as dg
import pytest

from locator_assets.definitions import defs
from locator_assets.x_sessions import abandoned_x_sessions, expired_x_sessions, take_up_x_session_job
from locator_search.adapters.postgres.x.work import PostgresSessionWork
from locator_search.core.errors import AccessDenied
from tests.builders.x_bench import XBench
from tests.fakes.x_server import x_server

QUESTION = "インボイス制度の反応"


def test_the_sensor_runs_by_itself_and_deletes_what_has_expired(database_url: str, tmp_path: Path) -> None:
    sensor = defs.get_repository_def().get_sensor_def("expired_x_sessions")
    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING
    with closing(XBench(database_url, tmp_path)) as bench:
        old, kept = (bench.x.start(question) for question in ("電車の遅延", "在宅勤務の不満"))
        bench.rows("UPDATE x_search_session SET expires_at = now() WHERE id = %s RETURNING 1", old.session_id)
        told = expired_x_sessions(dg.build_sensor_context(resources={"x_sessions": bench.x.store}))
        assert isinstance(told, dg.SkipReason)
        assert told.skip_message == "1 sessions had expired."
        assert bench.x.get(kept.session_id) == kept
        [[left]] = bench.rows("SELECT count(*) FROM x_search_session")
        assert left == 1
        with pytest.raises(AccessDenied):
            bench.x.get(old.session_id)


def test_a_session_whose_worker_died_is_taken_up_once_and_nothing_is_bought_twice(
    database_url: str, tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    with x_server(posts=100) as server, closing(XBench(database_url, tmp_path, server)) as bench:
        server.per_query = 20
        dead, stopped, untouched = (bench.x.start(QUESTION, budget=5.0).session_id for _ in range(3))
        for session_id in (dead, stopped):
            worker = PostgresSessionWork(bench.database, session_id)
            assert worker.claim()
            worker.save_queries(["インボイス", "請求書", "経理", "適格請求書", "消費税", "免税事業者"])
        worker.pause("a person stopped it")

        assert asked_for(bench) == []  # their leases have not run out
        bench.rows(
            "UPDATE x_search_session SET lease_until = now() - interval '1 s' WHERE lease_owner <> '' RETURNING 1"
        )
        [request] = asked_for(bench)
        assert request.run_config["ops"]["take_up_x_session"]["config"] == {"session_id": dead}
        assert request.run_key == asked_for(bench)[0].run_key  # Dagster starts it once

        for _ in range(2):
            run = take_up_x_session_job.execute_in_process(
                request.run_config, instance=instance, resources={"x_search": bench.x}
            )
            assert run.success
        session = bench.x.get(dead)
        assert (session.status, len(server.requests)) == ("done", 6)
        assert session.cost_usd == pytest.approx(0.005 * len(server.billed))
        assert asked_for(bench) == []
        assert {bench.x.get(one).status for one in (stopped, untouched)} == {"paused", "running"}


def asked_for(bench: XBench) -> list[dg.RunRequest]:
    result = abandoned_x_sessions(dg.build_sensor_context(resources={"x_search": bench.x}))
    assert isinstance(result, dg.SensorResult)
    return list(result.run_requests or [])
