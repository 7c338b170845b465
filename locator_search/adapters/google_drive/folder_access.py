"""Folders that others may read than when they were listed. Drive's lists of changes may not name these, so all folders
are asked for with every look, in pages of a thousand; who may read one is asked only where its permissions differ."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress

from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.readers import ACCESS_FIELDS, access_of
from locator_search.adapters.google_drive.requests import Json
from locator_search.core.errors import AccessDenied, FileGone
from locator_search.ports import Folder, FolderTree

MOST_PAGES = 20
"""Of each drive in one look. Folders beyond follow with the next full listing."""
_ACCESS = set(ACCESS_FIELDS.split(","))


def reshared_folders(
    client: DriveClient, tree: FolderTree, drive_ids: Collection[str], out_of_time: Callable[[], bool]
) -> dict[str, Json]:
    """The folders of the tree with other permissions now, by id, without target folders, which are asked by themselves,
    and those that lie directly in another one, which is listed anew with all below it. Raises SourceError when Drive
    does not answer."""
    differing: dict[str, tuple[Folder, Json]] = {}
    for drive_id in drive_ids:
        for page in client.folders(drive_id, MOST_PAGES):
            known = tree.folders([str(item["id"]) for item in page])
            for item in page:
                folder = known.get(str(item["id"]))
                if folder is not None and not folder.is_root and folder.access != access_of(item):
                    differing[folder.folder_id] = folder, item
            if out_of_time():
                break
    found: dict[str, Json] = {}
    for folder_id, (folder, item) in differing.items():
        if differing.keys().isdisjoint(item.get("parents") or ()):
            with suppress(FileGone, AccessDenied):
                whole = client.file(folder_id, folder.resource_key)
                # Kept as this list says it, so that the next one is compared with its like.
                found[folder_id] = {**{name: whole[name] for name in whole.keys() - _ACCESS}, **item}
    return found
