"""The target folders that a person named, looked up and checked before anything else is asked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.files import SOURCE, folder_of, is_folder, parent_ids, root_id_of
from locator_search.adapters.google_drive.requests import Json
from locator_search.core.errors import AccessDenied, FileGone, SourceError
from locator_search.model import SourceRoot, UnlistedFolder
from locator_search.ports import Folder, FolderTree

_LINK = re.compile(r"/folders/([\w-]+)")
_KEY = re.compile(r"[?&]resourcekey=([\w-]+)")
_VERSION = "2"
"""Version of the recorded folder tree; cursors of another one are refused."""
DEEPEST = 100
"""Levels of folders; Drive allows no more."""


@dataclass(frozen=True, slots=True)
class Target:
    """A folder as a person named it: by its id, or by its link."""

    folder_id: str
    resource_key: str = ""


class DriveScope:
    """The files that may be listed and read: the target folders with everything below them."""

    def __init__(self, named: Sequence[str], *, follow_shortcuts: bool = False, with_readers: bool = False) -> None:
        self.targets = tuple({target.folder_id: target for target in map(_target, named)}.values())
        self._marks = [name for name, on in (("shortcuts", follow_shortcuts), ("readers", with_readers)) if on]

    @property
    def fingerprint(self) -> str:
        """The same for the same target folders, in whatever order, and the same way with shortcuts and readers."""
        names = sorted(target.folder_id for target in self.targets)
        return hashlib.sha256("\n".join((_VERSION, *self._marks, *names)).encode()).hexdigest()[:16]

    @property
    def roots(self) -> tuple[SourceRoot, ...]:
        """The target folders as source roots, called by their ids as long as nobody asked Drive."""
        return tuple(SourceRoot(root_id_of(target.folder_id), target.folder_id, SOURCE) for target in self.targets)

    def resolve(self, client: DriveClient) -> list[Folder]:
        """The target folders as roots. Raises SourceError that names every one that cannot be crawled, and why."""
        roots, unlisted = self.look_up(client)
        if unlisted:
            raise SourceError(
                " ".join(folder.reason for folder in unlisted), hint="Check GOOGLE_DRIVE_TARGET_FOLDER_IDS."
            )
        return roots

    def look_up(self, client: DriveClient) -> tuple[list[Folder], list[UnlistedFolder]]:
        """The target folders as roots, and those that cannot be crawled. Raises SourceError when Drive does not
        answer."""
        roots: list[Folder] = []
        unlisted: list[UnlistedFolder] = []
        for target in self.targets:
            try:
                roots.append(_root(client, target))
            except _NotATarget as problem:
                reason = f"The target folder {target.folder_id} {problem}."
                unlisted.append(UnlistedFolder(root_id_of(target.folder_id), "", reason))
        return roots, unlisted

    def as_they_are(self, client: DriveClient) -> dict[str, Json]:
        """The target folders that can be read: nothing names them when others may read what lies above. Raises
        SourceError when Drive does not answer."""
        found: dict[str, Json] = {}
        for target in self.targets:
            with suppress(FileGone, AccessDenied):
                item = client.file(target.folder_id, target.resource_key)
                if is_folder(item) and not item.get("trashed"):
                    found[target.folder_id] = item
        return found


class ScopeGuard:
    """Tells whether a file lies in the target folders: by the folders we know, and where these end, by asking Drive."""

    def __init__(self, client: DriveClient, scope: DriveScope, tree: FolderTree) -> None:
        self._client = client
        self._tree = tree
        self._targets = {target.folder_id for target in scope.targets}

    @property
    def has_listing(self) -> bool:
        """Whether the folders we know are those of this scope: a first listing has come to its end."""
        return bool(self._tree.folders(self._targets))

    def holds(self, file_id: str, parent_ids: Collection[str]) -> bool:
        """Whether a file in these folders is in scope. Raises SourceError when Drive has to be asked and fails."""
        if self._tree.shortcuts_to([file_id]):
            return True
        seen: set[str] = set()
        above = set(parent_ids)
        while above and len(seen) < DEEPEST:
            if above & self._targets or self._tree.folders(above) or self._tree.shortcuts_to(above):
                return True
            seen |= above
            above = {parent for folder_id in above for parent in self._parents_of(folder_id)} - seen
        return False

    def _parents_of(self, folder_id: str) -> Collection[str]:
        """The parents of a folder that is not known yet, asked of Drive."""
        try:
            return parent_ids(self._client.file(folder_id))
        except (FileGone, AccessDenied):
            return ()


class _NotATarget(Exception):  # noqa: N818 - what a folder is, in a few words
    pass


def _root(client: DriveClient, target: Target) -> Folder:
    try:
        item = client.file(target.folder_id, target.resource_key)
    except FileGone:
        raise _NotATarget("does not exist or is not shared with this account") from None
    except AccessDenied:
        raise _NotATarget("may not be read by this account") from None
    if item.get("trashed"):
        raise _NotATarget("is in the trash")
    if not is_folder(item):
        raise _NotATarget("is not a folder")
    root = folder_of(item, is_root=True)
    if root.folder_id == root.drive_id:
        root = replace(root, name=_drive_name(client, root))
    key = root.resource_key or target.resource_key
    return replace(root, resource_key=key, root_id=root_id_of(target.folder_id))


def _drive_name(client: DriveClient, root: Folder) -> str:
    """The top folder of every shared drive is called "Drive"; the drive itself has a name."""
    try:
        return client.drive_name(root.drive_id)
    except SourceError:
        return root.name


def _target(name: str) -> Target:
    link, key = _LINK.search(name), _KEY.search(name)
    return Target(link.group(1) if link else name, key.group(1) if key else "")
