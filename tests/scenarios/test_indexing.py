"""One file through the five stages: what is indexed, what is remembered, what becomes of a bad file."""

from __future__ import annotations

import errno
import gc
import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from locator_search.adapters.extractors.limits import MAX_CELLS
from locator_search.adapters.local_files.source import LocalFolderSource, LocalSweep
from locator_search.adapters.postgres import PostgresExtractionMemo
from locator_search.core.errors import (
    AccessDenied,
    DimensionMismatch,
    ModelUnavailable,
    ReadingInterrupted,
    ReadingStopped,
    SourceError,
    SourceUnavailable,
    StoreUnavailable,
)
from locator_search.indexing.crawl import completed_sync, observe_source, record_snapshot
from locator_search.indexing.diff import MAX_ATTEMPTS
from locator_search.indexing.reading import ENDINGS
from locator_search.indexing.stages import STAGES, FileResult
from locator_search.model import FileRef, RetrievalQuery
from tests.builders.crawl import CrawlBench
from tests.builders.registry import all_known

TEXT = "# 令和6年度 予算会議\n\n東京支店の空調設備を更新する。費用は三百万円。\n"


def crawl(bench: CrawlBench, *, full: bool = False) -> dict[str, FileResult]:
    """List, plan and index everything that is due, as the command does but without Dagster."""
    indexer = bench.indexer
    now = bench.clock.now()
    snapshot = observe_source(bench.source, bench.registry, indexer.version, now, look_again=full)
    record_snapshot(snapshot, bench.registry, bench.feed_log, indexer.version, now)
    results = [indexer.index_file(file, verify=full) for file in snapshot.plan.to_index]
    bench.index.delete(snapshot.plan.gone)
    return {result.file.file_name: result for result in results}


def index_one(bench: CrawlBench, name: str) -> FileResult:
    return bench.indexer.index_file(bench.listed(name))


def test_a_file_goes_through_all_five_stages_into_one_row(bench: CrawlBench) -> None:
    bench.write("予算/会議.md", TEXT)
    result = crawl(bench)["会議.md"]
    assert result.ending == "indexed"
    assert tuple(report.stage for report in result.stages) == STAGES
    assert bench.count("drive_file_index") == 1
    assert bench.count("file_state", "state = 'indexed'") == 1
    assert result.fact("drive_file_index", "chunks") == bench.count("file_chunk") > 0


def test_every_stage_reports_what_there_is_to_know(bench: CrawlBench) -> None:
    bench.write("会議.md", TEXT)
    result = crawl(bench)["会議.md"]
    assert result.fact("drive_file", "bytes") == len(TEXT.encode())
    assert result.fact("extracted_text", "cached") is False
    assert "空調設備" in str(result.fact("extracted_text", "preview"))
    assert result.fact("file_summary", "summary")
    assert result.fact("file_summary", "cached") is False
    assert result.fact("file_embedding", "dimensions") == 1536


def test_a_second_crawl_does_nothing(bench: CrawlBench) -> None:
    bench.write_many(5)
    crawl(bench)
    assert crawl(bench) == {}
    assert bench.extractor.calls.total() == bench.chat_model.answers == 5


def test_a_file_that_another_worker_finished_meanwhile_is_left_alone(bench: CrawlBench) -> None:
    file = bench.write("a.txt", TEXT)
    bench.indexer.index_file(file)
    again = bench.indexer.index_file(file)
    assert (again.ending, again.stages) == ("unchanged", ())


def test_an_edited_file_is_read_and_summarised_once_more(bench: CrawlBench) -> None:
    bench.write("a.txt", TEXT)
    crawl(bench)
    bench.write("a.txt", TEXT + "追記: 東京支店は十月に移転する。\n")
    assert crawl(bench)["a.txt"].ending == "indexed"
    assert bench.extractor.calls["a.txt"] == bench.chat_model.answers == 2
    assert bench.count("drive_file_index") == 1


