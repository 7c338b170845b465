"""Running the code location inside a test, as the daemon would."""

from __future__ import annotations

from collections.abc import Sequence

import dagster as dg
from dagster._core.storage.partition_status_cache import get_and_update_asset_status_cache_value

from locator_assets.definitions import defs
from locator_assets.drive.assets import index_files
from locator_assets.drive.checks import health_job
from locator_assets.drive.findable import CHECK
from locator_assets.drive.sensors import drive_changes
from locator_assets.partitions import DRIVE_FILES, drive_files
from locator_assets.resources import CrawlParts
from tests.builders.crawl import CrawlBench


def tick(bench: CrawlParts, instance: dg.DagsterInstance, cursor: str | None = None) -> dg.SensorResult | dg.SkipReason:
    """One evaluation of the sensor."""
    with dg.build_sensor_context(instance=instance, cursor=cursor, resources={"parts": bench}) as context:
        answer = drive_changes(context)
    assert isinstance(answer, dg.SensorResult | dg.SkipReason)
    return answer


def execute(
    bench: CrawlParts, instance: dg.DagsterInstance, request: dg.RunRequest, tags: dict[str, str] | None = None
) -> dg.ExecuteInProcessResult:
    """Run what a tick asked for."""
    assert request.job_name is not None
    return defs.resolve_job_def(request.job_name).execute_in_process(
        run_config=request.run_config,
        instance=instance,
        tags={**(tags or {}), **request.tags},
        resources={"parts": bench, "on_result": lambda _result: None},
        raise_on_error=False,
    )


def settle(bench: CrawlBench, instance: dg.DagsterInstance, cursor: str | None = None) -> tuple[int, str | None]:
    """Tick and run until the sensor has nothing more to ask for; returns how many runs it took and the last cursor."""
    runs = 0
    while isinstance(answer := tick(bench, instance, cursor), dg.SensorResult):
        assert answer.run_requests
        cursor = answer.cursor
        for request in answer.run_requests:
            execute(bench, instance, request)
            runs += 1
    return runs, cursor


def pick_in_ui(
    bench: CrawlBench, instance: dg.DagsterInstance, file_id: str, stages: Sequence[str]
) -> dg.ExecuteInProcessResult:
    """A person selects one partition of some assets and presses Materialize."""
    return dg.materialize(
        [index_files],
        instance=instance,
        partition_key=bench.registry.partition_keys([file_id])[file_id],
        selection=list(stages),
        resources={"parts": bench, "on_result": lambda _result: None},
        raise_on_error=False,
    )


def partitions(bench: CrawlParts, instance: dg.DagsterInstance, asset: str, status: str) -> set[str]:
    """The files whose partitions the UI shows as `materialized`, `failed` or `in_progress`, computed as the UI does."""
    return set(bench.registry.files_of_partitions(list(keys_shown(instance, asset, status))).values())


def keys_shown(instance: dg.DagsterInstance, asset: str, status: str) -> set[str]:
    """The keys of those partitions."""
    cached = get_and_update_asset_status_cache_value(instance, dg.AssetKey(asset), drive_files)
    assert cached is not None
    subset = getattr(cached, f"deserialize_{status}_partition_subsets")(drive_files)
    return set(subset.get_partition_keys())


def events(instance: dg.DagsterInstance, asset: str) -> int:
    """How many materialisations of an asset there are."""
    return len(instance.fetch_materializations(dg.AssetKey(asset), limit=10_000).records)


def files_with_partitions(bench: CrawlParts, instance: dg.DagsterInstance) -> set[str]:
    """The ids of the files that have a partition; a partition without a file counts by its key."""
    keys = instance.get_dynamic_partitions(DRIVE_FILES)
    files = bench.registry.files_of_partitions(keys)
    return {files.get(key, key) for key in keys}


def index_runs(result: dg.SensorResult | dg.SkipReason) -> list[dg.RunRequest]:
    """The runs over files that a tick asks for; the checks after the first crawl are none."""
    asked = [] if isinstance(result, dg.SkipReason) else result.run_requests or []
    return [run for run in asked if run.job_name != health_job.name]


def said_of_findable_files(instance: dg.DagsterInstance) -> dg.AssetCheckEvaluation | None:
    """What Dagster shows of the check whether files are found; None before it was ever evaluated."""
    record = instance.event_log_storage.get_latest_asset_check_execution_by_key([CHECK]).get(CHECK)
    event = record.event.dagster_event if record is not None and record.event is not None else None
    return event.asset_check_evaluation_data if event is not None else None
