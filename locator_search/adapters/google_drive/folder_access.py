"""Folders that others may read than when they were listed. Drive's lists of changes may not name these, so all folders
are asked for with every look, in pages of a thousand; who may read one is asked only where its permissions differ."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress

from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.readers import access_of
from locator_search.adapters.google_drive.requests import Json
from locator_search.core.errors import AccessDenied, FileGone
from locator_search.ports import FolderTree

MOST_PAGES = 20
"""Of each drive in one look. Folders beyond follow with the next full listing."""


def reshared_folders(
    client: DriveClient, tree: FolderTree, drive_ids: Collection[str], out_of_time: Callable[[], bool]
) -> dict[str, Json]:
    """The folders of the tree with other permissions now, by id, without those that lie directly in another one, which
    is listed anew with all below it. Raises SourceError when Drive does not answer."""
    keys: dict[str, str] = {}
    parents: dict[str, Collection[str]] = {}
    for drive_id in drive_ids:
        for page in client.folders(drive_id, MOST_PAGES):
            known = tree.folders([str(item["id"]) for item in page])
            for item in page:
                folder = known.get(str(item["id"]))
                if folder is not None and folder.access != access_of(item):
                    keys[folder.folder_id] = folder.resource_key
                    parents[folder.folder_id] = item.get("parents") or ()
            if out_of_time():
                break
    found: dict[str, Json] = {}
    for folder_id, key in keys.items():
        if keys.keys().isdisjoint(parents[folder_id]):
            with suppress(FileGone, AccessDenied):
                found[folder_id] = client.file(folder_id, key)
    return found