def test_a_touched_file_is_looked_at_but_costs_nothing(bench: CrawlBench) -> None:
    bench.write("a.txt", TEXT)
    crawl(bench)
    os.utime(bench.folder / "a.txt", (1_700_000_000, 1_700_000_000))
    result = crawl(bench)["a.txt"]
    assert (result.ending, result.reason) == ("unchanged", "indexed")
    assert bench.extractor.calls.total() == bench.chat_model.answers == 1
    assert bench.count("drive_file_index", "extract(epoch FROM drive_modified_at) = 1700000000") == 1
    assert crawl(bench) == {}, "it is settled at its new revision"


@pytest.mark.parametrize("to", ["新しい名前.txt", "別の場所/a.txt"])
def test_a_renamed_or_moved_file_costs_nothing_but_its_name(bench: CrawlBench, to: str) -> None:
    bench.write("a.txt", TEXT)
    crawl(bench)
    (bench.folder / to).parent.mkdir(exist_ok=True)
    (bench.folder / "a.txt").rename(bench.folder / to)
    result = crawl(bench)[Path(to).name]
    assert result.fact("file_embedding", "reused") == result.fact("file_embedding", "chunks")
    assert bench.extractor.calls.total() == bench.chat_model.answers == 1
    assert bench.indexed_names() == [Path(to).name]


def test_copies_of_one_content_are_read_and_summarised_once_even_at_the_same_time(bench: CrawlBench) -> None:
    files = [bench.write(f"写し{number}.txt", TEXT) for number in range(5)]
    indexer = bench.indexer
    with ThreadPoolExecutor(5) as pool:
        results = list(pool.map(indexer.index_file, files))
    assert [result.ending for result in results] == ["indexed"] * 5
    assert bench.extractor.calls.total() == bench.chat_model.answers == 1


def test_the_same_bytes_under_another_type_are_read_on_their_own(bench: CrawlBench) -> None:
    bench.write("a.txt", "名前,数\n鉛筆,3\n")
    bench.write("a.csv", "名前,数\n鉛筆,3\n")
    crawl(bench)
    assert bench.extractor.calls.total() == 2


def test_a_full_crawl_hashes_every_file_and_finds_nothing_new(bench: CrawlBench) -> None:
    bench.write_many(3)
    crawl(bench)
    assert {result.ending for result in crawl(bench, full=True).values()} == {"unchanged"}
    assert bench.extractor.calls.total() == bench.chat_model.answers == 3


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [("空.txt", b"", "empty"), ("何か.bin", b"\x7fELF\x02\x01" + bytes(range(256)) * 8, "unsupported")],
)
def test_a_file_without_text_is_skipped_with_its_reason(
    bench: CrawlBench, name: str, content: bytes, reason: str
) -> None:
    (bench.folder / name).write_bytes(content)
    result = crawl(bench)[name]
    assert (result.ending, result.failed_stage) == ("skipped", "extracted_text")
    assert bench.registry.coverage().by_reason == {reason: 1}
    assert crawl(bench) == {}


def test_a_file_read_in_part_is_found_and_says_so(bench: CrawlBench) -> None:
    bench.write("台帳.csv", "空調設備の台帳\n" + "," * MAX_CELLS + "\n")
    assert crawl(bench)["台帳.csv"].ending == "indexed"
    assert bench.registry.coverage().by_reason == {"partial": 1}
    (found,) = bench.index.retrieve(RetrievalQuery("空調設備", mode="keyword", threshold=0), None).evidence
    assert (found.file_name, found.text_state) == ("台帳.csv", "partial")
    bench.write("台帳.csv", "空調設備の台帳\n")
    assert crawl(bench)["台帳.csv"].ending == "indexed"
    assert bench.registry.coverage().by_reason == {}


def test_a_broken_file_fails_with_its_reason_and_is_tried_once(bench: CrawlBench) -> None:
    bench.write("壊れた.pdf", "%PDF-1.7 and then nothing")
    result = crawl(bench)["壊れた.pdf"]
    assert result.ending == "failed"
    assert result.reason.startswith("corrupt")
    bench.wait(days=30)
    assert crawl(bench) == {}
    os.utime(bench.folder / "壊れた.pdf")  # a new revision of the same content
    assert crawl(bench)["壊れた.pdf"].ending == "failed"
    assert bench.extractor.calls.total() == 1
    [known] = all_known(bench.registry).values()
    assert known.attempts == 1


