"""A file as Drive describes it, as a file of ours."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime

from locator_search.adapters.google_drive.readers import READERS, access_of, readers_in
from locator_search.adapters.google_drive.requests import Json
from locator_search.adapters.local_files.names import displayable
from locator_search.model import FileRef
from locator_search.ports import Folder

SOURCE = "google_drive"
FOLDER = "application/vnd.google-apps.folder"
NO_DOWNLOAD = "no-download"
"""The revision of a content that may not be read: to be tried when that begins, and when it ends."""
SHORTCUT = "application/vnd.google-apps.shortcut"

_EPOCH = datetime.fromtimestamp(0, UTC)


def file_ref(item: Json, folder_path: str, root_id: str = "", drive: str | None = None) -> FileRef:
    """The file at a place. `location` is its resource key, the only thing besides its id that reading it may need."""
    listed = FileRef(
        file_id=str(item["id"]),
        file_name=shown(item),
        source=SOURCE,
        mime_type=str(item.get("mimeType", "application/octet-stream")),
        modified_at=_time(str(item.get("modifiedTime", ""))),
        revision=content_revision(item) if may_be_read(item) else NO_DOWNLOAD,
        link=str(item.get("webViewLink") or f"https://drive.google.com/open?id={item['id']}"),
        location=str(item.get("resourceKey", "")),
        size=_size(item),
        owner=_name((item.get("owners") or [{}])[0]),
        last_editor=_name(item.get("lastModifyingUser") or {}),
        drive=drive,
        parent_ids=parent_ids(item),
        readers=readers_in(item),
    )
    return moved_to(listed, folder_path, root_id)


def moved_to(file: FileRef, folder_path: str, root_id: str) -> FileRef:
    """The same file at another place, exactly as a listing would give it there."""
    content = file.revision.partition("/")[0]
    rest = (file.file_name, folder_path, file.mime_type, file.modified_at.isoformat())
    digest = hashlib.blake2b("\n".join(rest).encode("utf-8", "replace"), digest_size=8).hexdigest()
    return replace(file, folder_path=folder_path, root_id=root_id, revision=f"{content}/{digest}")


def may_be_read(item: Json) -> bool:
    """Whether Drive lets this account have the content; it says so with the metadata, which may stay visible."""
    return (item.get("capabilities") or {}).get("canDownload") is not False


def content_revision(item: Json) -> str:
    """Changes with the content alone. `version` would change with every permission too."""
    checksum = item.get("md5Checksum") or item.get("sha256Checksum")
    if checksum:
        return str(checksum)
    # Workspace files have neither, so only the time shows a change.
    signs = (str(item[name]) for name in ("modifiedTime", "headRevisionId") if item.get(name))
    return "-".join(signs).replace("/", "_")


def root_id_of(folder_id: str) -> str:
    """The id of the source root that a target folder is."""
    return f"{SOURCE}:{folder_id}"


def is_folder(item: Json) -> bool:
    """Whether other items lie in it."""
    return item.get("mimeType") == FOLDER


def is_shortcut(item: Json) -> bool:
    """Whether it leads to another item."""
    return item.get("mimeType") == SHORTCUT


def folder_of(item: Json, *, is_root: bool = False, drive_id: str = "") -> Folder:
    """A folder as a node of the tree."""
    return Folder(
        folder_id=str(item["id"]),
        name=shown(item),
        parent_ids=() if is_root else parent_ids(item),
        drive_id=str(item.get("driveId") or drive_id),
        resource_key=str(item.get("resourceKey", "")),
        is_root=is_root,
        readers=readers_in(item),
        access=access_of(item) if READERS in item else "",
    )


def shortcut_of(item: Json, drive_id: str = "") -> Folder:
    """A shortcut as a node of the tree. The drive of its target is known only when the target is."""
    details = item.get("shortcutDetails") or {}
    return Folder(
        folder_id=str(item["id"]),
        name=shown(item),
        parent_ids=parent_ids(item),
        drive_id=drive_id,
        resource_key=str(details.get("targetResourceKey", "")),
        target_id=str(details.get("targetId", "")),
    )


def parent_ids(item: Json) -> tuple[str, ...]:
    """The folders an item lies in: one, for files from before 2020 perhaps several, for shared ones none."""
    return tuple(str(parent) for parent in item.get("parents") or ())


def shown(item: Json) -> str:
    """The name as a screen can show it; names in Drive may be empty or hold anything."""
    return displayable(str(item.get("name") or item["id"]))


def path_below(folder_path: str, name: str) -> str:
    """The path of a folder inside another one. A slash in a name would look like two folders."""
    part = name.replace("/", "\N{FULLWIDTH SOLIDUS}")
    return f"{folder_path}/{part}" if folder_path else part


def _name(person: Json) -> str | None:
    named = person.get("displayName") or person.get("emailAddress")
    return displayable(str(named)) if named else None


def _size(item: Json) -> int | None:
    size = str(item.get("size", ""))
    return int(size) if size.isdigit() else None


def _time(written: str) -> datetime:
    try:
        time = datetime.fromisoformat(written)
    except ValueError:
        return _EPOCH
    return time if time.tzinfo else time.replace(tzinfo=UTC)
