"""The JSON of files, drives and changes. A field is only worked out when it was asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from locator_search.dev.drive_emulator.drive.exports import EXPORTS
from locator_search.dev.drive_emulator.drive.items import (
    DOCUMENT,
    FOLDER,
    PRESENTATION,
    ROLES_THAT_EDIT,
    SHORTCUT,
    SPREADSHEET,
    Item,
    Role,
    SharedDrive,
)
from locator_search.dev.drive_emulator.drive.tree import DriveTree
from locator_search.dev.drive_emulator.fields import Mask, wants

Json = dict[str, Any]

USER: Json = {
    "kind": "drive#user",
    "displayName": "Emulator User",
    "me": True,
    "permissionId": "00000000000000000001",
    "emailAddress": "user@emulator.test",
}

_PAGES = {
    FOLDER: "drive/folders/{}",
    DOCUMENT: "document/d/{}/edit",
    SPREADSHEET: "spreadsheets/d/{}/edit",
    PRESENTATION: "presentation/d/{}/edit",
}
_EXPORT_PAGES = {
    DOCUMENT: "feeds/download/documents/export/Export",
    SPREADSHEET: "spreadsheets/export",
    PRESENTATION: "feeds/download/presentations/Export",
}


def timestamp(moment: datetime) -> str:
    """RFC 3339 in UTC with milliseconds, as Drive writes times."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def default_file_mask(item: Item) -> Mask:
    """The fields Drive answers about a file when `fields` is not set."""
    drive_fields = () if item.drive_id is None else ("driveId", "teamDriveId")
    return dict.fromkeys(("kind", "id", "name", "mimeType", *drive_fields))