def test_a_person_can_ask_for_a_broken_file_again(bench: CrawlBench) -> None:
    file = bench.write("壊れた.pdf", "%PDF-1.7 and then nothing")
    crawl(bench)
    known = all_known(bench.registry)[file.file_id]
    assert bench.registry.try_again([known.state], bench.clock.now(), file_id=file.file_id) == 1
    assert crawl(bench)["壊れた.pdf"].ending == "failed"
    assert bench.extractor.calls.total() == 2
    assert crawl(bench) == {}


def test_a_file_that_broke_after_it_was_indexed_is_no_longer_found(bench: CrawlBench) -> None:
    bench.write("a.pdf.txt", TEXT)
    crawl(bench)
    bench.write("a.pdf.txt", "")
    assert crawl(bench)["a.pdf.txt"].ending == "skipped"
    assert bench.count("drive_file_index") == bench.count("file_chunk") == 0
    assert bench.registry.coverage().by_state == {"skipped": 1}


def left_behind_by_killed_crawls(bench: CrawlBench, file: FileRef, times: int) -> None:
    """A process that is killed while a worker holds a content leaves a reading that began, and nothing else."""
    sha256 = hashlib.sha256((bench.folder / file.location).read_bytes()).hexdigest()
    for _ in range(times):
        PostgresExtractionMemo(bench.database).begun(sha256, f"{bench.extractor.version} {file.mime_type}")


def test_a_file_during_which_everything_ended_is_read_alone_and_behind_a_guard(bench: CrawlBench) -> None:
    file = bench.write("a.txt", TEXT)
    left_behind_by_killed_crawls(bench, file, ENDINGS - 1)
    assert bench.indexer.index_file(file, alone=False).ending == "postponed"
    assert bench.extractor.calls.total() == 0
    assert bench.indexer.index_file(file).ending == "indexed"
    assert bench.extractor.guarded["a.txt"] == 1
    assert bench.count("extracted_text", "attempts > 0") == 0, "it is cleared"


def test_content_that_ended_everything_time_and_again_is_left_alone_for_a_day(bench: CrawlBench) -> None:
    file = bench.write("毒.txt", TEXT)
    left_behind_by_killed_crawls(bench, file, ENDINGS)
    result = crawl(bench)["毒.txt"]
    assert (result.ending, result.failed_stage) == ("failed", "extracted_text")
    assert result.reason.startswith("killed: quarantined")
    bench.wait(hours=23)
    assert crawl(bench) == {}
    assert bench.extractor.calls.total() == 0, "it was not touched"
    bench.wait(hours=2)
    assert crawl(bench)["毒.txt"].ending == "indexed"


def test_a_full_crawl_tries_a_quarantined_file_once_more_and_no_broken_one(bench: CrawlBench) -> None:
    left_behind_by_killed_crawls(bench, bench.write("無実.txt", TEXT), ENDINGS)
    bench.write("壊れた.pdf", "%PDF-1.7 and then nothing")
    crawl(bench)
    assert {name: result.ending for name, result in crawl(bench, full=True).items()} == {
        "無実.txt": "indexed",
        "壊れた.pdf": "failed",
    }
    assert bench.extractor.calls["壊れた.pdf"] == 1, "what is wrong with it is known"


def test_a_reader_that_is_ended_from_outside_is_replaced_and_the_file_indexed(bench: CrawlBench) -> None:
    file = bench.write("a.txt", TEXT)

    def killed_once(path: Path) -> None:
        if bench.extractor.calls[path.name] == 1:
            bench.extractor.ends_with = ReadingInterrupted(f"{path.name} was ended from outside (SIGKILL).")

    bench.extractor.before = killed_once
    assert bench.indexer.index_file(file, alone=False).ending == "postponed"
    assert bench.indexer.index_file(file).ending == "indexed"
    assert bench.count("extracted_text", "attempts > 0") == 0


