"""Partitions of files: keys that people can read, that lead back to the file, and that follow it when it is renamed."""

from __future__ import annotations

from dataclasses import replace

import dagster as dg
import pytest

from locator_assets.partitions import LONGEST_PART, enter_partitions, partition_key
from locator_search.dev.drive_emulator import DriveEmulator
from locator_search.indexing.stages import STAGES
from tests.builders.crawl import CrawlBench
from tests.builders.drive import DriveBench
from tests.builders.index import file_ref
from tests.builders.registry import all_known
from tests.dagster.runs import events, execute, keys_shown, partitions, pick_in_ui, settle, tick
from tests.dagster.test_sensor import requested


def test_a_key_begins_with_name_and_folder_and_is_the_files_own() -> None:
    file = replace(file_ref("a"), file_name="週報 2026-W36.docx", folder_path="営業部/週報")
    key = partition_key(file)
    assert key.startswith("週報 2026-W36.docx · 営業部/週報 · ")
    assert partition_key(replace(file, revision="another", size=1, owner="another")) == key
    assert partition_key(replace(file, file_id="b")) != key


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("か\u3099.txt", "が.txt"),
        ("a\u202egpj.\x00b\n c", "agpj. b c"),
        ('売上, [2026] "案" *.csv', "売上， ［2026］ ”案” ＊.csv"),
        ("続く...txt", "続く…txt"),
        ("長" * 500, "長" * LONGEST_PART),
        ("\udcff", ""),
    ],
)
def test_whatever_a_name_holds_its_key_is_one_that_dagster_and_its_page_take(
    name: str, shown: str, instance: dg.DagsterInstance
) -> None:
    key = partition_key(replace(file_ref("a"), file_name=name, folder_path="..." * 200))
    assert key.startswith(f"{shown} · " if shown else "…")
    instance.add_dynamic_partitions("drive_files", [key])
    assert instance.get_dynamic_partitions("drive_files") == [key]
    assert not set(key) & set(',"[]*\\')


def test_a_renamed_and_moved_file_takes_its_history_along_and_costs_nothing(
    drive: DriveEmulator, drive_bench: DriveBench, instance: dg.DagsterInstance
) -> None:
    bench = drive_bench
    file_id, other = (drive.add_file(name, f"本文 {name}", bench.target) for name in ("下書き.txt", "別の文書.txt"))
    _, cursor = settle(bench, instance)
    former = bench.registry.partition_keys()[file_id]
    made, answers = events(instance, STAGES[-1]), bench.chat_model.answers
    drive.rename(file_id, "確定版.txt")
    drive.move(file_id, drive.add_folder("契約", bench.target))
    for run in requested(tick(bench, instance, cursor)):
        execute(bench, instance, run)
    key = bench.registry.partition_keys()[file_id]
    assert key.startswith("確定版.txt · ")
    assert "契約 · " in key
    assert set(instance.get_dynamic_partitions("drive_files")) == set(bench.registry.partition_keys().values())
    assert bench.chat_model.answers == answers, "the summary of the same text is remembered"
    told = instance.fetch_materializations(dg.AssetRecordsFilter(dg.AssetKey(STAGES[-1]), [key]), limit=10).records
    assert {record.partition_key for record in told} == {key}
    assert len(told) == 2, "under the former name and under this one"
    assert events(instance, STAGES[-1]) == made + 1
    assert former not in keys_shown(instance, STAGES[-1], "materialized")
    assert pick_in_ui(bench, instance, other, STAGES).success


def test_partitions_of_an_earlier_version_are_renamed_once_with_their_history(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write_many(3)
    _, cursor = settle(bench, instance)
    ids = set(all_known(bench.registry))
    _as_an_earlier_version_left_it(bench, instance)
    assert partitions(bench, instance, STAGES[-1], "materialized") == ids
    answers, read = bench.chat_model.answers, bench.extractor.calls.total()
    assert isinstance(tick(bench, instance, cursor), dg.SkipReason)
    keys = instance.get_dynamic_partitions("drive_files")
    assert all(key.startswith("報告000") for key in keys)
    for stage in STAGES:
        assert keys_shown(instance, stage, "materialized") == set(keys)
    assert (bench.chat_model.answers, bench.extractor.calls.total()) == (answers, read)
    assert bench.registry.to_rename(10) == []


def _as_an_earlier_version_left_it(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    """Rename every partition back to the id of its file."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("locator_assets.partitions.partition_key", lambda file: file.file_id)
        enter_partitions(instance, bench.registry, list(all_known(bench.registry)))
