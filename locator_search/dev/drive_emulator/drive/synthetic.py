"""Very large trees, made in memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from locator_search.dev.drive_emulator.drive.items import FOLDER, Item, id_from
from locator_search.dev.drive_emulator.drive.media_types import mime_type_of
from locator_search.dev.drive_emulator.drive.tree import DriveTree

_FIRST_DAY = datetime(2024, 4, 1, 0, 0, tzinfo=UTC)


def text_of(number: int) -> bytes:
    """A short text that differs from file to file."""
    return f"報告書 第{number:06d}号\n\nThis is synthetic report number {number}. 試験用の本文です。\n".encode()


def add_synthetic(
    tree: DriveTree, files: int, parent: Item, per_folder: int = 100, content: Callable[[int], bytes] = text_of
) -> list[str]:
    """Add text files in folders of `per_folder` under `parent`; the same every time. Returns the ids of the files."""
    ids = []
    with tree.lock:
        folder = parent
        for number in range(files):
            if number % per_folder == 0:
                folder = tree.add(_folder(number // per_folder, parent))
            ids.append(tree.add(_file(number, folder, content(number))).id)
    return ids


def _folder(number: int, parent: Item) -> Item:
    made = _FIRST_DAY + timedelta(hours=number)
    folder_id = id_from(f"{parent.id}/folder {number}")
    return Item(folder_id, f"folder {number:05d}", FOLDER, (parent.id,), made, made, parent.drive_id)


def _file(number: int, folder: Item, content: bytes) -> Item:
    name, made = f"report {number:06d}.txt", _FIRST_DAY + timedelta(minutes=number)
    file_id = id_from(f"{folder.id}/file {number}")
    return Item(file_id, name, mime_type_of(name), (folder.id,), made, made, folder.drive_id, content)
