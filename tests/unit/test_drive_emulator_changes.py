"""The changes feed of the emulated Drive, as the real client sees it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from googleapiclient.errors import HttpError

from locator_search.dev.drive_emulator import DriveEmulator
from tests.fakes.google_client import connect

EVERYWHERE = {"supportsAllDrives": True, "includeItemsFromAllDrives": True}


class Feed:
    """One corpus, read from where it was read last."""

    def __init__(self, drive: DriveEmulator, drive_id: str | None = None) -> None:
        self._changes = connect(drive).changes()
        self._of_drive = {"driveId": drive_id} if drive_id else {}
        start = self._changes.getStartPageToken(supportsAllDrives=True, **self._of_drive).execute()
        self.token = start["startPageToken"]
        self.pages = 0

    def read(self, **parameters: Any) -> list[Any]:
        told: list[Any] = []
        while True:
            answer = self._changes.list(
                pageToken=self.token, fields="*", **(EVERYWHERE | self._of_drive | parameters)
            ).execute()
            self.pages += 1
            told += answer["changes"]
            assert ("nextPageToken" in answer) != ("newStartPageToken" in answer)
            self.token = answer.get("nextPageToken") or answer["newStartPageToken"]
            if "newStartPageToken" in answer:
                return told


@pytest.fixture
def drive() -> Iterator[DriveEmulator]:
    with DriveEmulator() as emulator:
        yield emulator


def test_nothing_changed_is_one_request_whatever_the_number_of_files(drive: DriveEmulator) -> None:
    drive.add_synthetic(3000)
    feed = Feed(drive)
    drive.clear_requests()
    assert feed.read() == []
    assert drive.request_counts() == {"changes.list": 1}


def test_a_changed_file_is_told_once_with_the_state_it_has_now(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.txt", "one")
    feed = Feed(drive)
    drive.write(file_id, "two")
    drive.rename(file_id, "b.txt")
    (change,) = feed.read()
    assert (change["fileId"], change["removed"], change["changeType"]) == (file_id, False, "file")
    assert (change["file"]["name"], change["file"]["size"]) == ("b.txt", "3")
    assert feed.read() == []


def test_without_fields_a_change_is_short(drive: DriveEmulator) -> None:
    feed = Feed(drive)
    drive.add_file("a.txt", "x")
    answer = connect(drive).changes().list(pageToken=feed.token).execute()
    assert answer["changes"][0]["file"].keys() == {"kind", "id", "name", "mimeType"}


def test_only_the_last_page_has_the_new_start_token(drive: DriveEmulator) -> None:
    feed = Feed(drive)
    ids = [drive.add_file(f"{number}.txt", "x") for number in range(7)]
    assert [change["fileId"] for change in feed.read(pageSize=3)] == ids
    assert feed.pages == 3


def test_a_token_from_before_a_sweep_tells_what_happened_during_it(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.txt", "x")
    feed = Feed(drive)
    connect(drive).files().list().execute()
    drive.write(file_id, "edited during the sweep")
    assert [change["fileId"] for change in feed.read()] == [file_id]


def test_deleted_and_no_longer_readable_look_alike(drive: DriveEmulator) -> None:
    deleted, hidden = drive.add_file("a.txt", "x"), drive.add_file("b.txt", "x")
    feed = Feed(drive)
    drive.delete(deleted)
    drive.revoke(hidden)
    changes = feed.read()
    assert [(change["fileId"], change["removed"], "file" in change) for change in changes] == [
        (deleted, True, False),
        (hidden, True, False),
    ]
    drive.set_permission(hidden, "reader")
    (back,) = feed.read()
    assert (back["fileId"], back["removed"], back["file"]["name"]) == (hidden, False, "b.txt")


def test_removals_may_be_left_out(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.txt", "x")
    feed = Feed(drive)
    drive.delete(file_id)
    assert feed.read(includeRemoved=False) == []


def test_trash_and_untrash_are_changes_and_keep_the_times(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.txt", "x", modified=datetime(2001, 1, 1, tzinfo=UTC))
    feed = Feed(drive)
    drive.trash(file_id)
    (trashed,) = feed.read()
    drive.untrash(file_id)
    (back,) = feed.read()
    assert (trashed["removed"], trashed["file"]["trashed"], back["file"]["trashed"]) == (False, True, False)
    assert back["file"]["modifiedTime"] == "2001-01-01T00:00:00.000Z"


def test_a_folder_is_named_and_not_what_is_below_it(drive: DriveEmulator) -> None:
    folder, target = drive.add_folder("a"), drive.add_folder("b")
    drive.add_file("a.txt", "x", folder)
    feed = Feed(drive)
    drive.rename(folder, "renamed")
    drive.move(folder, target)
    drive.trash(folder)
    assert [change["fileId"] for change in feed.read()] == [folder]
    drive.untrash(folder, announce="subtree")
    assert len(feed.read()) == 2
    drive.revoke(folder, announce="nothing")
    assert feed.read() == []


def test_each_shared_drive_has_a_log_of_its_own(drive: DriveEmulator) -> None:
    shared = drive.add_shared_drive("Team")
    mine, of_drive = Feed(drive), Feed(drive, shared)
    file_id = drive.add_file("a.txt", "x", shared)
    own = drive.add_file("b.txt", "x")
    assert [change["fileId"] for change in mine.read()] == [own]
    assert [change["fileId"] for change in of_drive.read()] == [file_id]


def test_the_users_log_can_be_made_to_name_items_of_shared_drives(drive: DriveEmulator) -> None:
    drive.tree.user_log_names_shared_items = True
    shared = drive.add_shared_drive("Team")
    mine, of_drive = Feed(drive), Feed(drive, shared)
    start = mine.token
    file_id = drive.add_file("a.txt", "x", shared)
    assert [change["fileId"] for change in mine.read()] == [change["fileId"] for change in of_drive.read()] == [file_id]
    mine.token = start
    assert mine.read(includeItemsFromAllDrives=False) == []


def test_a_token_belongs_to_its_log(drive: DriveEmulator) -> None:
    shared = drive.add_shared_drive("Team")
    of_drive = Feed(drive, shared)
    with pytest.raises(HttpError) as caught:
        connect(drive).changes().list(pageToken=of_drive.token).execute()
    assert caught.value.status_code == 400


def test_a_move_to_another_drive_is_a_removal_here_and_an_arrival_there(drive: DriveEmulator) -> None:
    shared = drive.add_shared_drive("Team")
    file_id = drive.add_file("a.txt", "x")
    mine, of_drive = Feed(drive), Feed(drive, shared)
    drive.move(file_id, shared)
    start = mine.token
    (gone,) = mine.read()
    (came,) = of_drive.read()
    assert (gone["removed"], "file" in gone) == (True, False)
    assert (came["removed"], came["file"]["driveId"]) == (False, shared)
    mine.token = start
    (told,) = mine.read(includeCorpusRemovals=True)
    assert (told["removed"], told["file"]["id"]) == (True, file_id)


def test_leaving_a_drive_names_the_drive_and_no_file(drive: DriveEmulator) -> None:
    shared = drive.add_shared_drive("Team")
    drive.add_file("a.txt", "x", shared)
    mine, of_drive = Feed(drive), Feed(drive, shared)
    drive.set_membership(shared, "none")
    (change,) = mine.read()
    assert (change["changeType"], change["driveId"], change["removed"]) == ("drive", shared, True)
    with pytest.raises(HttpError) as caught:
        of_drive.read()
    assert caught.value.status_code == 404


@pytest.mark.parametrize("status", [400, 410])
def test_tokens_can_be_made_to_expire(drive: DriveEmulator, status: int) -> None:
    feed = Feed(drive)
    drive.expire_change_tokens(status)
    with pytest.raises(HttpError) as caught:
        feed.read()
    assert caught.value.status_code == status
    assert Feed(drive).read() == []


def test_tokens_that_are_no_tokens_are_refused(drive: DriveEmulator) -> None:
    for token in ("1", "~", "é", "AAAA"):
        with pytest.raises(HttpError) as caught:
            connect(drive).changes().list(pageToken=token).execute()
        assert (caught.value.status_code, caught.value.error_details[0]["location"]) == (400, "pageToken")
