"""Partitions are counted before anybody looks, and again after new events; their keys are kept until they change."""

from __future__ import annotations

from collections.abc import Sequence

import dagster as dg
import pytest

from locator_assets.dagster_webserver import counts
from locator_assets.dagster_webserver.counts import counting_ahead
from locator_assets.dagster_webserver.kept_keys import keep_keys
from locator_assets.partitions import CONTRIBUTIONS, DRIVE_FILES, drive_files, remove_partitions
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


def test_keys_of_partitions_are_read_again_only_when_some_were_added_or_removed(
    stored_instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage, read = stored_instance.event_log_storage, list[str]()
    reading = storage.get_dynamic_partitions

    def noted(name: str) -> Sequence[str]:
        read.append(name)
        return reading(name)

    monkeypatch.setattr(storage, "get_dynamic_partitions", noted)
    keep_keys(stored_instance)

    def keys(*expected: str, reads: int) -> None:
        for _ in range(2):
            assert tuple(stored_instance.get_dynamic_partitions(DRIVE_FILES)) == expected
        assert len(read) == reads

    stored_instance.add_dynamic_partitions(DRIVE_FILES, ["週報.docx", "議事録.docx"])
    keys("週報.docx", "議事録.docx", reads=1)
    stored_instance.add_dynamic_partitions(CONTRIBUTIONS, ["S2-2401001"])
    keys("週報.docx", "議事録.docx", reads=1)
    remove_partitions(stored_instance, ["週報.docx"])
    keys("議事録.docx", reads=2)
    remove_partitions(stored_instance, ["議事録.docx"])
    stored_instance.add_dynamic_partitions(DRIVE_FILES, ["見積書.xlsx"])
    keys("見積書.xlsx", reads=3)
    stored_instance.delete_dynamic_partition(DRIVE_FILES, "見積書.xlsx")
    keys(reads=4)
