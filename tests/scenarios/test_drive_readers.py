"""Who may read a file of Google Drive: told by permissions, taken in by one tick, asked again before it is shown."""

from __future__ import annotations

import json
import os
import pwd
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from locator_search.adapters.google_drive import client
from locator_search.adapters.postgres import Database, PostgresDocumentReader, PostgresIndexStore
from locator_search.adapters.postgres.index.access_groups import PostgresGroupStore
from locator_search.config.settings import load_settings
from locator_search.core.errors import ConfigurationError
from locator_search.core.reader import PROGRAM, Reader, reading_as
from locator_search.dev.drive_emulator import DriveEmulator, FaultRule
from locator_search.mcp_server.index_tools import IndexTools
from locator_search.model import Evidence, RetrievalQuery
from locator_search.retrieval.readable import ReadableAlone
from tests.builders.command_line import app
from tests.builders.drive import DriveBench, service_account_key
from tests.builders.registry import all_known

AKI, HANA, OUT = "aki@example.com", "hana@example.com", "out@other.org"


@pytest.fixture
def trimmed(database: Database) -> Iterator[Database]:
    """The same database for readers."""
    with Database(database.url, for_readers=True) as opened:
        yield opened


@pytest.fixture
def bench(drive_bench: DriveBench, trimmed: Database, tmp_path: Path) -> Iterator[DriveBench]:
    """A target folder whose permissions count. After the test the index is what a full listing would make of it."""
    drive_bench.look_at_readers(tmp_path, trimmed)
    yield drive_bench
    assert drive_bench.agrees_with_a_full_listing()


def found_by(bench: DriveBench, mail: str) -> set[str]:
    """The names that a person finds, is counted, and may open."""
    with reading_as(Reader.of(mail, {})):
        found = PostgresIndexStore(bench.readers).retrieve(query(), None)
        names = {item.file_name for item in found.evidence}
        assert found.hit_count == len(names)
        assert PostgresDocumentReader(bench.readers).readable(list(all_known(bench.registry))) == {
            item.file_id for item in found.evidence
        }
    return names


def query() -> RetrievalQuery:
    return RetrievalQuery("点検の記録", threshold=0.0, mode="keyword", limit=50)


def add(drive: DriveEmulator, name: str, parent: str) -> str:
    return drive.add_file(f"{name}.txt", f"点検の記録 {name}", parent)


def test_each_way_of_access_lets_in_whom_it_names(drive: DriveEmulator, bench: DriveBench) -> None:
    drive.directory.groups = {"hr@example.com": {"people@example.com"}, "people@example.com": {HANA}}
    top, later = bench.target, (datetime.now(UTC) + timedelta(days=9)).isoformat()
    drive.share(add(drive, "user", top), "user", AKI.upper())
    drive.share(add(drive, "group", top), "group", "hr@example.com")
    drive.share(add(drive, "domain", top), "domain", "example.com")
    drive.share(add(drive, "link", top), "anyone", allowFileDiscovery=False)
    drive.share(inherited := drive.add_folder("継承", top), "user", AKI)
    add(drive, "inherited", drive.add_folder("奥", inherited))
    drive.share(add(drive, "for a while", top), "user", AKI, expirationTime=later)
    add(drive, "nobody", top)
    bench.tick()
    assert found_by(bench, AKI) == {"user.txt", "domain.txt", "link.txt", "inherited.txt", "for a while.txt"}
    assert found_by(bench, HANA) == {"group.txt", "domain.txt", "link.txt"}
    assert found_by(bench, OUT) == {"link.txt"}
    assert "user.txt" in found_by(bench, "user@emulator.test"), "the owner"


@pytest.mark.parametrize(
    "mark",
    [{"deleted": True}, {"pendingOwner": True}, {"view": "metadata"}, {"expirationTime": "2020-01-01T00:00:00Z"}],
)
def test_a_permission_that_gives_nothing_lets_nobody_in(
    drive: DriveEmulator, bench: DriveBench, mark: dict[str, Any]
) -> None:
    drive.share(add(drive, "a", bench.target), "user", AKI, **mark)
    bench.tick()
    assert found_by(bench, AKI) == set()


