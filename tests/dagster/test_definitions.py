"""The code location as a whole: it loads, and its graph changes only on purpose."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import dagster as dg
import yaml

from locator_assets.definitions import defs
from locator_assets.drive.definitions import crawl_defs
from locator_assets.ownership import OWNERS
from locator_search.config.bundled import bundled

GRAPH = {
    "drive_file": [],
    "extracted_text": ["drive_file"],
    "file_summary": ["extracted_text"],
    "file_embedding": ["file_summary"],
    "drive_file_index": ["file_embedding"],
}
CHECKS = {
    "drive_file:coverage_equals_listing",
    "drive_file:roots_as_expected",
    "drive_file_index:findable_files",
    "drive_file_index:index_is_fresh",
    "drive_file_index:row_per_file",
    "extracted_text:every_file_readable",
    "file_embedding:unit_vectors_of_one_model",
}


def test_the_asset_graph_is_the_documented_one() -> None:
    graph = defs.resolve_asset_graph()
    found = {
        key.to_user_string(): sorted(parent.to_user_string() for parent in graph.get(key).parent_keys)
        for key in graph.get_all_asset_keys()
    }
    assert {stage: found[stage] for stage in GRAPH} == GRAPH


def test_every_stage_has_one_partition_per_file_and_is_made_by_one_step() -> None:
    graph = defs.resolve_asset_graph()
    for stage in GRAPH:
        node = graph.get(dg.AssetKey(stage))
        assert isinstance(node.partitions_def, dg.DynamicPartitionsDefinition)
        assert node.assets_def.op.name == "index_files"


def test_whatever_the_ui_lists_says_what_it_is_and_whose() -> None:
    repository, graph = defs.get_repository_def(), defs.resolve_asset_graph()
    assets = [graph.get(key) for key in graph.get_all_asset_keys()]
    jobs = [job for job in repository.get_all_jobs() if not job.name.startswith("__")]
    checks = [graph.get_check_spec(key) for key in graph.asset_check_keys]
    listed: list[Any] = [*assets, *jobs, *repository.sensor_defs, *repository.schedule_defs]
    assert [one for one in (*listed, *checks) if not one.description] == []
    assert [one for one in listed if one.owners != OWNERS] == []
    assert [asset.key for asset in assets if not asset.kinds or not asset.group_name] == []


def test_every_check_is_in_the_health_job_and_in_no_other() -> None:
    graph = defs.resolve_asset_graph()
    keys = {f"{key.asset_key.to_user_string()}:{key.name}" for key in graph.asset_check_keys}
    assert keys >= CHECKS
    assert len(defs.resolve_job_def("index_health_job").asset_layer.asset_graph.asset_check_keys) == len(CHECKS)
    assert not defs.resolve_job_def("index_files_job").asset_layer.asset_graph.asset_check_keys


def test_the_sensor_and_the_schedules_run_by_themselves() -> None:
    repository = defs.get_repository_def()
    for name in ("drive_changes", "contribution_requests"):
        assert repository.get_sensor_def(name).default_status is dg.DefaultSensorStatus.RUNNING
    for name in ("daily_reconciliation", "hourly_health", "daily_retention"):
        assert repository.get_schedule_def(name).default_status is dg.DefaultScheduleStatus.RUNNING


def test_definitions_load_without_settings_and_without_a_database() -> None:
    dg.Definitions.validate_loadable(defs)


def test_the_workspace_file_loads_as_the_servers_load_it(tmp_path: Path) -> None:
    environment = {**os.environ, "DAGSTER_HOME": str(tmp_path), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-m", "dagster", "definitions", "validate", "-w", str(bundled("workspace.yaml"))]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]


def test_dagster_keeps_quiet_and_frees_the_slots_of_lost_workers() -> None:
    settings = yaml.safe_load(bundled("dagster.yaml").read_text(encoding="utf-8"))
    assert settings["telemetry"] == settings["nux"] == {"enabled": False}
    assert settings["storage"]["postgres"]["postgres_url"] == {"env": "DAGSTER_POSTGRES_URL"}
    assert settings["run_monitoring"]["free_slots_after_run_end_seconds"]
    assert settings["run_retries"]["retry_on_asset_or_op_failure"] is False


def test_the_jobs_of_a_crawl_by_command_are_those_of_the_code_location() -> None:
    names = ["index_files_job", "purge_files_job", "index_health_job"]
    here, there = ([of.resolve_job_def(name).get_job_snapshot_id() for name in names] for of in (crawl_defs, defs))
    assert here == there
