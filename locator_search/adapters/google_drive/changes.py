"""Turns Drive's lists of changes into changed files and files that are gone.

Drive names only what was touched: of a folder that was renamed, moved or trashed it does not name the files. The
folders we know fill that in. A folder that came into scope is listed; below one that was renamed, moved or lost, the
files of the registry get their new paths; an item that no known folder or shortcut leads to costs no request.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from locator_search.adapters.google_drive.ancestry import Ancestry, Place
from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.feed import Cursor, ReadChanges
from locator_search.adapters.google_drive.files import (
    file_ref,
    folder_of,
    is_folder,
    is_shortcut,
    moved_to,
    parent_ids,
    shortcut_of,
)
from locator_search.adapters.google_drive.listing import FolderWalk, Located, target_of
from locator_search.adapters.google_drive.requests import Json
from locator_search.core.errors import CursorExpired
from locator_search.model import FileRef
from locator_search.ports import Folder, FolderChanges, FolderTree


class ChangeReading:
    """The meaning of the changes that were read. `cursor` also follows drives that came into scope by them."""

    def __init__(
        self,
        client: DriveClient,
        tree: FolderTree,
        read: ReadChanges,
        page_size: int,
        out_of_time: Callable[[], bool],
        *,
        follow_shortcuts: bool = False,
    ) -> None:
        self.cursor = Cursor(dict(read.cursor.tokens))
        self.changed: dict[str, FileRef] = {}
        self.gone: set[str] = set()
        self._client = client
        self._tree = tree
        self._follows = follow_shortcuts
        self._items = read.items
        self._page_size = page_size
        self._out_of_time = out_of_time
        self._ancestry = Ancestry(tree)

    def evaluate(self) -> FolderChanges:
        """Find `changed` and `gone`; returns what became of the folders. Raises SourceError or CursorExpired."""
        present = [item for item in self._items.values() if item is not None]
        self._ancestry.load({*self._items, *(parent for item in present for parent in parent_ids(item))})
        touched = self._update_ancestry()
        affected = self._affected_by(touched)
        self._list_what_came(touched)
        for item in present:
            if not is_folder(item) and not is_shortcut(item):
                self._place_listed(item)
        self._place_anew(affected)
        return self._folder_changes({*touched, *affected})

    def _update_ancestry(self) -> list[str]:
        """Folders and shortcuts as they are now; returns the ids of those that differ from what we knew."""
        touched = []
        for item_id, item in self._items.items():
            before = self._ancestry.before(item_id)
            if item is None:
                if before is None:
                    self.gone.add(item_id)
                    continue
                if before.is_root:
                    raise CursorExpired(f"The target folder {before.folder_id} ({before.name}) is lost.")
                self._ancestry.remove(item_id)
                touched.append(item_id)
            elif is_folder(item) or (self._follows and is_shortcut(item)):
                now = _node(self._client.told_readers(item), before, self.cursor.tokens)
                leads_nowhere = is_shortcut(item) and not now.target_id
                if now != before and not leads_nowhere:
                    self._ancestry.put(now)
                    touched.append(item_id)
        return touched

    def _affected_by(self, touched: Collection[str]) -> set[str]:
        """The touched folders we knew and all they led to: folders, shortcuts, and the targets of these."""
        affected: set[str] = set()
        found = [known for item_id in touched if (known := self._ancestry.before(item_id)) is not None]
        while found:
            waiting = {led_to for known in found for led_to in (known.folder_id, known.target_id) if led_to} - affected
            affected |= waiting
            found = self._tree.below(waiting)
        self._ancestry.load(affected)
        return affected

    def _list_what_came(self, touched: Collection[str]) -> None:
        """List folders that were not in scope before, or that others may read now, and follow shortcuts that are new or
        lead elsewhere."""
        folders, reshared, shortcuts = [], [], []
        for node in [self._ancestry.now(item_id) for item_id in touched]:
            if node is None:
                continue
            place = self._place_of_node(node)
            if place is None:
                continue
            located = Located(replace(node, root_id=place.root_id), place.path)
            if node.target_id:
                shortcuts.append(located)
            elif (before := self._ancestry.before(node.folder_id)) is None:
                folders.append(located)
            elif before.readers != node.readers:
                reshared.append(located)
        self._walk(folders, shortcuts, lambda found: self._ancestry.before(found) is not None)
        self._walk(reshared, [], self._is_root)

    def _is_root(self, folder_id: str) -> bool:
        known = self._ancestry.before(folder_id)
        return known is not None and known.is_root

    def _walk(self, folders: list[Located], shortcuts: list[Located], is_known: Callable[[str], bool]) -> None:
        walk = FolderWalk(self._client, self._page_size, self._follow_drive, is_known, follow_shortcuts=self._follows)
        found = []
        for file in walk.files(folders, shortcuts) if folders or shortcuts else ():
            if self._out_of_time():
                raise CursorExpired("Listing the folders that are new takes longer than there is time for.")
            found.append(file)
        if walk.unlisted:
            raise CursorExpired(f"A folder that is new cannot be listed: {walk.unlisted[0].reason}")
        for folder in walk.folders.values():
            self._ancestry.put(folder)
        for file in found:
            place = self._ancestry.place_of(file.file_id, file.parent_ids) or Place(file.folder_path, file.root_id)
            self.changed[file.file_id] = moved_to(file, *place)

    def _follow_drive(self, drive_id: str) -> str:
        return self.cursor.include(self._client, drive_id)

    def _place_listed(self, item: Json) -> None:
        """Place a file that the list names, if it is in scope."""
        file_id = str(item["id"])
        if file_id in self.changed:
            return
        place = self._ancestry.place_of(file_id, parent_ids(item))
        if place is None:
            self.gone.add(file_id)
        else:
            drive = self._client.drive_of(item)
            self.changed[file_id] = file_ref(self._client.told_readers(item), *place, drive)

    def _place_anew(self, affected: Collection[str]) -> None:
        """Place files anew that the list does not name, because a folder or shortcut above them changed."""
        folders = {item_id for item_id in affected if self._ancestry.before(item_id) is not None}
        files = self._tree.files_in(folders)
        self._ancestry.load_shortcuts([file.file_id for file in files])
        for file in files:
            if file.file_id in self._items or file.file_id in self.changed:
                continue
            place = self._ancestry.place_of(file.file_id, file.parent_ids)
            if place is None:
                self.gone.add(file.file_id)
            elif place != (file.folder_path, file.root_id):
                self.changed[file.file_id] = moved_to(file, *place)
        for target_id in set(affected) - folders - set(self._items) - set(self.changed):
            self._place_target(target_id)

    def _place_target(self, target_id: str) -> None:
        """Place a file known by a shortcut only; Drive is asked where else it lies."""
        item = target_of(self._client, target_id)
        if item is None:
            self.gone.add(target_id)
        elif not is_folder(item):
            self._place_listed(item)

    def _folder_changes(self, seen: Collection[str]) -> FolderChanges:
        placed = [(node, self._place_of_node(node)) for node in self._ancestry.changed()]
        put = [replace(node, root_id=place.root_id) for node, place in placed if place is not None]
        kept = {node.folder_id for node in put}
        removed = []
        for item_id in seen:
            before, now = self._ancestry.before(item_id), self._ancestry.now(item_id)
            if before is not None and item_id not in kept and (now is None or self._place_of_node(now) is None):
                removed.append(item_id)
        return FolderChanges(tuple(put), tuple(removed))

    def _place_of_node(self, node: Folder) -> Place | None:
        """The folder that a shortcut lies in, or the path of a folder itself; None when out of scope."""
        if node.target_id:
            return self._ancestry.place_of(node.folder_id, node.parent_ids)
        return self._ancestry.place_of_folder(node.folder_id)


def _node(item: Json, before: Folder | None, followed: Collection[str]) -> Folder:
    """A folder or shortcut as it is now. Fields that the list leaves out stay as they were."""
    now = shortcut_of(item) if is_shortcut(item) else folder_of(item)
    if before is None:
        return now
    drive_id = now.drive_id if now.drive_id and now.drive_id in followed else before.drive_id
    key = now.resource_key or before.resource_key
    now = replace(now, drive_id=drive_id, resource_key=key, root_id=before.root_id)
    if before.is_root:
        # A shared drive's top folder is called "Drive"; we show the name of the drive.
        name = before.name if before.folder_id == before.drive_id else now.name
        now = replace(now, is_root=True, parent_ids=(), name=name)
    return now
