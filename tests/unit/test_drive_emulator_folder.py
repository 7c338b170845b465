"""A local folder served as a Drive folder, and the command that does it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httplib2
import pytest
from typer.testing import CliRunner

from locator_search.cli.quality.dev import app
from locator_search.core.errors import ConfigurationError
from locator_search.dev.drive_emulator import DriveEmulator
from tests.fakes.google_client import connect


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "company"
    (folder / "営業部").mkdir(parents=True)
    (folder / "readme.txt").write_text("read me")
    (folder / "営業部" / "議事録.gdoc.md").write_text("# 議事録\n")
    return folder


@pytest.fixture
def drive(folder: Path) -> Iterator[DriveEmulator]:
    with DriveEmulator(folder) as emulator:
        yield emulator


def tree(drive: DriveEmulator) -> dict[str, str]:
    """Name -> id of everything below the served folder."""
    served = drive.tree.subtree(drive.item(drive.folder_id))
    return {item.name: item.id for item in served if item.id != drive.folder_id}


def changes(drive: DriveEmulator, token: str) -> list[Any]:
    answer = (
        connect(drive).changes().list(pageToken=token, fields="changes(fileId,removed,file(name,parents))").execute()
    )
    return list(answer["changes"])


def start(drive: DriveEmulator) -> str:
    return str(connect(drive).changes().getStartPageToken().execute()["startPageToken"])


def test_a_folder_is_served_with_its_workspace_files(drive: DriveEmulator) -> None:
    assert tree(drive).keys() == {"readme.txt", "営業部", "議事録"}
    files = connect(drive).files()
    answer = files.list(
        q=f"'{drive.folder_id}' in parents and mimeType = 'text/plain'", fields="files(name,size)"
    ).execute()
    assert answer["files"] == [{"name": "readme.txt", "size": "7"}]
    assert files.get_media(fileId=tree(drive)["readme.txt"]).execute() == b"read me"
    assert files.export(fileId=tree(drive)["議事録"], mimeType="text/markdown").execute() == "# 議事録\n".encode()


def test_ids_stay_when_the_emulator_starts_again(drive: DriveEmulator, folder: Path) -> None:
    with DriveEmulator(folder) as again:
        assert tree(again) == tree(drive)
        assert again.folder_id == drive.folder_id


def test_an_edited_file_is_a_change_with_new_content(drive: DriveEmulator, folder: Path) -> None:
    token, file_id = start(drive), tree(drive)["readme.txt"]
    (folder / "readme.txt").write_text("read me again")
    assert [change["fileId"] for change in changes(drive, token)] == [file_id]
    assert connect(drive).files().get_media(fileId=file_id).execute() == b"read me again"


def test_a_file_saved_through_a_temporary_file_is_the_same_file(drive: DriveEmulator, folder: Path) -> None:
    token, file_id = start(drive), tree(drive)["readme.txt"]
    (folder / "new").write_text("saved as editors do")
    (folder / "new").replace(folder / "readme.txt")
    assert [change["fileId"] for change in changes(drive, token)] == [file_id]


def test_a_moved_and_renamed_file_keeps_its_id(drive: DriveEmulator, folder: Path) -> None:
    token, ids = start(drive), tree(drive)
    (folder / "readme.txt").rename(folder / "営業部" / "moved.txt")
    (change,) = changes(drive, token)
    assert change["fileId"] == ids["readme.txt"]
    assert change["file"] == {"name": "moved.txt", "parents": [ids["営業部"]]}


def test_a_renamed_folder_is_one_change_and_its_files_stay(drive: DriveEmulator, folder: Path) -> None:
    token, ids = start(drive), tree(drive)
    (folder / "営業部").rename(folder / "営業本部")
    assert [change["fileId"] for change in changes(drive, token)] == [ids["営業部"]]
    assert tree(drive)["議事録"] == ids["議事録"]
    content = connect(drive).files().export(fileId=ids["議事録"], mimeType="text/markdown").execute()
    assert content == "# 議事録\n".encode()


def test_deleted_and_new_files_appear_in_the_feed(drive: DriveEmulator, folder: Path) -> None:
    token, ids = start(drive), tree(drive)
    (folder / "readme.txt").unlink()
    (folder / "new").mkdir()
    (folder / "new" / "a.txt").write_text("a")
    told = {change["fileId"]: change["removed"] for change in changes(drive, token)}
    assert told == {tree(drive)["new"]: False, tree(drive)["a.txt"]: False, ids["readme.txt"]: True}


def test_a_file_saved_by_an_editor_that_keeps_a_backup_is_the_same_file(drive: DriveEmulator, folder: Path) -> None:
    before = tree(drive)["readme.txt"]
    (folder / "readme.txt").rename(folder / "readme.txt~")
    (folder / "readme.txt").write_text("new")
    drive.look()
    assert tree(drive)["readme.txt"] == before
    assert tree(drive)["readme.txt~"] != before


def test_a_file_under_the_name_of_a_deleted_one_later_is_another_file(drive: DriveEmulator, folder: Path) -> None:
    before = tree(drive)["readme.txt"]
    (folder / "readme.txt").rename(folder / "other.txt")
    drive.look()
    (folder / "readme.txt").write_text("new")
    drive.look()
    assert tree(drive)["other.txt"] == before
    assert tree(drive)["readme.txt"] != before


def test_a_folder_that_vanished_is_not_a_folder_that_was_emptied(drive: DriveEmulator, folder: Path) -> None:
    token = start(drive)
    folder.rename(folder.with_name("elsewhere"))
    assert changes(drive, token) == []


def test_a_folder_that_cannot_be_read_keeps_its_files(
    drive: DriveEmulator, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = start(drive)
    scandir = os.scandir

    def refuse_one(path: Path) -> Any:
        if path == folder / "営業部":
            raise PermissionError(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse_one)  # permissions alone do not stop the superuser
    assert changes(drive, token) == []
    assert "議事録" in tree(drive)


def test_links_inside_are_shortcuts_and_other_things_are_not_served(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("secret")
    (folder / "up").symlink_to(folder)
    (folder / "営業部" / "link").symlink_to(folder / "readme.txt")
    (folder / "out").symlink_to(tmp_path / "outside.txt")
    (folder / "self").symlink_to(folder / "self")
    (folder / ".hidden").write_text("x")
    with DriveEmulator(folder) as drive:
        ids = tree(drive)
        assert ids.keys() == {"readme.txt", "営業部", "議事録", "up", "link"}
        assert drive.item(ids["link"]).target_id == ids["readme.txt"]
        assert drive.item(ids["up"]).target_id == drive.folder_id


def test_links_of_files_open_in_a_browser(drive: DriveEmulator) -> None:
    files = connect(drive).files()
    shown = {}
    for name in ("readme.txt", "議事録"):
        link = files.get(fileId=tree(drive)[name], fields="webViewLink").execute()["webViewLink"]
        shown[name] = httplib2.Http().request(link)[1]
    assert shown["readme.txt"] == b"read me"
    assert "<h1>議事録</h1>".encode() in shown["議事録"]


def test_what_cannot_be_served_is_one_sentence(tmp_path: Path, drive: DriveEmulator) -> None:
    with pytest.raises(ConfigurationError, match="is not a folder"):
        DriveEmulator(tmp_path / "nothing")
    with pytest.raises(ConfigurationError, match="cannot be used"):
        DriveEmulator(port=int(drive.origin.rpartition(":")[2]))


def test_the_command_prints_the_lines_for_env_and_ends_on_a_signal(folder: Path) -> None:
    command = [sys.executable, "-m", "locator_search.cli.main", "dev", "drive-emulator", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        lines = dict(running.stdout.readline().strip().split("=", 1) for _ in range(6))
        response, _ = httplib2.Http().request(lines["GOOGLE_API_ENDPOINT"] + "files")
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 0
    assert response.status == 401
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/drive/v3/", lines["GOOGLE_API_ENDPOINT"])
    assert list(lines)[1:] == [
        "GOOGLE_TOKEN_URI",
        "GOOGLE_CLIENT_ID",
        "GOOGLE_CLIENT_SECRET",
        "GOOGLE_REFRESH_TOKEN",
        "GOOGLE_DRIVE_TARGET_FOLDER_IDS",
    ]


def test_the_command_speaks_json(folder: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "locator_search.cli.main",
        "dev",
        "drive-emulator",
        str(folder),
        "--port",
        "0",
        "--json",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        text = ""
        while not text.endswith("\n}\n"):
            text += running.stdout.readline()
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 0
    assert json.loads(text)["environment"]["GOOGLE_TOKEN_URI"].endswith("/token")


@pytest.mark.parametrize("arguments", [["nothing-here"], [".", "--faults", "nothing-here"], [".", "--port", "70000"]])
def test_wrong_arguments_end_the_command_with_status_2(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, ["drive-emulator", *arguments])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
