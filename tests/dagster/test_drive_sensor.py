"""The sensor over Google Drive: asks for changes, and leaves long listings to a run of their own."""

from __future__ import annotations

import dagster as dg
import pytest

from locator_assets.definitions import defs
from locator_assets.drive import sensors
from locator_assets.drive.checks import coverage_equals_listing
from locator_search.dev.drive_emulator import DriveEmulator, FaultRule
from tests.builders.drive import DriveBench
from tests.builders.registry import all_known
from tests.dagster.runs import execute, files_with_partitions, settle, tick
from tests.dagster.test_sensor import requested, skipped


def test_the_first_tick_lists_and_those_after_ask_for_changes_only(
    drive: DriveEmulator, drive_bench: DriveBench, instance: dg.DagsterInstance
) -> None:
    bench = drive_bench
    drive.add_synthetic(12, bench.target, per_folder=4)
    _, cursor = settle(bench, instance)
    assert bench.count("drive_file_index") == 12
    bench.requests()
    assert skipped(tick(bench, instance, cursor)) == "Nothing has changed."
    assert bench.requests() == {"changes.list": 1}
    sync = bench.status_reader.status().last_sync
    assert sync is not None
    assert sync.listed == 12


def test_one_tick_after_changes_the_index_and_the_partitions_are_right(
    drive: DriveEmulator, drive_bench: DriveBench, instance: dg.DagsterInstance
) -> None:
    bench = drive_bench
    files = drive.add_synthetic(12, bench.target, per_folder=4)
    _, cursor = settle(bench, instance)
    bench.requests()
    drive.write(files[0], "改訂した本文")
    drive.delete(files[1])
    drive.trash(drive.item(files[4]).parents[0])
    new = drive.add_file("新規.txt", "新しい文書", bench.target)
    answer = tick(bench, instance, cursor)
    runs = requested(answer)
    assert [run.job_name for run in runs] == ["index_files_job", "purge_files_job"]
    for run in runs:
        execute(bench, instance, run)
    assert bench.requests() == {"changes.list": 1, "files.media": 2}
    assert files_with_partitions(bench, instance) == set(all_known(bench.registry))
    assert new in all_known(bench.registry)
    assert bench.count("drive_file_index") == 12 - 1 - 4 + 1
    assert bench.agrees_with_a_full_listing()


def test_a_file_that_comes_back_before_its_purge_run_stays(
    drive: DriveEmulator, drive_bench: DriveBench, instance: dg.DagsterInstance
) -> None:
    bench = drive_bench
    files = drive.add_synthetic(2, bench.target)
    _, cursor = settle(bench, instance)
    drive.trash(files[0])
    answer = tick(bench, instance, cursor)
    [purge] = requested(answer)
    drive.untrash(files[0])
    bench.look()
    execute(bench, instance, purge)
    assert isinstance(answer, dg.SensorResult)
    settle(bench, instance, answer.cursor)
    assert bench.agrees_with_a_full_listing()
    assert bench.count("drive_file_index") == 2


def test_a_listing_too_long_for_a_tick_is_left_to_a_run(
    drive: DriveEmulator, drive_bench: DriveBench, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = drive_bench
    drive.add_synthetic(8, bench.target, per_folder=2)
    monkeypatch.setattr(sensors, "SECONDS_PER_TICK", -1)
    answer = tick(bench, instance)
    assert [run.job_name for run in requested(answer)] == ["index_files_job", "reconcile_job"]
    for run in requested(answer):
        assert execute(bench, instance, run).success
    assert isinstance(answer, dg.SensorResult)
    bench.requests()
    answer = tick(bench, instance, answer.cursor)
    assert bench.requests() == {"changes.list": 1}, "the run has saved where the changes go on"
    [run] = requested(answer)
    assert len(run.run_config["ops"]["index_files"]["config"]["file_ids"]) == 7


def test_a_new_folder_too_large_for_a_tick_is_left_to_a_run(
    drive: DriveEmulator, drive_bench: DriveBench, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = drive_bench
    drive.add_file("a.txt", "本文", bench.target)
    _, cursor = settle(bench, instance)
    before = bench.feed_log.position()
    drive.add_synthetic(8, drive.add_folder("入って来た", bench.target), per_folder=2)
    monkeypatch.setattr(sensors, "SECONDS_PER_TICK", -1)
    answer = tick(bench, instance, cursor)
    assert "reconcile_job" in [run.job_name for run in requested(answer)]
    assert bench.feed_log.position() == before


def test_while_a_reconciliation_is_queued_the_sensor_waits(
    drive_bench: DriveBench, instance: dg.DagsterInstance
) -> None:
    instance.create_run_for_job(defs.resolve_job_def("reconcile_job"), status=dg.DagsterRunStatus.NOT_STARTED)
    assert "reconciliation" in skipped(tick(drive_bench, instance))
    assert drive_bench.requests() == {}


def test_the_reconciliation_finds_what_the_changes_did_not_tell(
    drive: DriveEmulator, drive_bench: DriveBench, instance: dg.DagsterInstance
) -> None:
    bench = drive_bench
    files = drive.add_synthetic(3, bench.target)
    _, cursor = settle(bench, instance)
    drive.delete(files[0], announce="nothing")
    assert skipped(tick(bench, instance, cursor)) == "Nothing has changed."
    execute(bench, instance, dg.RunRequest(job_name="reconcile_job"))
    assert bench.agrees_with_a_full_listing()
    assert files_with_partitions(bench, instance) == set(files[1:])


def test_a_drive_that_does_not_answer_is_told_and_nothing_moves(
    drive: DriveEmulator, drive_bench: DriveBench, instance: dg.DagsterInstance
) -> None:
    bench = drive_bench
    files = drive.add_synthetic(2, bench.target)
    _, cursor = settle(bench, instance)
    drive.delete(files[0])
    drive.set_faults(FaultRule(faults=("503",), method="changes.list"))
    assert "nothing is deleted" in skipped(tick(bench, instance, cursor))
    drive.set_faults()
    settle(bench, instance, cursor)
    assert bench.agrees_with_a_full_listing()


def test_the_hourly_coverage_check_lists_nothing(
    drive: DriveEmulator, drive_bench: DriveBench, instance: dg.DagsterInstance
) -> None:
    drive.add_synthetic(3, drive_bench.target)
    settle(drive_bench, instance)
    drive_bench.requests()
    answer = coverage_equals_listing(drive_bench)
    assert isinstance(answer, dg.AssetCheckResult)
    assert answer.passed
    assert drive_bench.requests() == {}
