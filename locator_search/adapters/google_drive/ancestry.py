"""Finds the path of a file from the folders we know, as recent changes leave them. Pure.

A file or folder is shown where it lies by its own parents. One that is in scope by shortcuts only is shown behind the
fewest of them; among equals the first path in the order of the alphabet decides, so that the answer never depends on
the order in which things were met.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple, Protocol

from locator_search.adapters.google_drive.files import path_below
from locator_search.ports import Folder


class KnownFolders(Protocol):
    """The part of a FolderTree that looks upwards."""

    def folders(self, folder_ids: Collection[str]) -> dict[str, Folder]:
        """Those of the named folders and shortcuts that are in scope, by id."""
        ...

    def shortcuts_to(self, target_ids: Collection[str]) -> list[Folder]:
        """Shortcuts in scope that lead to the named files and folders."""
        ...


class WalkedFolders:
    """The folders and shortcuts that a walk has met."""

    def __init__(self, folders: dict[str, Folder]) -> None:
        self._folders = folders
        self._leading_to: dict[str, list[Folder]] = {}
        for folder in folders.values():
            self._leading_to.setdefault(folder.target_id, []).append(folder)

    def folders(self, folder_ids: Collection[str]) -> dict[str, Folder]:
        """Those of the named ones that were met."""
        return {folder_id: self._folders[folder_id] for folder_id in folder_ids if folder_id in self._folders}

    def shortcuts_to(self, target_ids: Collection[str]) -> list[Folder]:
        """Those that lead to the named files and folders."""
        return [shortcut for target_id in target_ids for shortcut in self._leading_to.get(target_id, ())]


class Place(NamedTuple):
    """The path of a folder from its root down, and the source root."""

    path: str
    root_id: str


class _Step(NamedTuple):
    """A way up: an item, the folders it lies in, and the path from there down to where the way began."""

    item_id: str
    parent_ids: Collection[str]
    path: str


class Ancestry:
    """Folders and shortcuts in scope; recorded changes hide what was known. Asks for each folder once."""

    def __init__(self, known: KnownFolders) -> None:
        self._known = known
        self._before: dict[str, Folder | None] = {}
        self._leading_to: dict[str, list[Folder]] = {}
        self._over: dict[str, Folder | None] = {}
        self._own_places: dict[str, Place | None] = {}

    def load(self, folder_ids: Iterable[str]) -> None:
        """Ask about all of these at once."""
        unknown = {folder_id for folder_id in folder_ids if folder_id not in self._before}
        if unknown:
            found = self._known.folders(unknown)
            self._before.update((folder_id, found.get(folder_id)) for folder_id in unknown)
        self.load_shortcuts(unknown)

    def load_shortcuts(self, target_ids: Iterable[str]) -> None:
        """Ask for the shortcuts to all of these at once."""
        unknown = {target_id for target_id in target_ids if target_id not in self._leading_to}
        if unknown:
            self._leading_to.update((target_id, []) for target_id in unknown)
            for shortcut in self._known.shortcuts_to(unknown):
                self._leading_to[shortcut.target_id].append(shortcut)

    def before(self, folder_id: str) -> Folder | None:
        """The folder or shortcut as it was known."""
        self.load([folder_id])
        return self._before[folder_id]

    def now(self, folder_id: str) -> Folder | None:
        """The same after the changes."""
        return self._over[folder_id] if folder_id in self._over else self.before(folder_id)

    def put(self, folder: Folder) -> None:
        """Record a folder or shortcut that is new or has changed."""
        self._over[folder.folder_id] = folder
        self._own_places.clear()

    def remove(self, folder_id: str) -> None:
        """Record that a folder or shortcut is gone."""
        self._over[folder_id] = None
        self._own_places.clear()

    def changed(self) -> list[Folder]:
        """The folders and shortcuts that are new or changed, in scope or not."""
        return [folder for folder in self._over.values() if folder is not None]

    def place_of(self, item_id: str, parent_ids: Collection[str]) -> Place | None:
        """The folder an item is shown in, None when it is out of scope."""
        self.load(parent_ids)
        for parent_id in parent_ids:
            place = self._own_place(parent_id)
            if place is not None:
                return place
        return self._behind_shortcuts(_Step(item_id, parent_ids, ""))

    def place_of_folder(self, folder_id: str) -> Place | None:
        """The path of a folder itself, None when it is out of scope."""
        folder = self.now(folder_id)
        if folder is None or folder.target_id:
            return None
        own_place = self._own_place(folder_id)
        if own_place is not None:
            return own_place
        return self._behind_shortcuts(_Step(folder_id, folder.parent_ids, path_below("", folder.name)))

    def _own_place(self, folder_id: str) -> Place | None:
        """The path of a folder by its parents alone, without shortcuts."""
        if folder_id not in self._own_places:
            self._own_places[folder_id] = None  # ends a circle: no folder lies in itself
            folder = self.now(folder_id)
            if folder is not None and folder.is_root:
                self._own_places[folder_id] = Place(path_below("", folder.name), folder.root_id)
            elif folder is not None and not folder.target_id:
                above = (self._own_place(parent_id) for parent_id in folder.parent_ids)
                places = (Place(path_below(at.path, folder.name), at.root_id) for at in above if at is not None)
                self._own_places[folder_id] = next(places, None)
        return self._own_places[folder_id]

    def _behind_shortcuts(self, start: _Step) -> Place | None:
        steps = [start]
        taken: set[str] = set()
        while steps:
            places: list[Place] = []
            behind_one_more: list[_Step] = []
            for step in steps:
                for item_id, path in self._upwards(step, places):
                    for shortcut in self._shortcuts_to(item_id):
                        if shortcut.folder_id not in taken:
                            taken.add(shortcut.folder_id)
                            behind_one_more.append(_Step(shortcut.folder_id, shortcut.parent_ids, path))
            if places:
                return min(places)
            steps = behind_one_more
        return None

    def _upwards(self, step: _Step, places: list[Place]) -> Iterator[tuple[str, str]]:
        """An item and every folder above it, with the path from there down; whole paths are added to `places`."""
        waiting = [step]
        seen = {step.item_id}
        while waiting:
            item_id, parent_ids, path = waiting.pop()
            yield item_id, path
            for folder in (self.now(parent_id) for parent_id in parent_ids):
                if folder is None or folder.target_id or folder.folder_id in seen:
                    continue
                seen.add(folder.folder_id)
                longer = f"{path_below('', folder.name)}/{path}" if path else path_below("", folder.name)
                if folder.is_root:
                    places.append(Place(longer, folder.root_id))
                else:
                    waiting.append(_Step(folder.folder_id, folder.parent_ids, longer))

    def _shortcuts_to(self, target_id: str) -> list[Folder]:
        self.load_shortcuts([target_id])
        kept = [shortcut for shortcut in self._leading_to[target_id] if shortcut.folder_id not in self._over]
        return kept + [folder for folder in self.changed() if folder.target_id == target_id]
