"""Which file a call may see: what 404 hides, and what 403 forbids."""

from __future__ import annotations

from locator_search.dev.drive_emulator.calls import Call
from locator_search.dev.drive_emulator.drive.items import Item, SharedDrive
from locator_search.dev.drive_emulator.drive.tree import DriveTree
from locator_search.dev.drive_emulator.errors import drive_not_found, file_not_found

_RESOURCE_KEYS = "x-goog-drive-resource-keys"


def visible_file(tree: DriveTree, call: Call, *, whatever_drive: bool = False) -> Item:
    """The file a call names.

    404 for a file that is not there, that the user has no access to, that lies in a shared drive while the call
    does not say supportsAllDrives (unless `whatever_drive`), or whose resource key is missing.
    """
    file_id = call.required_text("fileId")
    item = tree.items.get(tree.root.id if file_id == "root" else file_id)
    if item is None or not tree.can_see(item):
        raise file_not_found(file_id)
    if item.drive_id is not None and not (whatever_drive or call.flag("supportsAllDrives")):
        raise file_not_found(file_id)
    if item.needs_resource_key and f"{item.id}/{item.resource_key}" not in _resource_keys(call):
        raise file_not_found(file_id)
    return item


def _resource_keys(call: Call) -> set[str]:
    return {pair.strip() for pair in call.headers.get(_RESOURCE_KEYS, "").split(",")}


def visible_drive(tree: DriveTree, drive_id: str) -> SharedDrive:
    """The shared drive with this id; 404 unless the user is a member."""
    drive = tree.drives.get(drive_id)
    if drive is None or not drive.is_member:
        raise drive_not_found(drive_id)
    return drive
