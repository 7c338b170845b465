"""The five assets: what Dagster is told, what a failing file looks like, what a rerun costs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import dagster as dg
import pytest

from locator_assets.drive.assets import Files, index_files_job
from locator_assets.drive.recovery import files_of
from locator_search.core.errors import StoreError
from locator_search.indexing.crawl import observe_source, record_snapshot
from locator_search.indexing.stages import STAGES
from locator_search.model import IndexEntry
from tests.builders.crawl import CrawlBench
from tests.builders.registry import all_known
from tests.dagster.runs import events, execute, partitions, pick_in_ui, said_of_findable_files, settle


def request(*file_ids: str) -> dg.RunRequest:
    config = dg.RunConfig(ops={"index_files": Files(file_ids=list(file_ids))})
    return dg.RunRequest(job_name=index_files_job.name, run_config=config)


def enter(bench: CrawlBench, instance: dg.DagsterInstance) -> dict[str, str]:
    """Put every listed file into the registry and among the partitions; ids by name."""
    now = bench.clock.now()
    snapshot = observe_source(bench.source, bench.registry, bench.indexer.version, now)
    record_snapshot(snapshot, bench.registry, bench.feed_log, bench.indexer.version, now)
    ids = {file.file_name: file.file_id for file in snapshot.plan.to_index}
    instance.add_dynamic_partitions("drive_files", list(ids.values()))
    return ids


def reason_shown(bench: CrawlBench, instance: dg.DagsterInstance, stage: str, file_id: str) -> str:
    """The reason on the page of a partition, which has the metadata of its last materialisation."""
    key = bench.registry.partition_keys([file_id])[file_id]
    wanted = dg.AssetRecordsFilter(dg.AssetKey(stage), asset_partitions=[key])
    [record] = instance.fetch_materializations(wanted, limit=1).records
    assert record.asset_materialization is not None
    return str(record.asset_materialization.metadata["reason"].value)


def readable_by_check(instance: dg.DagsterInstance) -> bool:
    """The last word of the check about unreadable files."""
    check = dg.AssetCheckKey(dg.AssetKey("extracted_text"), "every_file_readable")
    event = instance.event_log_storage.get_latest_asset_check_execution_by_key([check])[check].event
    assert event is not None
    assert event.dagster_event is not None
    return event.dagster_event.asset_check_evaluation_data.passed


def test_every_file_of_a_batch_has_a_materialisation_per_stage(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(6)
    ids = enter(bench, instance)
    result = execute(bench, instance, request(*ids.values()))
    assert result.success
    for stage in STAGES:
        assert partitions(bench, instance, stage, "materialized") == set(ids.values())
        assert events(instance, stage) == 6


def test_materialisations_say_what_a_person_wants_to_know(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write("会議.md", "# 予算会議\n\n東京支店の空調設備を更新する。")
    execute(bench, instance, request(*enter(bench, instance).values()))
    made: dict[str, dict[str, Any]] = {}
    for stage in STAGES:
        [record] = instance.fetch_materializations(dg.AssetKey(stage), limit=5).records
        assert record.asset_materialization is not None
        made[stage] = {name: value.value for name, value in record.asset_materialization.metadata.items()}
    assert all(facts["page"] == bench.page_of(bench.listed("会議.md").file_id) for facts in made.values())
    assert "file://" not in str(made), "no browser opens that"
    assert made["extracted_text"]["characters"] > 10
    assert "東京支店" in made["extracted_text"]["preview"]
    assert made["file_summary"]["cached"] is False
    assert made["file_embedding"]["dimensions"] == 1536
    assert made["drive_file_index"]["chunks"] >= 1
    assert all("seconds" in facts for facts in made.values())


def test_failed_partition_is_visible_and_rerun_is_free(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(3)
    bench.write("壊れた.pdf", "%PDF-1.7 and then nothing")
    ids = enter(bench, instance)
    broken = ids.pop("壊れた.pdf")

    result = execute(bench, instance, request(*ids.values(), broken))

    assert result.success, "the other files are indexed"
    assert partitions(bench, instance, "drive_file", "materialized") == {*ids.values(), broken}
    assert partitions(bench, instance, "extracted_text", "failed") == {broken}, "one asset is red, and no other"
    for stage in set(STAGES) - {"extracted_text"}:
        assert partitions(bench, instance, stage, "failed") == set()
    for stage in STAGES[2:]:
        assert partitions(bench, instance, stage, "materialized") == set(ids.values())
    assert "corrupt" in reason_shown(bench, instance, "extracted_text", broken)
    [observed] = instance.fetch_observations(dg.AssetKey("drive_file_index"), limit=5).records
    assert observed.asset_observation is not None
    assert "corrupt" in str(observed.asset_observation.metadata["reason"].value)
    [failed] = instance.get_runs(dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE]))
    assert files_of(failed, instance, bench.registry) == [broken]
    assert any("壊れた.pdf: corrupt" in entry.message for entry in instance.all_logs(failed.run_id))

    read, summarised = bench.extractor.calls.total(), bench.chat_model.answers
    execute(bench, instance, request(*ids.values(), broken))
    assert (bench.extractor.calls.total(), bench.chat_model.answers) == (read, summarised)
    assert partitions(bench, instance, "extracted_text", "failed") == {broken}


def test_a_file_the_index_refuses_fails_alone_although_others_were_to_be_written_with_it(
    bench: CrawlBench, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write_many(9)
    bench.write("断られる.txt", "この文章は索引に断られる。")
    ids = enter(bench, instance)
    write = bench.index.replace_many

    def refusing(entries: Sequence[IndexEntry], version: str) -> None:
        if any(entry.file.file_name == "断られる.txt" for entry in entries):
            raise StoreError("The index refuses this file.")
        write(entries, version)

    monkeypatch.setattr(bench.index, "replace_many", refusing)
    assert execute(bench, instance, request(*ids.values())).success
    refused = ids.pop("断られる.txt")
    assert partitions(bench, instance, "drive_file_index", "failed") == {refused}
    assert bench.count("drive_file_index") == bench.count("file_state", "state = 'indexed'") == len(ids)
    assert reason_shown(bench, instance, "drive_file_index", refused) == "The index refuses this file."

    read, summarised = bench.extractor.calls.total(), bench.chat_model.answers
    monkeypatch.undo()
    bench.clock.sleep(timedelta(days=1).total_seconds())
    execute(bench, instance, request(refused))
    assert (bench.extractor.calls.total(), bench.chat_model.answers) == (read, summarised)
    assert bench.count("drive_file_index") == len(ids) + 1


def test_what_failed_can_be_executed_again_alone_and_leaves_everything_green(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write_many(3)
    bench.write("壊れた.pdf", "%PDF-1.7 and then nothing")
    ids = enter(bench, instance)
    execute(bench, instance, request(*ids.values()))
    [failed] = instance.get_runs(dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE]))
    [told] = bench.status_reader.runs()
    assert (told.indexed, told.failed, told.states) == (3, 1, {"indexed": 3, "failed": 1})
    assert not readable_by_check(instance)
    again = dg.RunRequest(job_name=failed.job_name, run_config=failed.run_config)
    by_hand = {**failed.tags, "dagster/parent_run_id": failed.run_id}

    assert not execute(bench, instance, again, tags=by_hand).success, "it is still damaged"
    assert partitions(bench, instance, "extracted_text", "failed") == {ids["壊れた.pdf"]}
    bench.write("壊れた.pdf", "これは PDF ではなく文章である。")
    enter(bench, instance)
    assert execute(bench, instance, again, tags=by_hand).success
    for stage in STAGES:
        assert partitions(bench, instance, stage, "failed") == set()
        assert partitions(bench, instance, stage, "materialized") == set(ids.values())
    assert readable_by_check(instance), "and the warning is gone with it"


def test_a_repaired_file_is_no_longer_shown_as_failed(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write("a.pdf", "%PDF-1.7 and then nothing")
    [broken] = enter(bench, instance).values()
    execute(bench, instance, request(broken))
    bench.write("a.pdf", "これは PDF ではなく文章である。")
    enter(bench, instance)
    assert execute(bench, instance, request(broken)).success
    for stage in STAGES:
        assert partitions(bench, instance, stage, "materialized") == {broken}
        assert partitions(bench, instance, stage, "failed") == set()


def test_a_skipped_file_does_not_fail_its_batch_and_is_not_shown_as_made(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write("a.txt", "本文")
    bench.write("空.txt", "")
    ids = enter(bench, instance)
    assert execute(bench, instance, request(*ids.values())).success
    assert partitions(bench, instance, "drive_file_index", "materialized") == {ids["a.txt"]}
    assert partitions(bench, instance, "drive_file_index", "failed") == set()
    assert reason_shown(bench, instance, "extracted_text", ids["空.txt"]).startswith("empty")


def test_a_rerun_picked_in_the_ui_reads_a_broken_file_once_more(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write("壊れた.pdf", "%PDF-1.7 and then nothing")
    [broken] = enter(bench, instance).values()
    execute(bench, instance, request(broken))
    assert pick_in_ui(bench, instance, broken, STAGES).success, "or the checks in the same run would not be evaluated"
    assert bench.extractor.calls.total() == 2
    assert [stage for stage in STAGES if partitions(bench, instance, stage, "failed")] == ["extracted_text"]


def test_a_batch_that_a_person_runs_again_reads_its_broken_files_once_more(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write("壊れた.pdf", "%PDF-1.7 and then nothing")
    [broken] = enter(bench, instance).values()
    execute(bench, instance, request(broken))
    execute(bench, instance, request(broken), tags={"dagster/parent_run_id": "x", "dagster/retry_number": "1"})
    assert bench.extractor.calls.total() == 1, "Dagster's own retry does not"
    execute(bench, instance, request(broken), tags={"dagster/parent_run_id": "x"})
    assert bench.extractor.calls.total() == 2


def test_one_stage_of_one_file_can_be_made_alone(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(2)
    settle(bench, instance)
    before = {stage: events(instance, stage) for stage in STAGES}
    one = next(iter(all_known(bench.registry)))
    assert pick_in_ui(bench, instance, one, ["file_summary"]).success
    after = {stage: events(instance, stage) for stage in STAGES}
    assert after == {**before, "file_summary": before["file_summary"] + 1}
    assert bench.chat_model.answers == 2, "and it costs nothing"


def test_an_interrupted_batch_shows_the_files_it_did_not_reach(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(12)
    ids = set(enter(bench, instance).values())

    def interrupted(*_args: object) -> None:
        if bench.count("drive_file_index") >= 3:
            raise KeyboardInterrupt

    bench.chat_model.before = interrupted
    execute(bench, instance, request(*ids))
    made = partitions(bench, instance, "drive_file_index", "materialized")
    assert 0 < len(made) < 12
    assert partitions(bench, instance, "drive_file", "failed") == ids - partitions(
        bench, instance, "drive_file", "materialized"
    )


def test_neither_an_address_of_the_database_nor_a_whole_text_reaches_dagster(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    text = "".join(f"第{number}条 本契約は{number}年間有効とする。" for number in range(200))
    bench.write("契約書.txt", text)
    settle(bench, instance)
    stored = "".join(str(entry) for run in instance.get_runs() for entry in instance.all_logs(run.run_id))
    assert text[:100] in stored, "the preview"
    assert text not in stored
    assert "postgresql://" not in stored


def test_a_batch_in_which_every_file_failed_says_nothing_of_findable_files(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write("壊れた.pdf", "%PDF-1.7 and then nothing")
    execute(bench, instance, request(*enter(bench, instance).values()))
    assert said_of_findable_files(instance) is None
    bench.write("a.txt", "本文")
    execute(bench, instance, request(*enter(bench, instance).values()))
    assert said_of_findable_files(instance) is not None
