"""The emulated API: which method answers which request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from locator_search.dev.drive_emulator.access import visible_drive, visible_file
from locator_search.dev.drive_emulator.calls import Answer, Call, JsonAnswer
from locator_search.dev.drive_emulator.changes import Changes
from locator_search.dev.drive_emulator.definition import drive_api
from locator_search.dev.drive_emulator.downloads import Downloads
from locator_search.dev.drive_emulator.drive.exports import EXPORTS
from locator_search.dev.drive_emulator.drive.items import ROLES_THAT_EDIT
from locator_search.dev.drive_emulator.drive.tree import DriveTree
from locator_search.dev.drive_emulator.errors import ApiError, forbidden, not_emulated, required
from locator_search.dev.drive_emulator.fields import prune
from locator_search.dev.drive_emulator.listing import Listing
from locator_search.dev.drive_emulator.resources import (
    USER,
    FileResources,
    default_file_mask,
    drive_resource,
)

CONTENT_METHODS = ("files.media", "files.export", "exportLink")


class DriveApi:
    """Answers calls from a tree. `origin` is the address of the emulator, `http://127.0.0.1:PORT`."""

    def __init__(self, tree: DriveTree, origin: str) -> None:
        self.tree = tree
        self.resources = FileResources(tree, origin)
        self.listing = Listing(tree, self.resources)
        self.changes = Changes(tree, self.resources)
        self.downloads = Downloads(tree)
        self._methods: dict[str, Callable[[Call], Answer]] = {
            "about.get": self._about,
            "changes.getStartPageToken": self.changes.start_page_token,
            "changes.list": self.changes.list_changes,
            "drives.get": self._drive,
            "drives.list": self.listing.list_drives,
            "files.export": self.downloads.export,
            "files.get": self._file,
            "files.list": self.listing.list_files,
            "files.media": self.downloads.media,
            "permissions.list": self._permissions,
        }

    def find(
        self, http_method: str, path: str, values: Mapping[str, str], headers: Mapping[str, str]
    ) -> tuple[str, Call]:
        """The method that a request below `/drive/v3/` means, and the call. Raises ApiError 404 or 501."""
        found = drive_api().match(http_method, path)
        if found is None:
            raise ApiError(404, "notFound", f"Not Found: {http_method} {path}")
        method, in_path = found
        name = method.id
        if values.get("alt") == "media" and name == "files.get":
            name = "files.media"
        return name, Call(method, {**values, **in_path}, headers)

    def answer(self, name: str, call: Call) -> Answer:
        """The answer of a method. Raises ApiError."""
        if name not in self._methods:
            raise not_emulated(name)
        with self.tree.lock:
            return self._methods[name](call)

    def _file(self, call: Call) -> JsonAnswer:
        item = visible_file(self.tree, call)
        mask = call.mask(default_file_mask(item))
        return JsonAnswer(prune(self.resources.file(item, mask), mask))

    def _drive(self, call: Call) -> JsonAnswer:
        mask = call.mask(dict.fromkeys(("kind", "id", "name")))
        drive = visible_drive(self.tree, call.required_text("driveId"))
        return JsonAnswer(prune(drive_resource(drive), mask))

    def _permissions(self, call: Call) -> JsonAnswer:
        mask = call.mask({"kind": None, "permissions": dict.fromkeys(("kind", "id", "type", "role"))})
        item = visible_file(self.tree, call)
        if self.tree.role_on(item) not in ROLES_THAT_EDIT:
            raise forbidden("insufficientFilePermissions")
        begin, size = int(call.text("pageToken") or 0), min(100, int(call.text("pageSize") or 100))
        found = self.resources.permissions(item)
        page: dict[str, Any] = {"kind": "drive#permissionList", "permissions": found[begin : begin + size]}
        if begin + size < len(found):
            page["nextPageToken"] = str(begin + size)
        return JsonAnswer(prune(page, mask))

    def _about(self, call: Call) -> JsonAnswer:
        if not call.values.get("fields"):
            raise required("fields", "The 'fields' parameter is required for this method.")
        mask = call.mask(None)
        used = str(sum(item.size or 0 for item in self.tree.items.values())) if mask and "storageQuota" in mask else "0"
        about: dict[str, Any] = {
            "kind": "drive#about",
            "user": USER,
            "storageQuota": {"usage": used, "usageInDrive": used, "usageInDriveTrash": "0"},
            "exportFormats": {source: list(targets) for source, targets in EXPORTS.items()},
            "canCreateDrives": False,
            "appInstalled": False,
        }
        return JsonAnswer(prune(about, mask))
