"""Walks folders breadth first: files and sub-folders come out of the same answers, shortcuts are followed at the end,
if they are followed at all.

Five folders are asked for at once, and their answers are taken in the order of the queue. A folder that cannot be
listed does not stop the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.files import (
    file_ref,
    folder_of,
    is_folder,
    is_shortcut,
    path_below,
    shortcut_of,
)
from locator_search.adapters.google_drive.requests import Json
from locator_search.core.errors import AccessDenied, FileGone
from locator_search.model import FileRef
from locator_search.ports import Folder

AT_ONCE = 5


class Located(NamedTuple):
    """A folder on the way down, with its path."""

    folder: Folder
    path: str


class Unlisted(NamedTuple):
    """A folder that could not be listed, and why."""

    located: Located
    reason: str


class FolderWalk:
    """One walk. `folders` are those it met, shortcuts included; each file and folder is met once. `unlisted` are those
    of them that could not be listed.

    `on_drive` is told of every drive before anything in it is listed, and says as which one it is to be listed. Folders
    that `is_known` are not walked into.
    Once the walk is `behind_shortcuts`, the paths it gives are provisional: a shortcut met later may lead there, too.
    """

    def __init__(
        self,
        client: DriveClient,
        page_size: int,
        on_drive: Callable[[str], str],
        is_known: Callable[[str], bool] = lambda _folder_id: False,
        *,
        follow_shortcuts: bool = False,
    ) -> None:
        self._client = client
        self._page_size = page_size
        self._on_drive = on_drive
        self._is_known = is_known
        self._follows = follow_shortcuts
        self._files: set[str] = set()
        self._shortcuts: list[Located] = []
        self.folders: dict[str, Folder] = {}
        self.unlisted: list[Unlisted] = []
        self.behind_shortcuts = False

    def files(self, start: Iterable[Located], shortcuts: Iterable[Located] = ()) -> Iterator[FileRef]:
        """Every file below these folders and behind these shortcuts. Raises SourceError when Drive does not answer."""
        self._shortcuts.extend(shortcuts)
        pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="drive-listing")
        try:
            queue = self._admitted(start)
            targets: list[tuple[Json, Located]] = []
            while queue or self._shortcuts:
                yield from self._breadth_first(pool, queue)
                self.behind_shortcuts = True
                queue = self._folders_behind_shortcuts(targets)
            for item, shortcut in targets:
                yield from self._unseen(item, shortcut)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # a walk that is broken off does not wait for answers

    def _admitted(self, start: Iterable[Located]) -> deque[Located]:
        queue: deque[Located] = deque()
        for located in start:
            if located.folder.folder_id not in self.folders:
                folder = replace(located.folder, drive_id=self._on_drive(located.folder.drive_id))
                self.folders[folder.folder_id] = folder
                queue.append(Located(folder, located.path))
        return queue

    def _breadth_first(self, pool: ThreadPoolExecutor, queue: deque[Located]) -> Iterator[FileRef]:
        asked: deque[tuple[Located, Future[list[Json] | str]]] = deque()
        while queue or asked:
            asked.extend((located, pool.submit(self._children, located.folder)) for located in queue)
            queue.clear()
            located, answer = asked.popleft()
            children = answer.result()
            if isinstance(children, str):
                self.unlisted.append(Unlisted(located, children))
                continue
            for item in children:
                yield from self._sorted_in(item, located, queue)

    def _children(self, folder: Folder) -> list[Json] | str:
        """The items in a folder, or why they cannot be listed. Anything but a folder in the trash would look empty."""
        try:
            return list(
                self._client.children(
                    folder.folder_id,
                    drive_id=folder.drive_id,
                    resource_key=folder.resource_key,
                    page_size=self._page_size,
                )
            )
        except (FileGone, AccessDenied) as refusal:
            return [] if self._is_in_the_trash(folder) else refusal.message

    def _is_in_the_trash(self, folder: Folder) -> bool:
        try:
            return bool(self._client.file(folder.folder_id, folder.resource_key).get("trashed"))
        except (FileGone, AccessDenied):
            return False

    def _sorted_in(self, item: Json, located: Located, queue: deque[Located]) -> Iterator[FileRef]:
        if item.get("trashed"):
            return
        if is_folder(item):
            folder = replace(folder_of(item, drive_id=located.folder.drive_id), root_id=located.folder.root_id)
            self._enter(replace(folder, drive_id=self._on_drive(folder.drive_id)), located.path, queue)
        elif is_shortcut(item):
            shortcut = replace(shortcut_of(item), root_id=located.folder.root_id)
            if self._follows and shortcut.target_id and shortcut.folder_id not in self.folders:
                self.folders[shortcut.folder_id] = shortcut
                self._shortcuts.append(Located(shortcut, located.path))
        else:
            yield from self._unseen(item, located)

    def _enter(self, folder: Folder, path_above: str, queue: deque[Located]) -> None:
        if folder.folder_id not in self.folders and not self._is_known(folder.folder_id):
            self.folders[folder.folder_id] = folder
            queue.append(Located(folder, path_below(path_above, folder.name)))

    def _unseen(self, item: Json, located: Located) -> Iterator[FileRef]:
        if item["id"] not in self._files:
            self._files.add(str(item["id"]))
            yield file_ref(item, located.path, located.folder.root_id, self._client.drive_of(item))

    # Shortcuts come last, those to files very last, because items with a place of their own are shown there.

    def _folders_behind_shortcuts(self, targets: list[tuple[Json, Located]]) -> deque[Located]:
        """The folders behind the shortcuts met so far; files are added to `targets`."""
        queue: deque[Located] = deque()
        for located in self._shortcuts:
            shortcut = located.folder
            if shortcut.target_id in self._files or shortcut.target_id in self.folders:
                continue
            item = target_of(self._client, shortcut.target_id, shortcut.resource_key)
            if item is None or is_shortcut(item):
                continue
            drive_id = self._on_drive(str(item.get("driveId", "")))
            self.folders[shortcut.folder_id] = replace(shortcut, drive_id=drive_id)
            if is_folder(item):
                folder = replace(
                    folder_of(item), drive_id=drive_id, resource_key=shortcut.resource_key, root_id=shortcut.root_id
                )
                self._enter(folder, located.path, queue)
            else:
                targets.append(({"resourceKey": shortcut.resource_key, **item}, located))
        self._shortcuts.clear()
        return queue


def target_of(client: DriveClient, file_id: str, resource_key: str = "") -> Json | None:
    """The target of a shortcut, None where it is gone, in the trash or forbidden."""
    try:
        item = client.file(file_id, resource_key)
    except (FileGone, AccessDenied):
        return None
    return None if item.get("trashed") else item