def test_members_of_a_shared_drive_read_what_is_not_closed_to_them_at_one_request_for_each_folder(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    shared = drive.add_shared_drive("営業", "organizer")
    drive.share(shared, "user", AKI)
    for number in range(120):
        drive.share(shared, "user", f"member{number}@example.com")
    for name in ("a", "b", "c"):
        add(drive, name, shared)
    drive.share(add(drive, "own", shared), "user", HANA)
    closed = drive.add_folder("役員", shared)
    add(drive, "closed", closed)
    drive.limit_access(closed)
    bench.targets = (shared,)
    bench.crawl_folders(shared)
    bench.requests()
    bench.tick()
    assert bench.requests()["permissions.list"] == 8, (
        "pages of 100, for two folders and a file; one for a closed folder"
    )
    assert found_by(bench, AKI) == {"a.txt", "b.txt", "c.txt", "own.txt"}
    assert found_by(bench, "member119@example.com") == {"a.txt", "b.txt", "c.txt", "own.txt"}
    assert found_by(bench, HANA) == {"own.txt"}


def test_other_permissions_count_after_one_tick_and_nothing_is_read_again(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    file, folder = add(drive, "a", bench.target), drive.add_folder("箱", bench.target)
    add(drive, "b", drive.add_folder("奥", folder))
    bench.tick()
    bench.requests()
    drive.share(file, "user", AKI)
    drive.share(folder, "user", HANA)
    bench.tick()
    assert (found_by(bench, AKI), found_by(bench, HANA)) == ({"a.txt"}, {"b.txt"})
    drive.unshare(file, "user", AKI)
    drive.limit_access(folder)
    drive.unshare(folder, "user", HANA)
    bench.tick()
    assert (found_by(bench, AKI), found_by(bench, HANA)) == (set(), set())
    assert "files.media" not in bench.requests()


def test_what_was_shared_above_the_target_folder_counts_though_no_list_of_changes_names_it(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    add(drive, "a", bench.target)
    shared = drive.add_shared_drive("営業", "organizer")
    add(drive, "b", target := drive.add_folder("案件", shared))
    bench.targets = (bench.target, target)
    bench.crawl_folders(*bench.targets)
    bench.tick()
    drive.share(drive.root_id, "user", AKI, announce="nothing")
    drive.share(shared, "user", HANA, announce="nothing")
    bench.tick()
    assert (found_by(bench, AKI), found_by(bench, HANA)) == ({"a.txt"}, {"b.txt"})


@pytest.mark.parametrize("in_a_shared_drive", [False, True])
def test_what_was_shared_below_the_target_folder_counts_though_no_list_of_changes_names_it(
    drive: DriveEmulator, bench: DriveBench, in_a_shared_drive: bool
) -> None:
    top = drive.add_shared_drive("営業", "organizer") if in_a_shared_drive else bench.target
    folder = drive.add_folder("奥", drive.add_folder("箱", top))
    deepest = drive.add_folder("底", folder)
    add(drive, "a", folder)
    add(drive, "b", deepest)
    add(drive, "c", top)
    bench.targets = (top,)
    bench.crawl_folders(top)
    bench.tick()
    drive.share(folder, "user", AKI, announce="nothing")
    drive.share(deepest, "user", HANA, announce="nothing")
    bench.tick()
    assert (found_by(bench, AKI), found_by(bench, HANA)) == ({"a.txt", "b.txt"}, {"b.txt"})
    drive.limit_access(deepest, announce="nothing")
    bench.tick()
    assert (found_by(bench, AKI), found_by(bench, HANA)) == ({"a.txt"}, {"b.txt"})
    drive.unshare(folder, "user", AKI, announce="nothing")
    bench.requests()
    bench.tick()
    assert (found_by(bench, AKI), found_by(bench, HANA)) == (set(), {"b.txt"})
    assert "files.media" not in bench.requests()
    bench.tick()
    requests = bench.requests()
    assert requests.pop("changes.list") == requests.pop("files.list"), (
        "one for the changes of a drive, one for its folders"
    )
    assert requests.pop("permissions.list", 0) == in_a_shared_drive, "of the target folder"
    assert requests == {"files.get": 1}


def test_all_folders_are_asked_whom_they_let_in_page_by_page(
    drive: DriveEmulator, bench: DriveBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "LARGEST_PAGE", 2)
    folders = [drive.add_folder(f"箱{number}", bench.target) for number in range(5)]
    for number, folder in enumerate(folders):
        add(drive, str(number), folder)
    bench.tick()
    for folder in folders:
        drive.share(folder, "user", AKI, announce="nothing")
    bench.tick()
    assert found_by(bench, AKI) == {f"{number}.txt" for number in range(5)}


def test_a_file_that_moves_is_read_by_those_who_read_its_new_folder(drive: DriveEmulator, bench: DriveBench) -> None:
    shared = drive.add_shared_drive("営業", "organizer")
    open_folder, folder = drive.add_folder("公開", shared), drive.add_folder("箱", shared)
    drive.share(open_folder, "user", AKI)
    add(drive, "a", folder)
    bench.targets = (shared,)
    bench.crawl_folders(shared)
    bench.tick()
    assert found_by(bench, AKI) == set()
    drive.move(folder, open_folder)
    bench.tick()
    assert found_by(bench, AKI) == {"a.txt"}


def test_a_group_is_who_the_directory_says_now_and_nobody_where_it_says_nothing(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    groups = PostgresGroupStore(bench.database)
    drive.directory.groups = {"hr@example.com": {AKI}}
    drive.share(add(drive, "a", bench.target), "group", "hr@example.com")
    drive.share(add(drive, "b", bench.target), "group", "partners@other.org")
    bench.tick()
    assert found_by(bench, AKI) == {"a.txt"}
    assert groups.unknown() == ["group:partners@other.org"]
    drive.directory.groups["hr@example.com"] = {HANA}
    bench.tick()
    assert (found_by(bench, AKI), found_by(bench, HANA)) == (set(), {"a.txt"})
    drive.set_faults(FaultRule(faults=("503",), method="members.list"))
    bench.tick()
    assert found_by(bench, HANA) == {"a.txt"}, "a directory that does not answer has not said that nobody is in it"
    drive.set_faults()
    del drive.directory.groups["hr@example.com"]
    bench.tick()
    assert found_by(bench, HANA) == set()


def test_without_readers_of_its_folder_a_file_of_which_drive_tells_nothing_is_read_by_nobody(
    drive: DriveEmulator, bench: DriveBench
) -> None:
    shared = drive.add_shared_drive("営業", "reader")  # who may only read is not told who else may
    drive.share(shared, "user", AKI)
    drive.share(add(drive, "a", shared), "user", AKI)
    drive.share(add(drive, "b", bench.target), "user", AKI)
    drive.set_permission(bench.target, "reader")
    bench.targets = (bench.target, shared)
    bench.crawl_folders(*bench.targets)
    bench.tick()
    assert found_by(bench, AKI) == set()
    assert PostgresGroupStore(bench.database).unread_files() == 2


@pytest.fixture
def shown(bench: DriveBench) -> Callable[[str], set[str]]:
    """The names a person is shown of what the index holds, whatever it says of its readers."""

    def shown(mail: str) -> set[str]:
        with reading_as(PROGRAM):
            found: list[Evidence] = list(PostgresIndexStore(bench.readers).retrieve(query(), None).evidence)
        with reading_as(Reader.of(mail, {})):
            readable = PostgresDocumentReader(bench.readers).readable
            return {item.file_name for item in ReadableAlone(bench.checker(), readable).check(found)}

    return shown


def test_drive_is_asked_again_before_anything_is_shown(
    drive: DriveEmulator, bench: DriveBench, shown: Callable[[str], set[str]]
) -> None:
    drive.directory.groups = {"hr@example.com": {AKI}}
    shared = drive.add_shared_drive("営業", "organizer")
    first, second = add(drive, "a", bench.target), add(drive, "b", shared)
    drive.share(first, "group", "hr@example.com")
    drive.share(shared, "user", AKI)
    bench.targets = (bench.target, shared)
    bench.crawl_folders(*bench.targets)
    bench.tick()
    assert (shown(AKI), shown(HANA)) == ({"a.txt", "b.txt"}, set())
    drive.unshare(first, "group", "hr@example.com")
    drive.unshare(shared, "user", AKI)
    assert shown(AKI) == set(), "though no tick came between"
    assert found_by(bench, AKI) == set(), "and what was learned counts at once"
    drive.share(second, "user", AKI)
    bench.tick()
    drive.set_faults(FaultRule(faults=("503",), method="permissions.list"))
    assert shown(AKI) == set(), "a source that cannot be asked lets nobody in"
    drive.set_faults()
    assert shown(AKI) == {"b.txt"}


def crawled_for(
    mail: str, drive: DriveEmulator, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> str:
    """The command crawls, and the user of this machine, whose name is returned, is that person."""
    user = pwd.getpwuid(os.getuid()).pw_name
    for name, value in {
        **drive.environment(),
        "GOOGLE_REFRESH_TOKEN": "",
        "GOOGLE_SERVICE_ACCOUNT_FILE": service_account_key(tmp_path),
        "GOOGLE_DIRECTORY_ADMIN": drive.directory.admin,
        "LOCATOR_HOME": tmp_path / "home",
        "DATABASE_URL": database_url,
        "LOCATOR_PERMISSIONS": 1,
        "LOCATOR_ADMINISTRATORS": AKI,
        "LOCATOR_COMMAND_READERS": f"{user}={mail}",
    }.items():
        monkeypatch.setenv(name, str(value))
    assert CliRunner().invoke(app, ["crawler", "--json"]).exit_code == 0
    return user


def said(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def evidence_of_mcp(question: str) -> str:
    tools = IndexTools(load_settings())
    with closing(tools), reading_as(Reader.of(AKI, {})):
        return tools.get_evidence(question, 5, None, None).model_dump_json()


ASKED: dict[str, Callable[[str], str]] = {
    "すいか": lambda question: said("search", question, "--no-input", "--trace"),
    "ぶどう": lambda question: said("search", question, "--no-input", "--json"),
    "みかん": lambda question: said("evidence", question, "--json"),
    "れもん": lambda question: said("searches", "--json"),
    "かりん": lambda question: said("searches", "--why", question),
    "あんず": evidence_of_mcp,
}
"""What tells of the files, each with the word of a file that is asked for."""


def test_a_file_that_was_closed_leaves_no_hint_before_the_next_tick_comes(
    drive: DriveEmulator, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {word: drive.add_file(f"{word}.txt", f"{word}の買収計画", drive.root_id) for word in ASKED}
    for file in files.values():
        drive.share(file, "user", AKI)
    crawled_for(AKI, drive, tmp_path, database_url, monkeypatch)
    for word in ("れもん", "かりん"):
        said("searches", "--save", word)
    for word, ask in ASKED.items():
        drive.unshare(files[word], "user", AKI)
        first, then = ask(word), ask(word)
        assert "may no longer be read" not in first
        assert "除きました" not in first
        assert without_times(first) == without_times(then), "the index has learned by then that it may not be read"


def without_times(told: str) -> str:
    return re.sub(r"[0-9.]+ ?(s|ms|seconds)|\d{2}:\d{2}(:[0-9.]+)?|\"(seconds|search_id)\": [0-9.e-]+", "", told)


def test_the_command_crawls_with_the_directory_and_names_groups_it_does_not_know(
    drive: DriveEmulator, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive.directory.groups = {"hr@example.com": {AKI}}
    drive.share(add(drive, "a", drive.root_id), "group", "hr@example.com")
    drive.share(add(drive, "b", drive.root_id), "group", "partners@other.org")
    add(drive, "c", drive.root_id)
    user = crawled_for(AKI, drive, tmp_path, database_url, monkeypatch)
    answer = json.loads(CliRunner().invoke(app, ["search", "点検の記録", "--json", "--no-input"]).stdout)
    assert {item["file_name"] for item in (*answer["evidence"], *answer["closest"])} == {"a.txt"}
    part = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)["parts"]["permissions"]
    assert part["state"] == "failing"
    assert "partners@other.org" in part["detail"]
    assert "hr@example.com" not in part["detail"]
    assert "GOOGLE_DIRECTORY_ADMIN" in part["hint"]
    monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{user}={HANA}")
    part = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)["parts"]["permissions"]
    assert "partners" not in part["detail"], "figures are for administrators"


def test_a_directory_without_a_service_account_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_DIRECTORY_ADMIN", "admin@example.com")
    with pytest.raises(ConfigurationError, match="GOOGLE_DIRECTORY_ADMIN says who may read"):
        load_settings()
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    with pytest.raises(ConfigurationError, match="set GOOGLE_SERVICE_ACCOUNT_FILE"):
        load_settings()
