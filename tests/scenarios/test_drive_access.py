"""Before anything is shown, Drive is asked whether it may be."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from locator_search.adapters.google_drive.files import file_ref
from locator_search.adapters.postgres import Database
from locator_search.core.errors import FileGone
from locator_search.dev.drive_emulator import DriveEmulator, FaultRule
from locator_search.model import Evidence, RetrievalQuery
from tests.builders.drive import DriveBench
from tests.builders.registry import all_known
from tests.builders.waiting import wait_until


@pytest.fixture
def bench(drive: DriveEmulator, drive_bench: DriveBench) -> DriveBench:
    """Three indexed files."""
    for name in "abc":
        drive.add_file(f"{name}.txt", f"点検の記録 {name}", drive_bench.target)
    drive_bench.tick()
    drive_bench.requests()
    return drive_bench


def found(bench: DriveBench) -> list[Evidence]:
    query = RetrievalQuery("点検の記録", threshold=0.0, mode="keyword")
    return sorted(bench.index.retrieve(query, None).evidence, key=lambda item: item.file_name)


def checked(bench: DriveBench, **options: float) -> dict[str, str]:
    return {item.file_name: item.freshness for item in bench.checker(**options).check(found(bench))}


def file_id(bench: DriveBench, name: str) -> str:
    return next(item.file_id for item in found(bench) if item.file_name == name)


def test_untouched_files_are_verified_at_one_request_each(bench: DriveBench) -> None:
    assert checked(bench) == {"a.txt": "verified", "b.txt": "verified", "c.txt": "verified"}
    assert bench.requests() == {"files.get": 3}


@pytest.mark.parametrize("what", ["trash", "delete", "revoke"])
def test_what_is_gone_or_forbidden_is_left_out_and_forgotten_by_the_next_tick(
    drive: DriveEmulator, bench: DriveBench, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    lost = file_id(bench, "b.txt")
    {"trash": drive.trash, "delete": drive.delete, "revoke": drive.revoke}[what](lost)
    assert list(checked(bench)) == ["a.txt", "c.txt"]
    assert lost in caplog.text
    assert all_known(bench.registry)[lost].state == "out_of_scope"
    bench.tick()
    assert set(bench.places()) == {"a.txt", "c.txt"}


def test_what_may_no_longer_be_downloaded_is_left_out_and_remembered_as_forbidden(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    lost = file_id(bench, "b.txt")
    drive.forbid_download(lost)
    assert list(checked(bench)) == ["a.txt", "c.txt"]
    bench.tick()
    assert set(bench.places()) == {"a.txt", "c.txt"}
    assert all_known(bench.registry)[lost].state == "no_access"


def test_the_name_of_what_may_not_be_downloaded_is_shown_and_of_what_is_gone_it_is_not(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    evidence = found(bench)
    drive.forbid_download(file_id(bench, "a.txt"))
    drive.delete(file_id(bench, "b.txt"))
    drive.move(file_id(bench, "c.txt"), drive.add_folder("奥", drive.add_folder("よそ")))
    assert [item.file_name for item in bench.checker().check(evidence, names_alone=True)] == ["a.txt"]


def test_what_was_moved_out_is_left_out(drive: DriveEmulator, bench: DriveBench) -> None:
    drive.move(file_id(bench, "b.txt"), drive.add_folder("奥", drive.add_folder("よそ")))
    assert list(checked(bench)) == ["a.txt", "c.txt"]


def test_what_was_moved_into_a_new_folder_in_scope_is_shown(drive: DriveEmulator, bench: DriveBench) -> None:
    drive.move(file_id(bench, "b.txt"), drive.add_folder("新しい奥", drive.add_folder("新しい", bench.target)))
    assert checked(bench)["b.txt"] == "verified"


def test_what_a_shortcut_brings_into_scope_is_shown(drive: DriveEmulator, bench: DriveBench) -> None:
    elsewhere = drive.add_folder("よそ")
    drive.add_shortcut("近道", drive.add_file("d.txt", "点検の記録 d", elsewhere), bench.target)
    drive.add_shortcut("近道", folder := drive.add_folder("庫", elsewhere), bench.target)
    drive.add_file("e.txt", "点検の記録 e", folder)
    bench.tick()
    assert set(checked(bench).values()) == {"verified"}
    assert len(checked(bench)) == 5


@pytest.mark.parametrize("what", ["content", "name"])
def test_what_changed_is_marked_and_due_for_the_next_tick(drive: DriveEmulator, bench: DriveBench, what: str) -> None:
    changed = file_id(bench, "b.txt")
    if what == "content":
        drive.write(changed, "点検の記録、改訂版")
    else:
        drive.rename(changed, "改名.txt")
    assert checked(bench)["b.txt"] == "changed"
    assert set(bench.registry.due(bench.indexer.version, bench.clock.now(), 10)) == {changed}


def test_a_new_permission_is_no_change(drive: DriveEmulator, bench: DriveBench) -> None:
    drive.set_permission(file_id(bench, "b.txt"), "reader")
    assert set(checked(bench).values()) == {"verified"}


def test_when_drive_does_not_answer_everything_is_shown_as_not_verified(bench: DriveBench) -> None:
    bench.drive.set_faults(FaultRule(faults=("503",), method="files.*"))
    assert set(checked(bench).values()) == {"not_verified"}
    assert bench.requests() == {"files.get": 3}, "a person is waiting: nothing is tried twice"


def test_a_slow_drive_costs_no_more_than_the_time_there_is(bench: DriveBench) -> None:
    bench.drive.set_faults(FaultRule(faults=("slow",), seconds=200.0, file_id=file_id(bench, "b.txt")))
    began = time.monotonic()
    for seconds in (0.5, 5, 50):  # until the others answered in time, however slow the machine
        freshness = checked(bench, seconds=seconds)
        if freshness["a.txt"] == freshness["c.txt"] == "verified":
            break
    assert freshness == {"a.txt": "verified", "b.txt": "not_verified", "c.txt": "verified"}
    assert time.monotonic() - began < 150


def test_an_answer_that_comes_too_late_opens_no_database_that_was_closed(bench: DriveBench, database: Database) -> None:
    for seconds in (0.6, 6, 60):  # until the answer was still to come, however slow the machine
        bench.drive.set_faults(FaultRule(faults=("slow",), seconds=seconds, file_id=file_id(bench, "b.txt")))
        before = set(threading.enumerate())
        freshness = checked(bench, seconds=0.3, timeout=100)["b.txt"]
        database.close()
        late = [thread for thread in threading.enumerate() if thread not in before and "work" in thread.name]
        for thread in late:
            thread.join(100)
        if late and freshness == "not_verified":
            break
    assert (len(late), freshness) == (1, "not_verified")
    with psycopg.connect(database.url, autocommit=True) as connection:
        others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        # The server ends a connection that was closed a moment later; one that was opened would stay.
        wait_until(lambda: connection.execute(others).fetchone() == (0,), "the database was opened again")


def test_a_crawl_that_holds_every_slot_does_not_hold_the_search_up(bench: DriveBench) -> None:
    before = threading.active_count()
    with ExitStack() as slots:
        for _ in range(5):
            slots.enter_context(bench.slots.slot("drive"))
        assert set(checked(bench, seconds=0.3).values()) == {"not_verified"}
        assert threading.active_count() < before + 20


def test_evidence_of_another_source_is_not_asked_for(bench: DriveBench) -> None:
    [first, *_] = found(bench)
    other = Evidence(
        file_id="local:1",
        file_name="local.txt",
        summary="",
        link="",
        mime_type="text/plain",
        modified_at=first.modified_at,
        similarity=1.0,
        score=1.0,
        source="local_folder",
    )
    assert [item.freshness for item in bench.checker().check([other])] == ["not_verified"]
    assert bench.requests() == {}


def test_no_file_outside_the_target_folders_is_read(drive: DriveEmulator, bench: DriveBench, tmp_path: Path) -> None:
    elsewhere = drive.add_folder("奥", drive.add_folder("よそ"))
    outside = file_ref(bench.client().file(drive.add_file("外.txt", "外の文書", elsewhere)), "共有")
    with pytest.raises(FileGone, match="does not lie in the target folders"):
        bench.source.read(outside, tmp_path)
    new = drive.add_folder("まだ知らない", bench.target)
    inside = file_ref(bench.client().file(drive.add_file("中.txt", "中の文書", new)), "共有")
    assert bench.source.read(inside, tmp_path).read_text() == "中の文書"