@pytest.mark.parametrize(
    "fault",
    [
        ReadingInterrupted("The process that reads files could not be started."),
        OSError(errno.EIO, "Input/output error"),
        SourceUnavailable("The source does not answer."),
        ModelUnavailable("The model does not answer."),
    ],
)
def test_what_is_no_fault_of_the_file_is_tried_again_for_ever(bench: CrawlBench, fault: Exception) -> None:
    bench.write("a.txt", TEXT)

    def fail(_path: Path) -> None:
        raise fault

    bench.extractor.before = fail
    for _ in range(MAX_ATTEMPTS + 3):
        assert crawl(bench)["a.txt"].ending == "failed"
        bench.wait(days=1)
    assert bench.registry.extent().waiting == 0, "in the end nobody waits for it"
    bench.extractor.before = lambda _path: None
    assert crawl(bench)["a.txt"].ending == "indexed"


def test_a_file_that_was_under_way_when_the_program_ended_stays_as_it_was(bench: CrawlBench) -> None:
    file = bench.write("a.txt", TEXT)
    crawl(bench)
    before = bench.registry.known(file_ids=[file.file_id])
    changed = bench.write("a.txt", f"{TEXT} 改訂")

    bench.extractor.ends_with = ReadingStopped("The extractor was closed while it read a.txt.")
    with pytest.raises(ReadingStopped):
        bench.indexer.index_file(changed)
    after = bench.registry.known(file_ids=[file.file_id])[file.file_id]
    assert (after.state, after.attempts, after.done_revision) == ("indexed", 0, before[file.file_id].done_revision)
    assert bench.count("extracted_text", "attempts > 0") == 0
    assert crawl(bench)["a.txt"].ending == "indexed"


