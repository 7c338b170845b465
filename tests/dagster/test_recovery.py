"""Runs whose worker is gone: found, reported, and their files made again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest
from dagster._core.utils import make_new_run_id
from sqlalchemy.exc import IntegrityError

from locator_assets.definitions import defs
from locator_assets.drive.recovery import POOL, files_under_way, pool_is_taken, recover_lost_runs, set_pool_slots
from locator_assets.partitions import enter_partitions
from locator_assets.staged.runs import OWNED_TAG, alive, run_lock
from tests.builders.crawl import CrawlBench

pytestmark = pytest.mark.dagster_tables

LATER = datetime.now(UTC) + timedelta(hours=12)  # whenever in a long session the test comes to run
NOW = datetime.now(UTC)


def started_run(
    instance: dg.DagsterInstance, *file_ids: str, tags: dict[str, str] | None = None, run_id: str | None = None
) -> str:
    run = instance.create_run_for_job(
        defs.resolve_job_def("index_files_job"),
        run_id=run_id,
        run_config={"ops": {"index_files": {"config": {"file_ids": list(file_ids)}}}},
        tags=tags,
    )
    instance.report_dagster_event(dg.DagsterEvent(dg.DagsterEventType.RUN_START.value, run.job_name), run.run_id)
    return run.run_id


def status(instance: dg.DagsterInstance, run_id: str) -> dg.DagsterRunStatus:
    run = instance.get_run_by_id(run_id)
    assert run is not None
    return run.status


def test_a_started_run_without_a_living_worker_is_lost(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    run_id = started_run(instance, "a", "b")
    assert recover_lost_runs(instance, bench.registry, bench.locks, LATER) == ["a", "b"]
    assert status(instance, run_id) is dg.DagsterRunStatus.FAILURE
    assert recover_lost_runs(instance, bench.registry, bench.locks, LATER) == []


def test_a_run_whose_worker_lives_is_left_alone(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    run_id = started_run(instance, "a")
    with bench.locks.hold(run_lock(run_id)):
        assert recover_lost_runs(instance, bench.registry, bench.locks, LATER) == []
    assert status(instance, run_id) is dg.DagsterRunStatus.STARTED


def test_a_run_that_has_only_just_started_has_time_to_show_itself(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    started_run(instance, "a")
    assert recover_lost_runs(instance, bench.registry, bench.locks, NOW) == []


def test_a_run_of_the_command_is_lost_at_once_because_it_was_held_from_the_start(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    run_id = make_new_run_id()
    started_run(instance, "a", tags={OWNED_TAG: run_id}, run_id=run_id)
    assert recover_lost_runs(instance, bench.registry, bench.locks, NOW) == ["a"]


def test_checks_of_a_command_that_was_lost_are_no_run_for_ever_and_leave_no_files_behind(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    checks = defs.resolve_job_def("index_health_job")
    lost = make_new_run_id()
    instance.create_run_for_job(checks, run_id=lost, tags={OWNED_TAG: lost})
    of_the_daemon = instance.create_run_for_job(checks).run_id
    assert recover_lost_runs(instance, bench.registry, bench.locks, LATER) == []
    assert status(instance, lost) is dg.DagsterRunStatus.FAILURE
    assert status(instance, of_the_daemon) is dg.DagsterRunStatus.NOT_STARTED


def test_a_run_of_the_command_that_is_run_again_holds_a_lock_of_its_own_and_has_time_to_take_it(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    again = started_run(instance, "a", tags={OWNED_TAG: make_new_run_id()})  # Dagster copies the tags of the first
    assert recover_lost_runs(instance, bench.registry, bench.locks, NOW) == []
    run = instance.get_run_by_id(again)
    assert run is not None
    with alive(run, bench.locks):
        assert bench.locks.is_held(run_lock(again))


def test_files_under_way_are_known_by_id_also_where_a_run_names_their_partition(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    picked = bench.write("週報.txt", "本文")
    bench.registry.record_listing([picked], NOW)
    key = enter_partitions(instance, bench.registry, [picked.file_id])[picked.file_id]
    started_run(instance, "a", "b")
    started_run(instance, tags={"dagster/partition": key})
    assert files_under_way(instance, bench.registry) == {"a", "b", picked.file_id}


def test_files_of_a_backfill_over_a_range_are_under_way(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    files = [bench.write(f"週報 {number}.txt", "本文") for number in range(5)]
    bench.registry.record_listing(files, NOW)
    keys = [enter_partitions(instance, bench.registry, [file.file_id])[file.file_id] for file in files]
    ends = {"dagster/asset_partition_range_start": keys[1], "dagster/asset_partition_range_end": keys[3]}
    run = started_run(instance, tags=ends)
    assert files_under_way(instance, bench.registry) == {file.file_id for file in files[1:4]}
    assert sorted(recover_lost_runs(instance, bench.registry, bench.locks, LATER)) == sorted(
        file.file_id for file in files[1:4]
    ), run


def test_the_pool_slot_of_a_lost_run_is_freed(bench: CrawlBench, stored_instance: dg.DagsterInstance) -> None:
    instance, storage = stored_instance, stored_instance.event_log_storage
    storage.set_concurrency_slots("index_files", 1)
    lost = started_run(instance, "a")
    storage.claim_concurrency_slot("index_files", lost, "index_files")
    recover_lost_runs(instance, bench.registry, bench.locks, LATER)
    assert storage.claim_concurrency_slot("index_files", "the next run", "index_files").is_claimed


def test_a_run_that_waits_for_the_slot_of_a_living_one_is_not_lost(
    bench: CrawlBench, stored_instance: dg.DagsterInstance
) -> None:
    instance, storage = stored_instance, stored_instance.event_log_storage
    storage.set_concurrency_slots("index_files", 1)
    working, waiting = started_run(instance, "a"), started_run(instance, "b")
    storage.claim_concurrency_slot("index_files", working, "index_files")
    storage.claim_concurrency_slot("index_files", waiting, "index_files")
    with bench.locks.hold(run_lock(working)):
        assert recover_lost_runs(instance, bench.registry, bench.locks, LATER) == []
    assert recover_lost_runs(instance, bench.registry, bench.locks, LATER) == ["a"], "the one that held the slot"
    assert recover_lost_runs(instance, bench.registry, bench.locks, LATER) == ["b"], (
        "nobody took the slot that became free"
    )


def test_a_pool_held_by_a_lost_run_is_seen_as_taken_until_it_is_recovered(
    bench: CrawlBench, stored_instance: dg.DagsterInstance
) -> None:
    storage = stored_instance.event_log_storage
    storage.set_concurrency_slots("index_files", 1)
    assert not pool_is_taken(stored_instance)
    storage.claim_concurrency_slot("index_files", started_run(stored_instance, "a"), "index_files")
    assert pool_is_taken(stored_instance)
    recover_lost_runs(stored_instance, bench.registry, bench.locks, LATER)
    assert not pool_is_taken(stored_instance)


def test_a_failed_run_gives_its_slot_back_although_no_daemon_is_there_to_take_it(
    bench: CrawlBench, stored_instance: dg.DagsterInstance
) -> None:
    instance, storage = stored_instance, stored_instance.event_log_storage
    storage.set_concurrency_slots("index_files", 1)
    failed, queued = started_run(instance, "a"), started_run(instance, "b")
    for run_id in (failed, queued):
        storage.claim_concurrency_slot("index_files", run_id, "index_files")
        run = instance.get_run_by_id(run_id)
        assert run is not None
        instance.report_run_failed(run, "as the run monitoring of a daemon does that then ended")
    with bench.locks.hold(run_lock(failed)):
        recover_lost_runs(instance, bench.registry, bench.locks, NOW)
        assert pool_is_taken(instance), "its worker still ends"
    recover_lost_runs(instance, bench.registry, bench.locks, NOW)
    assert not pool_is_taken(instance)
    assert storage.claim_concurrency_slot("index_files", "the next run", "index_files").is_claimed


def test_processes_that_enter_the_pool_at_once_both_have_it(
    stored_instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = stored_instance.event_log_storage
    enter, beaten = storage.set_concurrency_slots, iter([True])

    def enter_after_another(key: str, slots: int) -> None:
        enter(key, slots)
        if next(beaten, False):
            raise IntegrityError("INSERT", {}, Exception("duplicate key"))

    monkeypatch.setattr(storage, "set_concurrency_slots", enter_after_another)
    set_pool_slots(stored_instance, 3)
    assert storage.get_concurrency_info(POOL).slot_count == 3
