"""A local folder as a Drive folder: what changes on disk changes in the tree.

The folder is compared, not watched: a look costs one walk over it. A file that moved is known again by its inode,
size and time, a folder by its inode; a file saved anew under its old name stays the same file. Symbolic links to
something inside the folder are served as shortcuts. Names that begin with a dot, and links that lead elsewhere, are
not served. Files edited on disk keep their ids while the emulator runs; ids come from the path at first sight.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from locator_search.dev.drive_emulator.drive.items import FOLDER, SHORTCUT, Item, id_from
from locator_search.dev.drive_emulator.drive.media_types import served_as
from locator_search.dev.drive_emulator.drive.tree import DriveTree

_Inode = tuple[int, int]


@dataclass(frozen=True)
class _Seen:
    """One entry of the folder. `links_to` is the path, inside the folder, that a symbolic link leads to."""

    is_folder: bool
    inode: _Inode
    modified_ns: int
    size: int
    links_to: str | None = None

    def same_content(self, other: _Seen) -> bool:
        return (self.inode, self.modified_ns, self.size) == (other.inode, other.modified_ns, other.size)

    @property
    def modified(self) -> datetime:
        return datetime.fromtimestamp(self.modified_ns // 1_000_000 / 1000, UTC)

    @property
    def kind(self) -> tuple[bool, bool]:
        return self.is_folder, self.links_to is not None


@dataclass(frozen=True)
class _Known:
    seen: _Seen
    item: Item


class FolderMirror:
    """Keeps a Drive folder, directly under My Drive, equal to a local folder. Paths are relative, `/` between names."""

    def __init__(self, tree: DriveTree, folder: Path) -> None:
        self._tree = tree
        self._folder = folder.resolve()
        self._known: dict[str, _Known] = {}
        self._unreadable: list[str] = []
        now = datetime.now(UTC)
        self.top = tree.add(Item(id_from(self._folder.name), self._folder.name, FOLDER, (tree.root.id,), now, now))
        self.look()

    def look(self) -> None:
        """Bring the tree up to date with the folder."""
        if not self._folder.is_dir():  # unmounted or renamed, which does not mean that every file was deleted
            return
        with self._tree.lock:
            self._unreadable = []
            seen = self._walk(self._folder, "")
            self._apply(seen)

    def _walk(self, folder: Path, path: str) -> dict[str, _Seen]:
        found: dict[str, _Seen] = {}
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            self._unreadable.append(path)
            return found
        for entry in entries:
            if entry.name.startswith("."):
                continue
            inner = f"{path}/{entry.name}".lstrip("/")
            seen = self._see(entry)
            if seen is not None:
                found[inner] = seen
                if seen.is_folder:
                    found |= self._walk(Path(entry.path), inner)
        return found

    def _see(self, entry: os.DirEntry[str]) -> _Seen | None:
        try:
            status = entry.stat(follow_symlinks=False)
            links_to = None
            if entry.is_symlink():
                target = Path(entry.path).resolve(strict=True)
                if self._folder not in (target, *target.parents):
                    return None
                links_to = target.relative_to(self._folder).as_posix()
            elif not entry.is_dir() and not entry.is_file():
                return None
        except (OSError, RuntimeError):  # went away just now, or a link to itself
            return None
        is_folder = links_to is None and entry.is_dir(follow_symlinks=False)
        return _Seen(is_folder, (status.st_dev, status.st_ino), status.st_mtime_ns, status.st_size, links_to)

    def _apply(self, seen: dict[str, _Seen]) -> None:
        before = self._known
        kept = {path: known for path, known in before.items() if self._cannot_tell(path)}
        gone = {known.seen.inode: path for path, known in before.items() if path not in seen and path not in kept}
        after: dict[str, _Known] = {}
        taken: set[str] = set()
        # Links last: what they lead to must be known.
        for path, now in sorted(seen.items(), key=lambda pair: pair[1].links_to is not None):
            old_path = path if path in before else gone.get(now.inode, "")
            old = before.get(old_path)
            if old is None or old_path in taken or not self._is_same(old, now, path, old_path):
                after[path] = _Known(now, self._add(path, now, after))
            else:
                taken.add(old_path)
                self._update(old, path, now, after)
                after[path] = _Known(now, old.item)
        for path, known in before.items():
            if path not in taken and path not in kept and known.item.id in self._tree.items:
                self._tree.delete(known.item)
        self._known = kept | after

    def _cannot_tell(self, path: str) -> bool:
        return any(path.startswith(f"{folder}/") for folder in self._unreadable)

    def _is_same(self, old: _Known, now: _Seen, path: str, old_path: str) -> bool:
        if old.seen.kind != now.kind or old.seen.links_to != now.links_to:
            return False
        if path == old_path or now.is_folder:
            return True
        served_alike = served_as(_name(path))[2] == old.item.source_format
        return now.same_content(old.seen) and served_alike

    def _add(self, path: str, now: _Seen, after: dict[str, _Known]) -> Item:
        name, mime_type, source_format = served_as(_name(path))
        item = Item(self._free_id(path), name, mime_type, (self._parent(path, after),), now.modified, now.modified)
        if now.is_folder:
            item.name, item.mime_type = _name(path), FOLDER
        elif now.links_to is not None:
            target = after[now.links_to].item if now.links_to in after else self.top
            item.name, item.mime_type = _name(path), SHORTCUT
            item.target_id, item.target_mime_type = target.id, target.mime_type
        else:
            item.content, item.source_format = self._folder / path, source_format
        return self._tree.add(item)

    def _update(self, old: _Known, path: str, now: _Seen, after: dict[str, _Known]) -> None:
        item, parent = old.item, self._parent(path, after)
        name = _name(path) if now.is_folder or now.links_to is not None else served_as(_name(path))[0]
        edited = not now.is_folder and not now.same_content(old.seen)
        renamed, moved = item.name != name, item.parents != (parent,)
        item.name = name
        if item.content is not None:
            item.content = self._folder / path
        if edited:
            item.modified = now.modified
            item.revision += 1
        if moved:
            self._tree.move(item, (parent,))
        elif edited or renamed:
            self._tree.changed(item)

    def _parent(self, path: str, after: dict[str, _Known]) -> str:
        folder = path.rpartition("/")[0]
        return after[folder].item.id if folder else self.top.id

    def _free_id(self, path: str) -> str:
        seed = f"{self._folder.name}/{path}"
        while id_from(seed) in self._tree.items:
            seed += "+"
        return id_from(seed)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