def test_what_an_ending_program_can_no_longer_do_is_no_failure_of_the_file(
    bench: CrawlBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = bench.write("a.txt", TEXT)
    bench.extractor.ends_with = RuntimeError("cannot schedule new futures after interpreter shutdown")
    with monkeypatch.context() as ending:
        ending.setattr("locator_search.indexing.pipeline.main_thread", Thread)  # one that does not run
        with pytest.raises(ReadingStopped):
            bench.indexer.index_file(file)
    assert bench.registry.coverage().by_reason == {}
    assert crawl(bench)["a.txt"].ending == "indexed"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_no_longer_be_read_leaves_the_index_until_it_may(bench: CrawlBench) -> None:
    file = bench.write("機密.txt", TEXT)
    crawl(bench)
    (bench.folder / file.location).chmod(0)
    assert crawl(bench)["機密.txt"].ending == "no_access"
    assert nothing_is_found(bench)
    assert bench.registry.coverage().by_reason == {"no-access": 1}
    (bench.folder / file.location).chmod(0o600)
    assert crawl(bench)["機密.txt"].ending == "indexed"
    assert bench.chat_model.answers == bench.extractor.calls.total() == 1, "nothing is read or paid again"


def test_a_file_its_source_refuses_leaves_the_index_at_once_and_comes_back_after_a_day(
    bench: CrawlBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write("機密.txt", TEXT)
    crawl(bench)
    with monkeypatch.context() as refused:
        refused.setattr(LocalFolderSource, "read", raising(AccessDenied("It may not be read.")))
        assert crawl(bench, full=True)["機密.txt"].ending == "no_access"
    assert nothing_is_found(bench)
    assert bench.registry.coverage().by_state == {"no_access": 1}
    assert crawl(bench) == {}
    bench.wait(days=1)
    assert crawl(bench)["機密.txt"].ending == "indexed"
    assert bench.chat_model.answers == bench.extractor.calls.total() == 1, "nothing is read or paid again"


def raising(error: Exception) -> Callable[..., Path]:
    def fail(*_args: object) -> Path:
        raise error

    return fail


def nothing_is_found(bench: CrawlBench) -> bool:
    query = RetrievalQuery("空調設備", mode="keyword", threshold=0)
    tables = ("drive_file_index", "file_chunk", "embedding_code", "keyword_term")
    return not bench.index.retrieve(query, None).evidence and not any(bench.count(table) for table in tables)


def test_what_became_a_picture_is_no_longer_found(bench: CrawlBench, monkeypatch: pytest.MonkeyPatch) -> None:
    file = bench.write("a.txt", TEXT)
    crawl(bench)
    picture = replace(file, mime_type="image/png", revision="another")
    monkeypatch.setattr(LocalSweep, "by_folder", lambda _self: iter([[picture]]))
    crawl(bench)
    assert nothing_is_found(bench)
    assert bench.registry.coverage().by_reason == {"image": 1}


def test_an_edit_that_can_never_be_indexed_leaves_nothing_of_the_former_text(bench: CrawlBench) -> None:
    bench.write("a.txt", TEXT)
    crawl(bench)
    bench.write("a.txt", TEXT + "追記。")

    def unreadable(_path: Path) -> None:
        raise ValueError("a fault of its own")

    bench.extractor.before = unreadable
    for _ in range(MAX_ATTEMPTS - 1):
        crawl(bench)
        assert bench.indexed_names() == ["a.txt"], "another try is to come"
        bench.wait(hours=2)
    crawl(bench)
    assert nothing_is_found(bench)


def test_a_file_removed_between_listing_and_reading_is_no_failure(bench: CrawlBench) -> None:
    file = bench.write("a.txt", TEXT)
    bench.write("b.txt", TEXT)
    (bench.folder / "a.txt").unlink()
    assert bench.indexer.index_file(file).ending == "gone"
    crawl(bench)
    assert bench.registry.coverage().by_state == {"indexed": 1}


def test_a_file_written_to_while_it_is_read_keeps_text_and_hash_together(bench: CrawlBench) -> None:
    bench.write("log.txt", "first line\n")

    def append(path: Path) -> None:
        if path.name == "log.txt":
            with path.open("a", encoding="utf-8") as stream:
                stream.write("one more line\n")

    bench.extractor.before = append
    assert crawl(bench)["log.txt"].ending == "indexed"
    bench.extractor.before = lambda _path: None
    crawl(bench)
    bench.write("copy of the first.txt", "first line\n")
    result = crawl(bench)["copy of the first.txt"]
    assert result.fact("extracted_text", "preview") == "first line"


def test_a_source_out_of_reach_is_asked_again_later_and_at_last_once_a_day(bench: CrawlBench) -> None:
    bench.write("a.txt", TEXT)

    def unavailable(_path: Path) -> None:
        raise SourceUnavailable("The source does not answer.")

    bench.extractor.before = unavailable
    assert crawl(bench)["a.txt"].reason == "The source does not answer."
    assert crawl(bench) == {}, "it is not tried before its time"
    for _ in range(MAX_ATTEMPTS - 1):
        bench.wait(hours=2)
        assert crawl(bench)["a.txt"].failed_stage == "extracted_text"
    bench.wait(hours=2)
    assert crawl(bench) == {}, "and not more often"
    bench.wait(days=1)
    assert crawl(bench)["a.txt"].failed_stage == "extracted_text"
    bench.write("a.txt", TEXT + "More.\n")
    assert crawl(bench)["a.txt"].failed_stage == "extracted_text"
    bench.wait(hours=2)
    assert crawl(bench)["a.txt"].failed_stage == "extracted_text", "one that has changed begins anew"


def test_a_model_out_of_reach_costs_no_file_and_is_asked_again_ever_more_rarely(bench: CrawlBench) -> None:
    bench.write("a.txt", TEXT)

    def unavailable() -> None:
        raise ModelUnavailable("The model does not answer.")

    bench.chat_model.before = unavailable
    result = crawl(bench)["a.txt"]
    assert (result.ending, result.fact("file_summary", "problem")) == ("indexed", "The model does not answer.")
    assert crawl(bench) == {}, "it is not asked before its time"
    for minutes in (1, 4, 16, 64, 240, 240):
        bench.wait(minutes=minutes - 0.5)
        assert crawl(bench) == {}
        bench.wait(minutes=0.5)
        assert crawl(bench)["a.txt"].fact("file_summary", "problem")
    bench.chat_model.before = lambda: None
    bench.wait(minutes=240)
    assert crawl(bench)["a.txt"].fact("file_summary", "problem") is None
    bench.wait(days=300)
    assert crawl(bench) == {}
    assert bench.extractor.calls.total() == 1, "what was read is remembered"


def test_a_retry_that_succeeds_leaves_no_trace_of_the_failure(bench: CrawlBench) -> None:
    bench.write("a.txt", TEXT)

    def unavailable() -> None:
        raise ModelUnavailable("The model does not answer.")

    bench.chat_model.before = unavailable
    crawl(bench)
    bench.chat_model.before = lambda: None
    bench.wait(minutes=2)
    assert crawl(bench)["a.txt"].ending == "indexed"
    assert bench.registry.coverage().by_reason == {}


def test_an_edit_whose_summary_fails_is_findable_by_what_it_says_now(bench: CrawlBench) -> None:
    bench.write("a.txt", TEXT)
    crawl(bench)

    def unavailable() -> None:
        raise ModelUnavailable("The model does not answer.")

    bench.chat_model.before = unavailable
    bench.write("a.txt", TEXT + "追記。")
    assert crawl(bench)["a.txt"].ending == "indexed"
    assert bench.count("file_chunk", "text LIKE '%追記%'") == 1


def test_what_concerns_every_file_is_raised_and_not_blamed_on_one(
    bench: CrawlBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write("a.txt", TEXT)

    def unreachable(*_args: object) -> None:
        raise StoreUnavailable("PostgreSQL cannot be reached.")

    monkeypatch.setattr(bench.index, "replace_many", unreachable)
    with pytest.raises(StoreUnavailable):
        crawl(bench)
    assert bench.registry.coverage().by_state == {"pending": 1}


def test_an_index_of_another_embedding_model_is_refused_for_every_file(bench: CrawlBench) -> None:
    bench.write("a.txt", TEXT)
    crawl(bench)
    with bench.database.connection() as connection:
        connection.execute("UPDATE index_profile SET embedding_model = 'another'")
    bench.write("b.txt", TEXT + "別の文書。")
    with pytest.raises(DimensionMismatch):
        crawl(bench)


def test_a_stage_can_be_made_alone_without_touching_the_index(bench: CrawlBench) -> None:
    file = bench.write("a.txt", TEXT)
    result = bench.indexer.index_file(file, until="file_summary")
    assert (result.ending, result.stages[-1].stage) == ("stopped", "file_summary")
    assert bench.count("drive_file_index") == 0


def test_pictures_are_settled_without_being_opened(bench: CrawlBench) -> None:
    (bench.folder / "写真.png").write_bytes(b"\x89PNG")
    assert crawl(bench) == {}
    assert bench.registry.coverage().by_reason == {"image": 1}


def test_the_sums_equal_the_listing_whatever_the_files_are(bench: CrawlBench) -> None:
    bench.write_many(4)
    bench.write("空.txt", "")
    bench.write("壊れた.pdf", "%PDF-1.7 and then nothing")
    (bench.folder / "写真.png").write_bytes(b"\x89PNG")
    crawl(bench)
    coverage = bench.registry.coverage()
    assert coverage.complete
    assert coverage.by_state == {"indexed": 4, "skipped": 2, "failed": 1}


def test_the_sync_state_stays_below_the_oldest_file_that_still_waits(bench: CrawlBench) -> None:
    def modified(file: FileRef, day: int) -> None:
        os.utime(bench.folder / file.location, (86_400 * day, 86_400 * day))

    for day, name in enumerate(("a.txt", "b.txt", "c.txt"), start=1):
        modified(bench.write(name, TEXT + name), day)

    def second_fails(path: Path) -> None:
        if path.name == "b.txt":
            raise SourceUnavailable("The source does not answer.")

    bench.extractor.before = second_fails
    crawl(bench)
    now = bench.clock.now()
    state = completed_sync(bench.registry.extent(), "diff", now, now)
    assert state is not None
    assert state.drive_modified_at.timestamp() == 86_400


def test_a_listing_leaves_the_search_for_garbage_as_it_was(bench: CrawlBench) -> None:
    observe_source(bench.source, bench.registry, "v1", bench.clock.now())
    assert gc.isenabled()
    with pytest.raises(SourceError):
        observe_source(LocalFolderSource([bench.folder / "gone"]), bench.registry, "v1", bench.clock.now())
    assert gc.isenabled()
