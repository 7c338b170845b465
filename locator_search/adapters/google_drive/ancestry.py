"""Where a file lies, told from the folders we know: the tree as it was, with what has changed laid over it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from locator_search.adapters.google_drive.files import path_below
from locator_search.ports import Folder, FolderTree


class Ancestry:
    """Folders and shortcuts in scope; what is laid over hides what the tree says.

    The tree is asked once about each folder.
    """

    def __init__(self, tree: FolderTree) -> None:
        self._tree = tree
        self._before: dict[str, Folder | None] = {}
        self._leading_to: dict[str, list[Folder]] = {}
        self._over: dict[str, Folder | None] = {}
        self._paths: dict[str, str | None] = {}

    def load(self, folder_ids: Iterable[str]) -> None:
        """Ask the tree about all of these at once."""
        unknown = {folder_id for folder_id in folder_ids if folder_id not in self._before}
        if unknown:
            found = self._tree.folders(unknown)
            self._before.update((folder_id, found.get(folder_id)) for folder_id in unknown)
        self.load_shortcuts(unknown)

    def load_shortcuts(self, target_ids: Iterable[str]) -> None:
        """Ask the tree for the shortcuts to all of these at once."""
        unknown = {target_id for target_id in target_ids if target_id not in self._leading_to}
        if unknown:
            self._leading_to.update((target_id, []) for target_id in unknown)
            for shortcut in self._tree.shortcuts_to(unknown):
                self._leading_to[shortcut.target_id].append(shortcut)

    def before(self, folder_id: str) -> Folder | None:
        """The folder or shortcut as the tree has it."""
        self.load([folder_id])
        return self._before[folder_id]

    def now(self, folder_id: str) -> Folder | None:
        """The same after the changes."""
        return self._over[folder_id] if folder_id in self._over else self.before(folder_id)

    def lay(self, folder: Folder) -> None:
        """A folder or shortcut is new or has changed."""
        self._over[folder.folder_id] = folder
        self._paths.clear()

    def remove(self, folder_id: str) -> None:
        """A folder or shortcut is no longer there."""
        self._over[folder_id] = None
        self._paths.clear()

    def laid(self) -> list[Folder]:
        """Everything new or changed, in scope or not."""
        return [folder for folder in self._over.values() if folder is not None]

    def place_of(self, item_id: str, parent_ids: Collection[str]) -> str | None:
        """The path of the folder an item is shown in: one it lies in, else one that holds a shortcut to it.

        None when it is out of scope.
        """
        self.load(parent_ids)
        for parent_id in parent_ids:
            path = self.path_of(parent_id)
            if path is not None:
                return path
        for shortcut in self._shortcuts_to(item_id):
            path = self.place_of(shortcut.folder_id, shortcut.parent_ids)
            if path is not None:
                return path
        return None

    def path_of(self, folder_id: str) -> str | None:
        """The path of a folder from its root down, None when it is out of scope."""
        if folder_id not in self._paths:
            self._paths[folder_id] = None  # for whoever comes back here through a cycle of shortcuts
            self._paths[folder_id] = self._path(self.now(folder_id))
        return self._paths[folder_id]

    def _path(self, folder: Folder | None) -> str | None:
        if folder is None or folder.target_id:
            return None
        if folder.is_root:
            return path_below("", folder.name)
        above = self.place_of(folder.folder_id, folder.parent_ids)
        return None if above is None else path_below(above, folder.name)

    def _shortcuts_to(self, target_id: str) -> list[Folder]:
        self.load_shortcuts([target_id])
        kept = [shortcut for shortcut in self._leading_to[target_id] if shortcut.folder_id not in self._over]
        return kept + [folder for folder in self.laid() if folder.target_id == target_id]
