"""Ticks of the sensor: one tick later the index is right."""

from __future__ import annotations

import json
import os
import shutil
from datetime import timedelta
from pathlib import Path

import dagster as dg
import pytest

from locator_assets.drive.ticks import BATCH, RUNS_PER_SLOT, Observation, decide_tick
from locator_assets.turns import CRAWL_LOCK
from locator_search.indexing.crawl import SourceSnapshot
from locator_search.indexing.diff import CrawlPlan
from locator_search.indexing.listing import Listing
from locator_search.model import FileRef
from tests.builders.crawl import CrawlBench
from tests.builders.registry import all_known
from tests.dagster.runs import execute, files_with_partitions, settle, tick

SIZES = [40, pytest.param(1000, marks=pytest.mark.large)]


def requested(answer: dg.SensorResult | dg.SkipReason) -> list[dg.RunRequest]:
    assert isinstance(answer, dg.SensorResult), answer
    return list(answer.run_requests or ())


def skipped(answer: dg.SensorResult | dg.SkipReason) -> str:
    assert isinstance(answer, dg.SkipReason), answer
    return str(answer.skip_message)


@pytest.mark.parametrize("size", SIZES)
def test_one_tick_after_an_edit_a_rename_a_move_an_addition_and_a_deletion_the_index_is_right(
    bench: CrawlBench, instance: dg.DagsterInstance, size: int
) -> None:
    bench.write_many(size)
    _, cursor = settle(bench, instance)
    assert bench.count("drive_file_index") == size
    read, summarised = bench.extractor.calls.copy(), bench.chat_model.answers

    bench.write("0/報告0000.txt", "第0号報告書\n\n内容を書き改めた。")
    (bench.folder / "1/報告0001.txt").rename(bench.folder / "1/改名.txt")
    (bench.folder / "2/報告0002.txt").rename(bench.folder / "3/報告0002.txt")
    bench.write("新規.txt", "新しい報告書である。")
    (bench.folder / "4/報告0004.txt").unlink()
    requests = requested(tick(bench, instance, cursor))
    for request in requests:
        execute(bench, instance, request)

    assert len(requests) == 2, "one run to index, one to forget"
    assert (bench.extractor.calls - read) == {"報告0000.txt": 1, "新規.txt": 1}
    assert bench.chat_model.answers - summarised == 2
    names = bench.indexed_names()
    assert len(names) == size == bench.count("file_state", "state = 'indexed'")
    assert {"改名.txt", "新規.txt"} <= set(names)
    assert not {"報告0001.txt", "報告0004.txt"} & set(names)
    assert bench.count("drive_file_index", "file_name = '報告0002.txt' AND folder_path LIKE '%/3'") == 1
    assert bench.count("file_chunk", "file_id NOT IN (SELECT file_id FROM drive_file_index)") == 0
    assert files_with_partitions(bench, instance) == set(all_known(bench.registry))
    assert bench.index_inspector.inspect().files_without_row == 0