class FileResources:
    """Makes file resources. `origin` is the address of the emulator, `http://127.0.0.1:PORT`."""

    def __init__(self, tree: DriveTree, origin: str) -> None:
        self._tree = tree
        self._origin = origin
        self._digests: dict[tuple[str, int, str], str] = {}

    def file(self, item: Item, mask: Mask) -> Json:
        """The fields of `mask` that this file has. Raises OSError where its real file has just gone."""
        resource = {}
        for name, make in self._makers(item).items():
            if wants(mask, name) and (value := make()) is not None:
                resource[name] = value
        return resource

    def _makers(self, item: Item) -> dict[str, Callable[[], Any]]:
        makers: dict[str, Callable[[], Any]] = {
            "kind": lambda: "drive#file",
            "id": lambda: item.id,
            "name": lambda: item.name,
            "mimeType": lambda: item.mime_type,
            "parents": lambda: self._visible_parents(item),
            "createdTime": lambda: timestamp(item.created),
            "modifiedTime": lambda: timestamp(item.modified),
            "trashed": lambda: self._tree.is_trashed(item),
            "explicitlyTrashed": lambda: item.trashed,
            "starred": lambda: False,
            "spaces": lambda: ["drive"],
            "version": lambda: str(item.version),
            "size": lambda: None if item.size is None else str(item.size),
            "quotaBytesUsed": lambda: str(item.size or 0),
            "resourceKey": lambda: item.resource_key,
            "lastModifyingUser": lambda: USER,
            "webViewLink": lambda: self._page(item),
            "capabilities": lambda: self._capabilities(item),
            "downloadRestrictions": lambda: _restrictions(item),
            "copyRequiresWriterPermission": lambda: not item.downloadable,
            "inheritedPermissionsDisabled": lambda: item.limited,
        }
        makers |= self._blob_makers(item) if item.is_blob else {}
        makers |= self._my_drive_makers(item) if item.drive_id is None else _shared_drive_makers(item)
        if self._tree.role_on(item) in ROLES_THAT_EDIT:  # in shared drives without the permissions themselves
            makers["permissionIds"] = lambda: [one["id"] for one in self.permissions(item)]
        if item.mime_type in EXPORTS:
            makers["exportLinks"] = lambda: self._export_links(item)
        if item.mime_type == SHORTCUT:
            makers["shortcutDetails"] = lambda: self._shortcut_details(item)
        return makers

    def _blob_makers(self, item: Item) -> dict[str, Callable[[], Any]]:
        digests = {f"{name}Checksum": partial(self._digest, item, name) for name in ("md5", "sha1", "sha256")}
        return digests | {
            "originalFilename": lambda: item.name,
            "fileExtension": lambda: PurePosixPath(item.name).suffix.removeprefix("."),
            "fullFileExtension": lambda: "".join(PurePosixPath(item.name).suffixes).removeprefix("."),
            "headRevisionId": lambda: f"{item.id[-8:]}-{item.revision}",
            "webContentLink": lambda: f"{self._origin}/uc?id={item.id}&export=download",
        }

    def _my_drive_makers(self, item: Item) -> dict[str, Callable[[], Any]]:
        role = self._tree.role_on(item)
        makers: dict[str, Callable[[], Any]] = {
            "ownedByMe": lambda: role == "owner",
            "owners": lambda: [USER] if role == "owner" else [],
            "shared": lambda: role != "owner",
        }
        if role in ROLES_THAT_EDIT:
            makers["permissions"] = lambda: self.permissions(item)
        return makers

    def permissions(self, item: Item) -> list[Json]:
        """The user's own permission, and those of others."""
        others = self._tree.shared_with(item).values()
        return [permission(self._tree.role_on(item)), *({"kind": "drive#permission", **one} for one in others)]

    def _visible_parents(self, item: Item) -> list[str] | None:
        seen = [parent for parent in item.parents if self._tree.can_see(self._tree.items[parent])]
        return seen or None

    def _digest(self, item: Item, name: str) -> str:
        key = (item.id, item.revision, name)
        if key not in self._digests:
            self._digests[key] = hashlib.new(name, item.read(), usedforsecurity=False).hexdigest()
        return self._digests[key]

    def _page(self, item: Item) -> str:
        return f"{self._origin}/" + _PAGES.get(item.mime_type, "file/d/{}/view").format(item.id)

    def _export_links(self, item: Item) -> dict[str, str]:
        page = _EXPORT_PAGES[item.mime_type]
        return {
            mime_type: f"{self._origin}/{page}?id={item.id}&exportFormat={export.link_name}"
            for mime_type, export in EXPORTS[item.mime_type].items()
        }

    def _shortcut_details(self, item: Item) -> Json:
        details = {"targetId": item.target_id, "targetMimeType": item.target_mime_type}
        target = self._tree.items.get(item.target_id or "")
        if target is not None and target.resource_key:
            details["targetResourceKey"] = target.resource_key
        return details

    def _capabilities(self, item: Item) -> dict[str, bool]:
        edits = self._tree.role_on(item) in ROLES_THAT_EDIT
        reads = item.downloadable and not item.is_folder
        return {
            "canDownload": reads,
            "canCopy": reads,
            "canReadRevisions": edits,
            "canListChildren": item.is_folder,
            "canAddChildren": item.is_folder and edits,
            "canEdit": edits,
            "canComment": edits,
            "canRename": edits,
            "canTrash": edits,
            "canDelete": edits,
            "canShare": edits,
            "canModifyContent": edits,
        }


def _shared_drive_makers(item: Item) -> dict[str, Callable[[], Any]]:
    return {
        "driveId": lambda: item.drive_id,
        "teamDriveId": lambda: item.drive_id,
        "hasAugmentedPermissions": lambda: bool(item.shared_with) and item.id != item.drive_id,
    }


def _restrictions(item: Item) -> Json | None:
    if item.downloadable:
        return None
    restriction = {"restrictedForReaders": True, "restrictedForWriters": True}
    return {"itemDownloadRestriction": restriction, "effectiveDownloadRestrictionWithContext": restriction}


def permission(role: Role) -> Json:
    """The user's own permission."""
    return {
        "kind": "drive#permission",
        "id": USER["permissionId"],
        "type": "user",
        "role": role,
        "emailAddress": USER["emailAddress"],
        "displayName": USER["displayName"],
        "deleted": False,
        "pendingOwner": False,
    }


def drive_resource(drive: SharedDrive) -> Json:
    """A shared drive."""
    manages = drive.role in ROLES_THAT_EDIT
    return {
        "kind": "drive#drive",
        "id": drive.id,
        "name": drive.name,
        "createdTime": timestamp(drive.created),
        "hidden": False,
        "capabilities": {"canListChildren": True, "canDownload": True, "canEdit": manages, "canShare": manages},
        "restrictions": {"domainUsersOnly": False, "driveMembersOnly": False, "copyRequiresWriterPermission": False},
    }
