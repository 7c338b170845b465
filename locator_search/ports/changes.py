"""Changes at a source since the last look, and the folders that tell where a file lies."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from locator_search.model import FileRef
from locator_search.ports.sources import Sweep


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder in scope, or a shortcut that lies in one: what tells where a file lies without asking its source.

    `target_id` is what a shortcut leads to (`drive_id` and `resource_key` are then those of the target), empty for a
    folder. A root is a folder a person named; wherever else it may lie, paths begin there. `root_id` is the source root
    it was met in. `readers` are who may read it, as of a FileRef; `access` stands for them as the source told them when
    it listed, empty where nobody looks at them.
    """

    folder_id: str
    name: str
    parent_ids: tuple[str, ...] = ()
    drive_id: str = ""
    resource_key: str = ""
    target_id: str = ""
    is_root: bool = False
    root_id: str = ""
    readers: tuple[str, ...] = ()
    access: str = ""


class FolderTree(Protocol):
    """The folders in scope as they were when the changes of a source were last read."""

    def folders(self, folder_ids: Collection[str]) -> dict[str, Folder]:
        """The named folders and shortcuts that are in scope, by id."""
        ...

    def below(self, folder_ids: Collection[str]) -> list[Folder]:
        """Folders and shortcuts that lie directly in the named ones."""
        ...

    def shortcuts_to(self, target_ids: Collection[str]) -> list[Folder]:
        """Shortcuts in scope that lead to the named files and folders."""
        ...

    def files_in(self, folder_ids: Collection[str]) -> list[FileRef]:
        """Listed files that lie directly in the named folders."""
        ...


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """Changes of the folders in scope. `everything`: `put` is the whole tree, whatever was known before."""

    put: tuple[Folder, ...] = ()
    removed: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class FeedPosition:
    """The place where the changes of a source go on. `scope` is a fingerprint of the folders crawled; a cursor is
    worthless in another one."""

    cursor: str
    scope: str


@dataclass(frozen=True, slots=True)
class SourceChanges:
    """Changes since a position, to be recorded before the next position is.

    `gone` may name files that were never listed. Incomplete: more changes wait behind `position`.
    """

    changed: tuple[FileRef, ...]
    gone: tuple[str, ...]
    folders: FolderChanges
    position: FeedPosition
    complete: bool = True


class FeedSweep(Sweep, Protocol):
    """A full listing that changes can be read from afterwards."""

    def ending(self) -> tuple[FeedPosition, FolderChanges]:
        """Where the changes since the beginning of the listing go on. To be asked after the last file."""
        ...


@runtime_checkable
class ChangeFeed(Protocol):
    """A source that can tell what changed."""

    @property
    def scope(self) -> str:
        """A fingerprint of the folders that are crawled."""
        ...

    def sweep(self) -> FeedSweep:
        """A full listing; nothing that changes while it runs is lost."""
        ...

    def changes_since(self, cursor: str, out_of_time: Callable[[], bool] = lambda: False) -> SourceChanges:
        """Changes since the cursor. Raises CursorExpired, or SourceError as `list_files` does.

        Out of time it returns what it has read, unless whole folders have to be listed: then it raises CursorExpired.
        """
        ...


class FeedLog(Protocol):
    """Remembers where the changes of the source go on (table `drive_sync_state`), together with its folders."""

    def position(self) -> FeedPosition | None:
        """The position saved last, None before the first full listing."""
        ...

    def last_full_at(self) -> datetime | None:
        """When everything was last listed."""
        ...

    def save(self, position: FeedPosition, folders: FolderChanges, full_at: datetime | None = None) -> None:
        """Move on, folders and position in one transaction; `full_at` after a full listing."""
        ...
