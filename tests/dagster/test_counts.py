"""Partitions are counted before anybody looks, and again after new events."""

from __future__ import annotations

import dagster as dg
import pytest

from locator_assets.dagster_webserver import counts
from locator_assets.dagster_webserver.counts import counting_ahead
from locator_assets.partitions import drive_files
from locator_search.indexing.stages import STAGES
from tests.builders.waiting import wait_until

pytestmark = pytest.mark.dagster_tables


def counted(instance: dg.DagsterInstance, stage: str) -> int:
    """The partitions that stand as made in what the UI reads."""
    [record] = instance.get_asset_records([dg.AssetKey(stage)])
    status = record.asset_entry.cached_status
    return 0 if status is None else len(status.deserialize_materialized_partition_subsets(drive_files))


def make(instance: dg.DagsterInstance, *keys: str) -> None:
    instance.add_dynamic_partitions("drive_files", keys)
    for stage in STAGES:
        for key in keys:
            instance.report_runless_asset_event(dg.AssetMaterialization(stage, partition=key))


def test_partitions_are_counted_before_anybody_looks(
    stored_instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "LOOKS_EVERY_SECONDS", 0.05)
    make(stored_instance, "週報.docx", "議事録.docx")
    with counting_ahead(stored_instance):
        wait_until(lambda: all(counted(stored_instance, stage) == 2 for stage in STAGES))
        make(stored_instance, "見積書.xlsx")
        wait_until(lambda: all(counted(stored_instance, stage) == 3 for stage in STAGES))
