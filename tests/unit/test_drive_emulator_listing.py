"""files.list and files.get of the emulated Drive, as the real client sees them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from googleapiclient.errors import HttpError

from locator_search.dev.drive_emulator import DriveEmulator
from tests.fakes.google_client import connect, reason_of

EVERYWHERE = {"supportsAllDrives": True, "includeItemsFromAllDrives": True}


@pytest.fixture
def drive() -> Iterator[DriveEmulator]:
    with DriveEmulator() as emulator:
        yield emulator


def names(drive: DriveEmulator, q: str, **parameters: Any) -> list[str]:
    answer = connect(drive).files().list(q=q, fields="files(name)", orderBy="name", **parameters).execute()
    return [file["name"] for file in answer["files"]]


def refusal(request: Any) -> HttpError:
    with pytest.raises(HttpError) as caught:
        request.execute()
    return caught.value


def test_a_folder_is_listed_in_pages_each_file_once(drive: DriveEmulator) -> None:
    folder = drive.add_folder("minutes")
    ids = [drive.add_file(f"{number}.txt", "text", folder) for number in range(7)]
    files = connect(drive).files()
    request = files.list(q=f"'{folder}' in parents", pageSize=3, fields="nextPageToken,files(id)")
    pages = []
    while request is not None:
        answer = request.execute()
        pages.append([file["id"] for file in answer["files"]])
        request = files.list_next(request, answer)
    assert [len(page) for page in pages] == [3, 3, 1]
    assert sorted(file_id for page in pages for file_id in page) == sorted(ids)


def test_a_page_token_must_be_asked_for(drive: DriveEmulator) -> None:
    drive.add_synthetic(5)
    assert "nextPageToken" not in connect(drive).files().list(pageSize=2, fields="files(id)").execute()


def test_without_fields_a_file_has_four_of_them(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.txt", "text")
    four = {"kind": "drive#file", "id": file_id, "name": "a.txt", "mimeType": "text/plain"}
    assert connect(drive).files().get(fileId=file_id).execute() == four
    assert connect(drive).files().list().execute() == {
        "kind": "drive#fileList",
        "incompleteSearch": False,
        "files": [four],
    }


def test_fields_select_below_fields_too(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.txt", "text")
    files = connect(drive).files()
    one = files.get(fileId=file_id, fields="name,owners/emailAddress,capabilities(canDownload)").execute()
    assert one == {
        "name": "a.txt",
        "owners": [{"emailAddress": "user@emulator.test"}],
        "capabilities": {"canDownload": True},
    }
    everything = files.get(fileId=file_id, fields="*").execute()
    assert {"md5Checksum", "version", "webViewLink", "modifiedTime", "size"} <= everything.keys()


def test_a_field_that_does_not_exist_is_refused(drive: DriveEmulator) -> None:
    error = refusal(connect(drive).files().list(fields="files(id,title)"))
    assert (error.status_code, reason_of(error)) == (400, "invalidParameter")
    assert "title" in error.reason


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("trashed = false", ["Budget 2024.xlsx", "it's.txt", "minutes", "報告 May.pdf"]),
        ("trashed=true", ["old.txt"]),
        ("name = 'it\\'s.txt'", ["it's.txt"]),
        ("name contains 'bud' and trashed = false", ["Budget 2024.xlsx"]),
        ("name contains 'get'", []),
        ("name contains '報告'", ["報告 May.pdf"]),
        ("mimeType = 'application/vnd.google-apps.folder'", ["minutes"]),
        ("mimeType != 'application/vnd.google-apps.folder' and trashed = false and not name contains 'it'",
         ["Budget 2024.xlsx", "報告 May.pdf"]),
        ("modifiedTime > '2024-05-01T00:00:00' and trashed = false", ["it's.txt", "minutes"]),
        ("modifiedTime >= '2024-05-01T00:00:00' and trashed = false", ["it's.txt", "minutes", "報告 May.pdf"]),
        ("modifiedTime < '2024-05-01T09:00:00+09:00' and trashed = false", ["Budget 2024.xlsx"]),
        ("(name = 'minutes' or name = 'old.txt') and trashed = false", ["minutes"]),
        ("name = 'minutes' or name = 'old.txt' and trashed = true", ["old.txt"]),  # left to right
        ("'root' in parents and trashed = false", ["Budget 2024.xlsx", "it's.txt", "minutes", "報告 May.pdf"]),
        ("'me' in owners and name = 'minutes'", ["minutes"]),
        ("fullText contains 'quarterly'", ["it's.txt"]),
    ],
)  # fmt: skip
def test_queries_find_what_they_say(drive: DriveEmulator, q: str, expected: list[str]) -> None:
    drive.add_folder("minutes")
    drive.add_file("Budget 2024.xlsx", b"x", modified=datetime(2024, 4, 1, tzinfo=UTC))
    drive.add_file("報告 May.pdf", b"x", modified=datetime(2024, 5, 1, tzinfo=UTC))
    drive.add_file("it's.txt", "the quarterly figures")
    drive.trash(drive.add_file("old.txt", "x"))
    assert names(drive, q) == expected


@pytest.mark.parametrize(
    "q",
    ["name = 'a", "name", "title = 'a'", "trashed = maybe", "(name = 'a'", "modifiedTime > 'yesterday'", 'name = "a"'],
)
def test_a_query_that_cannot_be_read_is_refused(drive: DriveEmulator, q: str) -> None:
    error = refusal(connect(drive).files().list(q=q))
    assert (error.status_code, reason_of(error), error.error_details[0]["location"]) == (400, "invalid", "q")


def test_one_query_may_name_several_folders(drive: DriveEmulator) -> None:
    first, second, third = (drive.add_folder(name) for name in "abc")
    for folder in (first, second, third):
        drive.add_file(f"in {drive.item(folder).name}", "x", folder)
    assert names(drive, f"('{first}' in parents or '{third}' in parents) and trashed = false") == ["in a", "in c"]


def test_a_long_query_is_sent_as_a_post_and_answered(drive: DriveEmulator) -> None:
    folders = [drive.add_folder(f"folder {number}") for number in range(50)]
    drive.add_file("found.txt", "x", folders[-1])
    either = " or ".join(f"'{folder}' in parents" for folder in folders)
    assert names(drive, f"({either}) and trashed = false") == ["found.txt"]
    assert drive.requests[-1].http_method == "POST"
    assert drive.requests[-1].method == "files.list"


def test_a_folder_that_is_not_there_is_a_404_and_not_an_empty_list(drive: DriveEmulator) -> None:
    assert refusal(connect(drive).files().list(q="'nowhere' in parents")).status_code == 404


def test_page_sizes_above_the_maximum_are_cut_and_below_it_refused(drive: DriveEmulator) -> None:
    drive.add_synthetic(1100, per_folder=2000)
    files = connect(drive).files()
    assert len(files.list(pageSize=5000, fields="files(id)").execute()["files"]) == 1000
    assert refusal(files.list(pageSize=0)).status_code == 400
    assert len(files.list(fields="files(id)").execute()["files"]) == 100


def test_page_tokens_expire_and_belong_to_their_query(drive: DriveEmulator) -> None:
    drive.add_synthetic(5)
    files = connect(drive).files()
    token = files.list(q="trashed = false", pageSize=2, fields="*").execute()["nextPageToken"]
    other = refusal(files.list(q="trashed = true", pageSize=2, pageToken=token))
    assert (other.status_code, other.error_details[0]["location"]) == (400, "pageToken")
    assert files.list(q="trashed = false", pageSize=2, pageToken=token).execute()["files"]
    drive.expire_page_tokens()
    assert refusal(files.list(q="trashed = false", pageSize=2, pageToken=token)).status_code == 400


def test_pages_may_be_smaller_than_asked_for_and_even_empty(drive: DriveEmulator) -> None:
    drive.add_synthetic(3, per_folder=10)
    drive.api.listing.largest_page = 2
    drive.api.listing.empty_first_page = True
    files = connect(drive).files()
    first = files.list(pageSize=100, fields="nextPageToken,files(id)").execute()
    assert first["files"] == []
    second = files.list(pageSize=100, pageToken=first["nextPageToken"], fields="nextPageToken,files(id)").execute()
    assert len(second["files"]) == 2


def test_without_the_flags_a_shared_drive_does_not_exist(drive: DriveEmulator) -> None:
    shared = drive.add_shared_drive("Team")
    file_id = drive.add_file("plan.txt", "text", shared)
    files = connect(drive).files()
    assert refusal(files.get(fileId=file_id)).status_code == 404
    assert refusal(files.get_media(fileId=file_id)).status_code == 404
    assert refusal(files.list(q=f"'{shared}' in parents")).status_code == 404
    assert names(drive, "name = 'plan.txt'") == []
    assert files.get(fileId=file_id, supportsAllDrives=True, fields="driveId").execute() == {"driveId": shared}
    assert files.get_media(fileId=file_id, supportsAllDrives=True).execute() == b"text"
    assert names(drive, f"'{shared}' in parents", **EVERYWHERE) == ["plan.txt"]


def test_corpora_say_which_drive_is_searched(drive: DriveEmulator) -> None:
    drive.add_file("mine.txt", "x")
    first, second = drive.add_shared_drive("First"), drive.add_shared_drive("Second")
    drive.add_file("first.txt", "x", first)
    drive.add_file("second.txt", "x", second)
    assert names(drive, "trashed = false", corpora="drive", driveId=first, **EVERYWHERE) == ["first.txt"]
    assert names(drive, "trashed = false", corpora="allDrives", **EVERYWHERE) == ["first.txt", "mine.txt", "second.txt"]
    assert names(drive, "trashed = false", corpora="user", **EVERYWHERE) == ["mine.txt"]
    files = connect(drive).files()
    assert refusal(files.list(corpora="drive", **EVERYWHERE)).status_code == 400
    assert refusal(files.list(corpora="drive", driveId=first)).status_code == 400
    assert refusal(files.list(driveId=first, **EVERYWHERE)).status_code == 400
    assert refusal(files.list(corpora="drive", driveId="unknown", **EVERYWHERE)).status_code == 404


def test_an_incomplete_search_over_all_drives_says_so(drive: DriveEmulator) -> None:
    drive.add_file("lost.txt", "x", drive.add_shared_drive("Team"))
    drive.api.listing.incomplete = True
    answer = (
        connect(drive).files().list(corpora="allDrives", fields="incompleteSearch,files(id)", **EVERYWHERE).execute()
    )
    assert answer == {"incompleteSearch": True, "files": []}


def test_items_of_shared_drives_have_no_owners_and_no_permissions(drive: DriveEmulator) -> None:
    file_id = drive.add_file("plan.txt", "text", drive.add_shared_drive("Team"))
    everything = connect(drive).files().get(fileId=file_id, supportsAllDrives=True, fields="*").execute()
    assert not {"owners", "ownedByMe", "shared", "permissions"} & everything.keys()


def test_what_lies_in_a_trashed_folder_is_trashed_too(drive: DriveEmulator) -> None:
    folder = drive.add_folder("old")
    file_id = drive.add_file("a.txt", "x", folder)
    drive.trash(folder)
    answer = connect(drive).files().get(fileId=file_id, fields="trashed,explicitlyTrashed").execute()
    assert answer == {"trashed": True, "explicitlyTrashed": False}


def test_no_access_to_a_folder_hides_what_is_below_it(drive: DriveEmulator) -> None:
    folder = drive.add_folder("secret")
    file_id = drive.add_file("a.txt", "x", folder)
    shared_again = drive.add_file("b.txt", "x", folder)
    drive.revoke(folder)
    drive.set_permission(shared_again, "reader")
    files = connect(drive).files()
    assert refusal(files.get(fileId=file_id)).status_code == 404
    assert files.get(fileId=shared_again, fields="name,parents").execute() == {"name": "b.txt"}
    drive.set_permission(folder, None)
    assert files.get(fileId=file_id, fields="name").execute() == {"name": "a.txt"}


def test_shortcuts_name_their_target_and_may_lead_upwards(drive: DriveEmulator) -> None:
    folder = drive.add_folder("loop")
    drive.require_resource_key(folder, "0-key")
    shortcut = drive.add_shortcut("back", folder, folder)
    answer = connect(drive).files().get(fileId=shortcut, fields="mimeType,size,shortcutDetails").execute()
    assert answer == {
        "mimeType": "application/vnd.google-apps.shortcut",
        "shortcutDetails": {
            "targetId": folder,
            "targetMimeType": "application/vnd.google-apps.folder",
            "targetResourceKey": "0-key",
        },
    }


def test_a_file_behind_a_resource_key_opens_with_the_header_only(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.txt", "text")
    drive.require_resource_key(file_id, "0-abc")
    request = connect(drive).files().get_media(fileId=file_id)
    assert refusal(request).status_code == 404
    request.headers["X-Goog-Drive-Resource-Keys"] = f"other/1,{file_id}/0-abc"
    assert request.execute() == b"text"


def test_equal_names_and_decomposed_names_are_kept(drive: DriveEmulator) -> None:
    for _ in range(2):
        drive.add_file("か\u3099.txt", "x")  # as macOS writes が
    assert names(drive, "trashed = false") == ["か\u3099.txt"] * 2


def test_an_old_file_may_have_two_folders(drive: DriveEmulator) -> None:
    first, second = drive.add_folder("a"), drive.add_folder("b")
    file_id = drive.add_file("both.txt", "x", first)
    drive.add_parent(file_id, second)
    assert names(drive, f"'{first}' in parents") == names(drive, f"'{second}' in parents") == ["both.txt"]
    assert names(drive, f"'{first}' in parents or '{second}' in parents") == ["both.txt"]


def test_deep_and_wide_trees_are_served(drive: DriveEmulator) -> None:
    folder = drive.root_id
    for depth in range(25):
        folder = drive.add_folder(f"level {depth}", folder)
    drive.add_synthetic(1200, folder, per_folder=1200)
    wide = drive.item(drive.tree.children(folder)[0].id).id
    assert len(names(drive, f"'{wide}' in parents", pageSize=1000)) == 1000


def test_drives_are_listed_in_pages_while_the_user_is_a_member(drive: DriveEmulator) -> None:
    ids = [drive.add_shared_drive(f"Drive {number}") for number in range(3)]
    drives = connect(drive).drives()
    first = drives.list(pageSize=2).execute()
    second = drives.list(pageSize=2, pageToken=first["nextPageToken"]).execute()
    assert [one["id"] for one in first["drives"] + second["drives"]] == ids
    drive.set_membership(ids[0], "none")
    assert refusal(drives.get(driveId=ids[0])).status_code == 404
    assert drives.get(driveId=ids[1], fields="name").execute() == {"name": "Drive 1"}


def test_about_needs_fields(drive: DriveEmulator) -> None:
    about = connect(drive).about()
    assert reason_of(refusal(about.get())) == "required"
    assert about.get(fields="user(emailAddress)").execute() == {"user": {"emailAddress": "user@emulator.test"}}


def test_permissions_are_told_to_those_who_may_share(drive: DriveEmulator) -> None:
    file_id = drive.add_file("a.txt", "x")
    permissions = connect(drive).permissions()
    assert permissions.list(fileId=file_id).execute()["permissions"][0]["role"] == "owner"
    drive.set_permission(file_id, "reader")
    assert reason_of(refusal(permissions.list(fileId=file_id))) == "insufficientFilePermissions"


def test_what_is_not_emulated_says_so(drive: DriveEmulator) -> None:
    assert refusal(connect(drive).files().delete(fileId=drive.add_file("a.txt"))).status_code == 501
