"""Every answer of the emulated Drive has only fields, and types of values, that the API definition knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from locator_search.dev.drive_emulator import DriveEmulator
from locator_search.dev.drive_emulator.definition import Schema, drive_api
from tests.fakes.google_client import connect

EVERYWHERE = {"supportsAllDrives": True, "includeItemsFromAllDrives": True}
TYPES: dict[str, type] = {"string": str, "boolean": bool, "integer": int, "object": dict}


@pytest.fixture
def drive() -> Iterator[DriveEmulator]:
    with DriveEmulator() as emulator:
        shared = emulator.add_shared_drive("Team", "organizer")
        emulator.add_file("plan.tar.gz", b"x", shared)
        document = emulator.add_document("minutes", "# Minutes", emulator.add_folder("a"))
        emulator.forbid_download(document)
        emulator.require_resource_key(document, "0-key")
        emulator.add_shortcut("link", document)
        yield emulator


def misfits(value: Any, schema: Schema, where: str) -> list[str]:
    if isinstance(value, list):
        return [problem for one in value for problem in misfits(one, schema, where)]
    if not isinstance(value, dict):
        return [] if isinstance(value, TYPES[schema["type"]]) else [f"{where} is a {type(value).__name__}"]
    found = []
    for name, inner in value.items():
        below = drive_api().field(schema, name)
        found += [f"{where}.{name} is unknown"] if below is None else misfits(inner, below, f"{where}.{name}")
    return found


def test_files_fit(drive: DriveEmulator) -> None:
    answer = connect(drive).files().list(corpora="allDrives", fields="*", **EVERYWHERE).execute()
    assert len(answer["files"]) == 4
    assert misfits(answer, drive_api().schemas["FileList"], "FileList") == []


def test_changes_fit(drive: DriveEmulator) -> None:
    changes = connect(drive).changes()
    token = changes.getStartPageToken().execute()
    assert misfits(token, drive_api().schemas["StartPageToken"], "StartPageToken") == []
    drive.add_shared_drive("Another")
    drive.delete(drive.add_file("a.txt"))
    answer = changes.list(pageToken=token["startPageToken"], fields="*", **EVERYWHERE).execute()
    assert len(answer["changes"]) == 2
    assert misfits(answer, drive_api().schemas["ChangeList"], "ChangeList") == []


def test_drives_about_and_permissions_fit(drive: DriveEmulator) -> None:
    service = connect(drive)
    file_id = drive.add_file("a.txt")
    answers = {
        "DriveList": service.drives().list(fields="*").execute(),
        "About": service.about().get(fields="*").execute(),
        "PermissionList": service.permissions().list(fileId=file_id, fields="*").execute(),
    }
    for name, answer in answers.items():
        assert misfits(answer, drive_api().schemas[name], name) == []
