"""Google Drive as a place where files live: the real client library against an emulated Drive."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from locator_search.adapters.google_drive import DriveClient, DriveSource
from locator_search.adapters.google_drive.auth import account_credentials
from locator_search.adapters.google_drive.files import file_ref
from locator_search.adapters.google_drive.refusals import TESTING_HINT
from locator_search.core.errors import (
    AccessDenied,
    ConfigurationError,
    FileGone,
    LocatorError,
    QuotaUsedUp,
    RateLimited,
    SourceError,
    SourceUnavailable,
)
from locator_search.dev.drive_emulator import DriveEmulator, FaultRule
from locator_search.dev.drive_emulator.calls import Call, JsonAnswer
from locator_search.dev.drive_emulator.faults import Fault
from locator_search.model import FileRef, UnlistedFolder
from locator_search.ports import ChangeFeed
from tests.fakes.clock import HeldClock
from tests.fakes.folder_tree import EmptyFolderTree
from tests.fakes.slots import CountingSlots


class Bench:
    """An emulated Drive with one target folder, and a source over it with a clock that stands still."""

    def __init__(self, drive: DriveEmulator) -> None:
        self.drive = drive
        self.clock = HeldClock()
        self.slots = CountingSlots()
        self.target = drive.add_folder("共有")
        self.follow_shortcuts = False

    def client(self, refresh_token: str | None = None, client_secret: str | None = None) -> DriveClient:
        oauth = self.drive.oauth
        credentials = account_credentials(
            oauth.client_id,
            client_secret or oauth.client_secret,
            refresh_token or str(oauth.refresh_token),
            self.drive.token_uri,
        )
        return DriveClient(credentials, self.slots, self.clock, endpoint=self.drive.api_endpoint)

    def source(self, *targets: str, page_size: int = 100) -> DriveSource:
        return DriveSource(
            self.client(),
            targets or (self.target,),
            EmptyFolderTree(),
            page_size,
            follow_shortcuts=self.follow_shortcuts,
        )

    def unlisted(self, *targets: str) -> list[UnlistedFolder]:
        """The folders that a listing could not look into."""
        sweep = self.source(*targets).sweep()
        list(sweep.files())
        return list(sweep.unlisted)

    def listed(self, *targets: str, page_size: int = 100) -> list[FileRef]:
        return list(self.source(*targets, page_size=page_size).list_files())

    def refusal(self, *targets: str) -> LocatorError:
        with pytest.raises(LocatorError) as raised:
            self.listed(*targets)
        return raised.value


@pytest.fixture
def bench() -> Iterator[Bench]:
    with DriveEmulator() as drive:
        yield Bench(drive)


# What is listed


def test_a_file_is_listed_with_what_a_person_needs_to_know(bench: Bench) -> None:
    folder = bench.drive.add_folder("議事録", bench.target)
    edited = datetime(2026, 9, 15, 10, 0, tzinfo=UTC)
    file_id = bench.drive.add_file("定例.txt", "本文", folder, modified=edited)
    [file] = bench.listed()
    assert (file.file_id, file.file_name, file.source) == (file_id, "定例.txt", "google_drive")
    assert (file.mime_type, file.modified_at, file.size) == ("text/plain", edited, 6)
    assert (file.folder_path, file.parent_ids) == ("共有/議事録", (folder,))
    assert file.link == bench.drive.api.resources.file(bench.drive.item(file_id), {"webViewLink": None})["webViewLink"]
    assert file.owner


def test_it_is_a_source_that_tells_what_changed(bench: Bench) -> None:
    assert isinstance(bench.source(), ChangeFeed)


def test_a_thousand_children_and_twenty_five_levels_are_all_listed(bench: Bench) -> None:
    folder = bench.target
    for level in range(25):
        folder = bench.drive.add_folder(f"階層{level}", folder)
    wanted = set(bench.drive.add_synthetic(1100, folder, per_folder=1100))
    assert {file.file_id for file in bench.listed()} == wanted


@pytest.mark.parametrize(("page_size", "pages"), [(100, 3), (1000, 1)])
def test_pages_are_as_large_as_they_are_set(bench: Bench, page_size: int, pages: int) -> None:
    for number in range(250):
        bench.drive.add_file(f"{number}.txt", "x", bench.target)
    assert len(bench.listed(page_size=page_size)) == 250
    assert bench.drive.request_counts()["files.list"] == pages


def test_every_folder_is_asked_for_once_and_after_its_parent(bench: Bench) -> None:
    first = [bench.drive.add_folder(f"一{number}", bench.target) for number in range(3)]
    second = [bench.drive.add_folder("二", folder) for folder in first]
    bench.listed()
    asked = [request.parameters["q"].split("'")[1] for request in bench.drive.requests if "q" in request.parameters]
    assert asked[0] == bench.target
    assert sorted(asked[1:]) == sorted([*first, *second])
    # Several are asked for at once, so neighbours may change places on the way.
    assert all(asked.index(below) > asked.index(above) for above, below in zip(first, second, strict=True))


def test_names_may_hold_anything(bench: Bench) -> None:
    folder = bench.drive.add_folder("2026/上期\t'引用'", bench.target)
    bench.drive.add_file("か\u3099.txt", "NFD", folder)
    bench.drive.add_file("a/b\n.txt", "slash", folder)
    for _ in range(2):
        bench.drive.add_file("同名.txt", "twice", folder)
    listed = bench.listed()
    assert sorted(file.file_name for file in listed) == sorted(["が.txt", "a/b␊.txt", "同名.txt", "同名.txt"])
    assert {file.folder_path for file in listed} == {"共有/2026／上期␉'引用'"}


def test_what_is_in_the_trash_is_not_listed(bench: Bench) -> None:
    folder = bench.drive.add_folder("捨てた", bench.target)
    bench.drive.add_file("a.txt", "本文", folder)
    bench.drive.trash(folder)
    bench.drive.trash(bench.drive.add_file("b.txt", "本文", bench.target))
    assert bench.listed() == []


def test_who_edited_a_file_last_and_its_shared_drive_are_told_and_nothing_is_made_up(bench: Bench) -> None:
    shared = bench.drive.add_shared_drive("営業本部")
    bench.drive.add_file("覚書.txt", "a", shared)
    bench.drive.add_file("議事録.txt", "b", bench.target)
    told = {file.file_name: (file.last_editor, file.drive) for file in bench.source(shared, bench.target).list_files()}
    assert told == {"覚書.txt": ("Emulator User", "営業本部"), "議事録.txt": ("Emulator User", None)}
    assert bench.drive.request_counts()["drives.get"] <= 2
    nobody = file_ref({"id": "x", "lastModifyingUser": {}, "owners": []}, "")
    assert (nobody.last_editor, nobody.owner, nobody.drive) == (None, None, None)


def test_a_shared_drive_is_listed_under_its_own_name(bench: Bench) -> None:
    shared = bench.drive.add_shared_drive("営業本部")
    bench.drive.add_file("a.txt", "本文", bench.drive.add_folder("下", shared))
    assert [file.folder_path for file in bench.listed(shared)] == ["営業本部/下"]


def test_a_target_may_be_given_by_its_link(bench: Bench) -> None:
    bench.drive.add_file("a.txt", "本文", bench.target)
    assert len(bench.listed(f"https://drive.google.com/drive/folders/{bench.target}?usp=sharing")) == 1


def test_link_shared_items_are_opened_with_their_resource_keys(bench: Bench, tmp_path: Path) -> None:
    outside = bench.drive.add_folder("リンク共有")
    file = bench.drive.add_file("鍵.txt", "鍵の要る文書", outside)
    bench.drive.require_resource_key(outside, "0-folderkey")
    bench.drive.require_resource_key(file, "0-filekey")
    bench.drive.add_shortcut("近道", outside, bench.target)
    bench.follow_shortcuts = True
    [listed] = bench.listed()
    assert bench.source().read(listed, tmp_path).read_text() == "鍵の要る文書"
    link = f"https://drive.google.com/drive/folders/{outside}?resourcekey=0-folderkey"
    assert [file.file_name for file in bench.listed(link)] == ["鍵.txt"]


def test_a_shortcut_that_leads_nowhere_is_passed_over(bench: Bench) -> None:
    gone = bench.drive.add_file("消える.txt", "本文")
    bench.drive.add_shortcut("近道", gone, bench.target)
    bench.drive.delete(gone)
    bench.drive.add_file("a.txt", "本文", bench.target)
    bench.follow_shortcuts = True
    assert [file.file_name for file in bench.listed()] == ["a.txt"]


def test_shortcuts_are_not_followed_unless_a_setting_says_so(bench: Bench) -> None:
    outside = bench.drive.add_folder("よそ")
    bench.drive.add_file("よその文書.txt", "外の文書", outside)
    file = bench.drive.add_file("もう一つ.txt", "外の文書", outside)
    bench.drive.add_file("a.txt", "本文", bench.target)
    bench.drive.add_shortcut("近道", outside, bench.target)
    bench.drive.add_shortcut("近道 2", file, bench.target)
    assert [file.file_name for file in bench.listed()] == ["a.txt"]
    bench.follow_shortcuts = True
    assert {file.file_name for file in bench.listed()} == {"a.txt", "よその文書.txt", "もう一つ.txt"}


def test_the_revision_changes_with_content_name_and_place_and_not_with_permissions(bench: Bench) -> None:
    file = bench.drive.add_document("議事録", "# 初版", bench.target)
    folder = bench.drive.add_folder("下", bench.target)

    def revision() -> str:
        [listed] = bench.listed()
        return listed.revision

    first = revision()
    bench.drive.set_permission(file, "reader")
    assert revision() == first
    bench.drive.rename(file, "改名")
    renamed = revision()
    assert renamed != first
    assert renamed.partition("/")[0] == first.partition("/")[0], "the content is the same"
    bench.drive.move(file, folder)
    moved = revision()
    assert moved not in (first, renamed)
    bench.drive.write(file, "# 改訂")
    assert revision().partition("/")[0] != moved.partition("/")[0]


# Target folders


def test_target_folders_that_cannot_be_crawled_are_all_named_and_do_not_stop_the_others(bench: Bench) -> None:
    bench.drive.add_file("a.txt", "本文", bench.target)
    trashed, hidden = bench.drive.add_folder("捨てた"), bench.drive.add_folder("見えない")
    file = bench.drive.add_file("文書.txt", "本文")
    bench.drive.trash(trashed)
    bench.drive.revoke(hidden)
    targets = (trashed, bench.target, hidden, file, "no-such-folder")
    assert [one.file_name for one in bench.listed(*targets)] == ["a.txt"]
    problems = {one.root_id: one.reason for one in bench.unlisted(*targets) if not one.path}
    assert problems == {
        f"google_drive:{trashed}": f"The target folder {trashed} is in the trash.",
        f"google_drive:{hidden}": f"The target folder {hidden} does not exist or is not shared with this account.",
        f"google_drive:{file}": f"The target folder {file} is not a folder.",
        "google_drive:no-such-folder": "The target folder no-such-folder does not exist or is not shared with this"
        " account.",
    }


def test_a_forbidden_target_folder_is_named(bench: Bench) -> None:
    bench.drive.set_faults(FaultRule(faults=("insufficientFilePermissions",), method="files.get"))
    [lost] = bench.unlisted()
    assert f"{bench.target} may not be read" in lost.reason


# Faults


def test_a_failing_request_is_tried_again_after_1_2_4_8_and_16_seconds(bench: Bench) -> None:
    bench.drive.add_file("a.txt", "本文", bench.target)
    bench.drive.set_faults(FaultRule(faults=("503",), method="files.list", first=5))
    assert len(bench.listed()) == 1
    assert bench.clock.slept == [1, 2, 4, 8, 16]


def test_a_service_that_stays_away_is_given_up_after_five_retries(bench: Bench) -> None:
    bench.drive.set_faults(FaultRule(faults=("500",), method="files.list"))
    assert isinstance(bench.refusal(), SourceUnavailable)
    assert bench.drive.request_counts()["files.list"] == 6


WIRE: list[Fault] = ["reset_before_headers", "reset_after_headers", "truncated_body", "html"]


@pytest.mark.parametrize("fault", WIRE)
def test_a_broken_answer_is_asked_for_again_once_and_not_behind_our_back(bench: Bench, fault: Fault) -> None:
    bench.drive.add_file("a.txt", "本文", bench.target)
    bench.drive.set_faults(FaultRule(faults=(fault,), method="files.list", first=1))
    assert len(bench.listed()) == 1
    assert bench.drive.request_counts()["files.list"] == 2
    assert bench.clock.slept == [1]


def test_no_slot_is_held_while_waiting(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []
    monkeypatch.setattr(bench.clock, "sleep", lambda _seconds: held.append(bench.slots.held))
    bench.drive.set_faults(FaultRule(faults=("429",), method="files.list", first=3))
    bench.listed()
    assert held == [0, 0, 0]
    assert bench.slots.taken == {"drive": len(bench.drive.requests) - bench.drive.request_counts()["oauth.token"]}


def test_retry_after_is_honoured(bench: Bench) -> None:
    bench.drive.set_faults(FaultRule(faults=("429",), method="files.list", first=1, retry_after=7))
    bench.listed()
    assert bench.clock.slept == [7]


@pytest.mark.parametrize(
    ("fault", "kind", "tries"),
    [
        ("rateLimitExceeded", RateLimited, 6),
        ("userRateLimitExceeded", RateLimited, 6),
        ("dailyLimitExceeded", QuotaUsedUp, 1),
        ("insufficientFilePermissions", AccessDenied, 1),
        ("cannotDownloadFile", AccessDenied, 1),
        ("cannotDownloadAbusiveFile", AccessDenied, 1),
        ("domainPolicy", ConfigurationError, 1),
        ("insufficientPermissions", ConfigurationError, 1),
        ("appNotAuthorizedToFile", AccessDenied, 1),
    ],
)
def test_the_reason_inside_a_403_decides(
    bench: Bench, tmp_path: Path, fault: Fault, kind: type[LocatorError], tries: int
) -> None:
    bench.drive.add_file("a.txt", "本文", bench.target)
    [file] = bench.listed()
    bench.drive.set_faults(FaultRule(faults=(fault,), method="files.media"))
    with pytest.raises(kind):
        bench.source().read(file, tmp_path)
    assert bench.drive.request_counts()["files.media"] == tries


def test_a_refused_page_token_begins_the_listing_of_that_folder_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(25):
        bench.drive.add_file(f"{number}.txt", "x", bench.target)
    source = bench.source(page_size=10)
    pages = 0

    def expire_after_the_second_page(method: str) -> None:
        nonlocal pages
        pages += method == "files.list"
        if pages == 3:
            bench.drive.expire_page_tokens()

    service = bench.drive._server.service
    assert service is not None
    monkeypatch.setattr(
        bench.drive._server,
        "service",
        service.__class__(service.router, service.faults, service.log, expire_after_the_second_page),
    )
    assert len(list(source.list_files())) == 25
    assert pages == 6


def test_a_search_of_a_part_of_the_files_is_an_error(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bench.drive.api.listing.list_files

    def in_part(call: Call) -> JsonAnswer:
        answer = whole(call)
        return replace(answer, document={**answer.document, "incompleteSearch": True})

    monkeypatch.setitem(bench.drive.api._methods, "files.list", in_part)
    assert "only a part" in bench.refusal().message


def test_a_folder_that_exists_and_cannot_be_listed_is_named_and_does_not_stop_the_others(bench: Bench) -> None:
    """It must not look like an empty folder: the files in it would be taken for deleted."""
    for name in ("下", "隣", "その隣"):
        bench.drive.add_file(f"{name}.txt", "本文", bench.drive.add_folder(name, bench.target))
    bench.drive.set_faults(FaultRule(faults=("insufficientFilePermissions",), method="files.list", every=3))
    sweep = bench.source().sweep()
    assert len(list(sweep.files())) == 2
    [unlisted] = sweep.unlisted
    assert unlisted.path in ("共有/下", "共有/隣", "共有/その隣")
    assert unlisted.root_id == f"google_drive:{bench.target}"


# Credentials


def test_one_token_is_asked_for_however_many_threads_begin_at_once(bench: Bench) -> None:
    for number in range(12):
        bench.drive.add_folder(f"{number}", bench.target)
    source = bench.source()
    list(source.list_files())
    bench.drive.clear_requests()
    bench.drive.oauth.expire_access_tokens()
    list(source.list_files())
    assert bench.drive.request_counts()["oauth.token"] == 1


def test_a_revoked_token_is_one_sentence_that_names_the_seven_days(bench: Bench) -> None:
    bench.drive.oauth.revoke()
    refusal = DriveSource(bench.client("revoked"), [bench.target], EmptyFolderTree())
    with pytest.raises(ConfigurationError, match="invalid_grant") as raised:
        list(refusal.list_files())
    assert raised.value.hint == TESTING_HINT
    assert "7 days" in TESTING_HINT
    assert bench.drive.request_counts()["oauth.token"] == 1


def test_a_wrong_client_is_one_sentence(bench: Bench) -> None:
    source = DriveSource(bench.client(client_secret="wrong"), [bench.target], EmptyFolderTree())
    with pytest.raises(ConfigurationError, match="does not know this OAuth client"):
        list(source.list_files())


def test_no_secret_is_logged_at_any_level(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    bench.drive.add_file("a.txt", "秘密の本文", bench.target)
    bench.listed()
    secrets = [str(bench.drive.oauth.refresh_token), bench.drive.oauth.client_secret, "ya29.", "秘密の本文"]
    assert not [secret for secret in secrets if secret in caplog.text]


def test_an_address_nobody_answers_at_is_one_sentence(bench: Bench) -> None:
    client = DriveClient(bench.client()._credentials, bench.slots, bench.clock, endpoint="http://127.0.0.1:9/drive/v3/")
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        client.file("x")
    assert [round(later - earlier, 3) for earlier, later in pairwise([0, *bench.clock.slept])] == [1, 1, 2, 4, 8]


def test_the_cursor_names_every_drive(bench: Bench) -> None:
    shared = bench.drive.add_shared_drive("営業本部")
    sweep = bench.source(bench.target, shared).sweep()
    with pytest.raises(SourceError, match="did not come to its end"):
        sweep.ending()
    list(sweep.files())
    position, folders = sweep.ending()
    assert set(json.loads(position.cursor)) == {"", shared}
    assert {folder.name for folder in folders.put} == {"共有", "営業本部"}


def test_a_file_that_is_gone_is_gone(bench: Bench, tmp_path: Path) -> None:
    file_id = bench.drive.add_file("a.txt", "本文", bench.target)
    [file] = bench.listed()
    bench.drive.delete(file_id)
    with pytest.raises(FileGone):
        bench.source().read(file, tmp_path)
