"""A permission of Google Drive that ends by its date: nobody is told when it has, and it counts no more."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.adapters.postgres.index.access_groups import PostgresGroupStore
from locator_search.adapters.postgres.search.unread_search import PostgresUnreadReader
from locator_search.core.reader import PROGRAM, Reader, reading_as
from locator_search.dev.drive_emulator import DriveEmulator
from locator_search.model import Evidence, RetrievalQuery
from tests.builders.drive import DriveBench

AKI, HANA = "aki@example.com", "hana@example.com"
QUERY = RetrievalQuery("点検の記録", threshold=0.0, mode="keyword", limit=50)


@pytest.fixture
def bench(drive_bench: DriveBench, database: Database, tmp_path: Path) -> Iterator[DriveBench]:
    """A target folder whose permissions count."""
    with Database(database.url, for_readers=True) as trimmed:
        drive_bench.look_at_readers(tmp_path, trimmed)
        yield drive_bench


def add(drive: DriveEmulator, name: str, parent: str) -> str:
    return drive.add_file(f"{name}.txt", f"点検の記録 {name}", parent)


def found_by(bench: DriveBench, mail: str) -> set[str]:
    """The names that a person finds, and is counted."""
    with reading_as(Reader.of(mail, {})):
        names = {item.file_name for item in PostgresIndexStore(bench.readers).retrieve(QUERY, None).evidence}
        assert PostgresUnreadReader(bench.readers).coverage().listed == len(names)
    return names


def let_days_pass(bench: DriveBench) -> None:
    """As if all that was listed had been listed ten days ago."""
    with bench.database.connection() as connection:
        connection.execute("UPDATE access_list SET ends = ARRAY(SELECT one - interval '10 days' FROM unnest(ends) one)")


def test_it_lets_nobody_in_from_that_moment_on_though_nobody_looks_at_drive(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    drive.directory.groups = {"hr@example.com": {AKI}}
    end = (datetime.now(UTC) + timedelta(days=9)).isoformat()
    shared = drive.add_shared_drive("営業", "organizer")
    own, group = add(drive, "own", bench.target), add(drive, "group", bench.target)
    drive.share(own, "user", AKI, expirationTime=end)
    drive.share(own, "user", HANA)
    drive.share(group, "group", "hr@example.com", expirationTime=end)
    for parent in (bench.target, shared):
        folder = drive.add_folder("箱", parent)
        drive.share(folder, "user", AKI, expirationTime=end)
        add(drive, f"inherited in {parent == shared}", drive.add_folder("奥", folder))
    bench.crawl_folders(bench.target, shared)
    bench.tick()
    everything = {"own.txt", "group.txt", "inherited in True.txt", "inherited in False.txt"}
    assert (found_by(bench, AKI), found_by(bench, HANA)) == (everything, {"own.txt"})
    groups = PostgresGroupStore(bench.database)
    assert groups.named() == ["group:hr@example.com"]
    let_days_pass(bench)
    bench.requests()
    assert (found_by(bench, AKI), found_by(bench, HANA)) == (set(), {"own.txt"})
    assert groups.named() == []
    assert bench.requests() == {}


def test_one_that_is_prolonged_counts_on_after_the_next_look_at_the_changes(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    file = add(drive, "a", bench.target)
    drive.share(file, "user", AKI, expirationTime=(datetime.now(UTC) + timedelta(days=9)).isoformat())
    bench.tick()
    drive.share(file, "user", AKI, expirationTime=(datetime.now(UTC) + timedelta(days=19)).isoformat())
    bench.tick()
    let_days_pass(bench)
    assert found_by(bench, AKI) == {"a.txt"}
    assert bench.agrees_with_a_full_listing()


def test_what_is_found_is_shown_until_the_moment_it_ends_by_what_drive_says(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    end = (bench.clock.now() + timedelta(hours=1)).isoformat()
    drive.share(add(drive, "a", bench.target), "user", AKI, expirationTime=end)
    bench.tick()
    with reading_as(PROGRAM):
        found: list[Evidence] = list(PostgresIndexStore(bench.readers).retrieve(QUERY, None).evidence)
    with reading_as(Reader.of(AKI, {})):
        assert len(bench.checker().check(found)) == 1
        bench.clock.sleep(2 * 3600)
        assert bench.checker().check(found) == []
    assert bench.agrees_with_a_full_listing(), "and what was learned is kept"
