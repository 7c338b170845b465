"""What a person asks for on the page becomes a run, once, also when the run's worker is lost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest

from locator_assets.contributions.sensors import contribution_requests
from locator_assets.definitions import defs
from locator_assets.staged.runs import run_lock
from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from tests.builders.meetings import ContributionBench, docx, put
from tests.fakes.clock import HeldClock

IDS = ["SA1#111/S1-254001", "SA1#111/S1-254002"]


@pytest.fixture
def bench(database_url: str, tmp_path: Path, extractor: IsolatedExtractor) -> Iterator[ContributionBench]:
    for number in (1, 2):
        put(tmp_path / "tree", f"S1-25400{number}.docx", docx("5.2.1 Registration", f"Text {number}."))
    opened = ContributionBench(str(tmp_path / "tree"), database_url, tmp_path / "home", extractor)
    yield opened
    opened.close()


def tick(
    bench: ContributionBench, instance: dg.DagsterInstance, cursor: str | None = None
) -> dg.SensorResult | dg.SkipReason:
    context = dg.build_sensor_context(
        instance=instance, cursor=cursor, resources={"contribution_parts": bench.parts}, definitions=defs
    )
    decided = contribution_requests(context)
    assert isinstance(decided, dg.SensorResult | dg.SkipReason)
    return decided


def requests_of(decided: dg.SensorResult | dg.SkipReason) -> list[dg.RunRequest]:
    assert isinstance(decided, dg.SensorResult), decided
    return list(decided.run_requests or ())


def perform(bench: ContributionBench, instance: dg.DagsterInstance, request: dg.RunRequest) -> bool:
    assert request.job_name is not None
    return (
        defs.resolve_job_def(request.job_name)
        .execute_in_process(
            run_config=request.run_config,
            instance=instance,
            resources={"contribution_parts": bench.parts, "on_contribution": lambda _result: None},
            raise_on_error=False,
        )
        .success
    )


def test_nobody_who_asks_for_nothing_gets_tables(bench: ContributionBench, instance: dg.DagsterInstance) -> None:
    decided = tick(bench, instance)
    assert isinstance(decided, dg.SkipReason)
    assert not bench.parts.in_use
    bench.sync()
    assert bench.parts.in_use
    assert isinstance(tick(bench, instance), dg.SkipReason)


def test_meetings_are_listed_and_contributions_indexed_when_somebody_asks(
    bench: ContributionBench, instance: dg.DagsterInstance
) -> None:
    bench.parts.requests.add("sync", [""])
    decided = tick(bench, instance)
    (listing,) = requests_of(decided)
    assert perform(bench, instance, listing)
    assert [meeting.meeting_id for meeting in bench.parts.store.meetings()] == ["SA1#111"]
    assert bench.parts.requests.waiting("sync") == []

    bench.parts.requests.add("index", [*IDS, IDS[0]])
    decided = tick(bench, instance, "1")
    (indexing,) = requests_of(decided)
    assert isinstance(decided, dg.SensorResult)
    assert decided.cursor == "2"
    assert perform(bench, instance, indexing)
    assert [known.state for known in bench.parts.store.contributions()] == ["indexed", "indexed"]
    assert bench.parts.requests.waiting("index") == []


def test_an_archive_that_does_not_answer_leaves_nobody_waiting(
    bench: ContributionBench, instance: dg.DagsterInstance, tmp_path: Path
) -> None:
    bench.sync()
    bench.parts.requests.add("index", IDS)
    (indexing,) = requests_of(tick(bench, instance))
    (tmp_path / "tree").rename(tmp_path / "gone")
    assert not perform(bench, instance, indexing)
    assert bench.parts.requests.waiting("index") == []


def test_what_is_under_way_is_not_asked_for_twice_unless_its_worker_is_lost(
    bench: ContributionBench, instance: dg.DagsterInstance
) -> None:
    bench.sync()
    bench.parts.requests.add("index", IDS)
    (indexing,) = requests_of(tick(bench, instance))
    run = instance.create_run_for_job(defs.resolve_job_def("index_contributions_job"), run_config=indexing.run_config)
    assert isinstance(tick(bench, instance), dg.SkipReason)
    instance.report_dagster_event(dg.DagsterEvent(dg.DagsterEventType.RUN_START.value, run.job_name), run.run_id)
    with bench.parts.locks.hold(run_lock(run.run_id)):
        bench.locator.clock = HeldClock(datetime.now(UTC) + timedelta(minutes=5))
        assert isinstance(tick(bench, instance), dg.SkipReason)
    (again,) = requests_of(tick(bench, instance, "1"))
    assert again.run_key != indexing.run_key
    lost = instance.get_run_by_id(run.run_id)
    assert lost is not None
    assert lost.status is dg.DagsterRunStatus.FAILURE