def test_nothing_is_asked_for_when_nothing_changed(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(3)
    _, cursor = settle(bench, instance)
    assert skipped(tick(bench, instance, cursor)) == "Nothing has changed."


def test_an_idle_tick_records_that_the_index_is_up_to_date(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(3)
    settle(bench, instance)
    sync = bench.status_reader.status().last_sync
    assert sync is not None
    assert sync.listed == 3


def test_a_file_that_comes_back_is_indexed_again(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write("a.txt", "戻って来る文書")
    bench.write("b.txt", "残る文書")
    _, cursor = settle(bench, instance)
    shutil.move(bench.folder / "a.txt", bench.folder.parent / "a.txt")
    _, cursor = settle(bench, instance, cursor)
    assert bench.indexed_names() == ["b.txt"]
    shutil.move(bench.folder.parent / "a.txt", bench.folder / "a.txt")
    settle(bench, instance, cursor)
    assert bench.indexed_names() == ["a.txt", "b.txt"]
    assert bench.chat_model.answers == 2, "what was made of it is remembered"


def test_an_emptied_folder_deletes_nothing_and_says_so(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(25)
    _, cursor = settle(bench, instance)
    shutil.rmtree(bench.folder)
    bench.folder.mkdir()
    for _ in range(3):
        assert "lists no file any more" in skipped(tick(bench, instance, cursor))
        bench.wait(hours=2)
    assert len(bench.indexed_names()) == 25


def test_a_source_that_cannot_be_listed_deletes_nothing_and_says_so(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write("a.txt", "本文")
    _, cursor = settle(bench, instance)
    bench.folder.rename(bench.folder.parent / "elsewhere")
    assert "does not exist" in skipped(tick(bench, instance, cursor))
    assert bench.indexed_names() == ["a.txt"]


def test_another_embedding_model_is_refused_before_any_file_is_asked_for(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write("a.txt", "本文")
    _, cursor = settle(bench, instance)
    with bench.database.connection() as connection:
        connection.execute("UPDATE index_profile SET embedding_model = 'another'")
    bench.write("b.txt", "別の本文")
    assert "embedding model another" in skipped(tick(bench, instance, cursor))
    assert set(bench.extractor.calls) == {"a.txt"}


def test_files_of_runs_that_are_queued_are_not_asked_for_twice(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(3)
    [request] = requested(tick(bench, instance))
    assert request.job_name is not None
    instance.create_run_for_job(
        bench_job(request.job_name), run_config=request.run_config, status=dg.DagsterRunStatus.NOT_STARTED
    )
    bench.write("later.txt", "あとから来た文書")
    [second] = requested(tick(bench, instance, json.dumps({"tick": 1})))
    assert second.run_config["ops"]["index_files"]["config"]["file_ids"] == [bench.listed("later.txt").file_id]


def bench_job(name: str) -> dg.JobDefinition:
    from locator_assets.definitions import defs

    return defs.resolve_job_def(name)


def test_the_sensor_waits_when_enough_runs_are_queued(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(3)
    for _ in range(RUNS_PER_SLOT):
        instance.create_run_for_job(bench_job("index_files_job"), status=dg.DagsterRunStatus.NOT_STARTED)
    assert "queued or running already" in skipped(tick(bench, instance))


def test_the_sensor_leaves_the_source_to_a_crawl_by_the_command(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write_many(3)
    with bench.locks.hold(CRAWL_LOCK):
        assert "by the command" in skipped(tick(bench, instance))


def test_a_failed_file_is_asked_for_again_when_its_time_has_come(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    from locator_search.core.errors import SourceUnavailable

    def unavailable(_path: Path) -> None:
        raise SourceUnavailable("The share does not answer.")

    bench.write("a.txt", "本文")
    bench.extractor.before = unavailable
    _, cursor = settle(bench, instance)
    assert bench.indexed_names() == []
    bench.extractor.before = lambda _path: None
    bench.clock.sleep(timedelta(minutes=2).total_seconds())
    settle(bench, instance, cursor)
    assert bench.indexed_names() == ["a.txt"]


def test_an_edit_while_a_run_is_under_way_is_seen_by_the_next_tick(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write("a.txt", "初版")
    first = tick(bench, instance)
    [request] = requested(first)
    bench.write("a.txt", "改訂版である")
    execute(bench, instance, request)
    assert isinstance(first, dg.SensorResult)
    settle(bench, instance, first.cursor)
    assert bench.count("file_chunk", "text LIKE '%改訂版%'") == 1


def seen(count: int, revision: str = "r1") -> Observation:
    from tests.unit.test_diff import file

    files = [file(f"f{number}", revision) for number in range(count)]
    listing = Listing({one.file_id: one for one in files})
    return Observation(SourceSnapshot(listing, {}, CrawlPlan(added=tuple(files))))


def test_a_tick_asks_for_a_bounded_number_of_files_in_few_runs() -> None:
    decided = decide_tick(seen(RUNS_PER_SLOT * BATCH + 500), None)
    assert [len(request.file_ids) for request in decided.index] == [BATCH] * RUNS_PER_SLOT


def test_a_tick_that_is_evaluated_twice_asks_for_the_same_runs() -> None:
    assert decide_tick(seen(300), None) == decide_tick(seen(300), None)


def test_the_same_files_asked_for_by_a_later_tick_are_another_run() -> None:
    first = decide_tick(seen(3), None)
    second = decide_tick(seen(3), first.cursor)
    edited = decide_tick(seen(3, "r2"), None)
    assert len({tick.index[0].run_key for tick in (first, second, edited)}) == 3


def test_files_a_lost_run_left_behind_are_asked_for_even_when_they_look_settled() -> None:
    found: dict[str, FileRef] = dict(seen(2).snapshot.listing.files)
    nothing_to_do = SourceSnapshot(Listing(found), {}, CrawlPlan(unchanged=tuple(found)))
    assert decide_tick(Observation(nothing_to_do, left_behind=["f1", "unknown"]), None).file_ids == ["f1"]


def test_touching_every_file_costs_no_reading(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(5)
    _, cursor = settle(bench, instance)
    for path in bench.folder.rglob("*.txt"):
        os.utime(path)
    runs, _ = settle(bench, instance, cursor)
    assert runs == 1
    assert bench.extractor.calls.total() == 5
