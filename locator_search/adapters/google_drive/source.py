"""Google Drive as a place where files live, and as one that tells what changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from locator_search.adapters.google_drive.ancestry import Ancestry, WalkedFolders
from locator_search.adapters.google_drive.changes import ChangeReading
from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.directory import GroupReading
from locator_search.adapters.google_drive.download import Downloader
from locator_search.adapters.google_drive.feed import Cursor, read_changes
from locator_search.adapters.google_drive.files import SOURCE, moved_to, path_below
from locator_search.adapters.google_drive.folder_access import reshared_folders
from locator_search.adapters.google_drive.listing import FolderWalk, Located, Unlisted
from locator_search.adapters.google_drive.scope import DriveScope, ScopeGuard
from locator_search.core.errors import FileGone, SourceError
from locator_search.model import FileRef, SourceRoot, UnlistedFolder
from locator_search.ports import FeedPosition, Folder, FolderChanges, FolderTree, SourceChanges

PAGE_SIZE = 100


class DriveSource:
    """A `DocumentSource` and `ChangeFeed` over target folders in My Drive and in shared drives.

    `targets` are ids or links of folders. `tree` is what an earlier listing recorded; it is read, never written.
    `groups` are read with every listing and every look at the changes.
    """

    name = SOURCE

    def __init__(
        self,
        client: DriveClient,
        targets: Sequence[str],
        tree: FolderTree,
        page_size: int = PAGE_SIZE,
        *,
        follow_shortcuts: bool = False,
        groups: GroupReading | None = None,
    ) -> None:
        self._client = client
        self._groups = groups
        self._follows = follow_shortcuts
        self._scope = DriveScope(targets, follow_shortcuts=follow_shortcuts, with_readers=client.with_readers)
        self._tree = tree
        self._page_size = page_size
        self._downloader = Downloader(client)
        self._guard = ScopeGuard(client, self._scope, tree)

    @property
    def roots(self) -> Sequence[SourceRoot]:
        """The target folders, called by their ids."""
        return self._scope.roots

    def places(self) -> Mapping[str, str]:
        """Files of Drive lie at no path."""
        return {}

    @property
    def scope(self) -> str:
        """Stands for the target folders."""
        return self._scope.fingerprint

    def list_files(self) -> Iterator[FileRef]:
        """Every file below the target folders, breadth first. Raises SourceError when Drive does not answer."""
        return self.sweep().files()

    def sweep(self) -> DriveSweep:
        """A full listing that changes can be read from afterwards."""
        walk = partial(FolderWalk, self._client, self._page_size, follow_shortcuts=self._follows)
        return DriveSweep(self._client, self._scope, self._tree, walk, self._groups)

    def changes_since(self, cursor: str, out_of_time: Callable[[], bool] = lambda: False) -> SourceChanges:
        """Changes since a cursor, at one request per drive when there are none, and with readers one more for
        every thousand folders.

        Raises CursorExpired when Drive no longer knows the cursor, a target folder is lost, or new folders cannot be
        listed (in time), and SourceError when Drive does not answer.
        """
        read = read_changes(self._client, Cursor.parse(cursor), out_of_time)
        if self._client.with_readers:
            for folder_id, item in reshared_folders(self._client, self._tree, read.cursor.tokens, out_of_time).items():
                read.items.setdefault(folder_id, item)
            read.items.update(self._scope.as_they_are(self._client))
        reading = ChangeReading(
            self._client, self._tree, read, self._page_size, out_of_time, follow_shortcuts=self._follows
        )
        folders = reading.evaluate() if read.items else FolderChanges()
        if self._groups is not None:
            self._groups.read({reader for file in reading.changed.values() for reader in file.readers})
        return SourceChanges(
            tuple(reading.changed.values()),
            tuple(sorted(reading.gone - set(reading.changed))),
            folders,
            FeedPosition(str(reading.cursor), self.scope),
            read.complete,
        )

    def read(self, file: FileRef, directory: Path) -> Path:
        """A copy of the content in `directory`; Workspace files come as Office files, else as text.

        What lies outside the target folders is refused.

        Raises FileGone, AccessDenied, UnsupportedFileType, UnreadableFile or another SourceError.
        """
        if self._guard.has_listing and not self._guard.holds(file.file_id, file.parent_ids):
            raise FileGone(f"{file.file_name} does not lie in the target folders.")
        return self._downloader.read(file, directory)


class DriveSweep:
    """One full listing. The place in the lists of changes is taken before it begins, so that no edit falls between."""

    def __init__(
        self,
        client: DriveClient,
        scope: DriveScope,
        tree: FolderTree,
        walk: Callable[[Callable[[str], str]], FolderWalk],
        groups: GroupReading | None = None,
    ) -> None:
        self._groups = groups
        self._client = client
        self._scope = scope
        self._tree = tree
        self._cursor = Cursor()
        self._walk = walk(self._follow_drive)
        self._names: dict[str, str] = {}
        self._lost: list[UnlistedFolder] = []
        self._complete = False

    @property
    def roots(self) -> Sequence[SourceRoot]:
        """The target folders by their names, where Drive told them."""
        return [replace(root, name=self._names.get(root.root_id, root.name)) for root in self._scope.roots]

    @property
    def unlisted(self) -> Sequence[UnlistedFolder]:
        """Target folders and folders below them that could not be listed, with what is known to lie below."""
        return [*self._lost, *map(self._with_folders_below, self._walk.unlisted)]

    def files(self) -> Iterator[FileRef]:
        """Every file below the target folders. Those that cannot be listed do not stop the others."""
        readers: set[str] = set()
        for file in self._files():
            readers.update(file.readers)
            yield file
        if self._groups is not None:
            self._groups.read(readers)
        self._complete = True

    def _files(self) -> Iterator[FileRef]:
        roots, self._lost = self._scope.look_up(self._client)
        self._names = {root.root_id: root.name for root in roots}
        for root in roots:
            self._follow_drive(root.drive_id)
        behind_shortcuts = []
        for file in self._walk.files([Located(root, path_below("", root.name)) for root in roots]):
            if self._walk.behind_shortcuts:
                behind_shortcuts.append(file)
            else:
                yield file
        ancestry = Ancestry(WalkedFolders(self._walk.folders))
        for file in behind_shortcuts:
            place = ancestry.place_of(file.file_id, file.parent_ids)
            yield file if place is None else moved_to(file, *place)

    def ending(self) -> tuple[FeedPosition, FolderChanges]:
        """Where the changes go on, and every folder met or known below one that could not be listed.

        Raises SourceError before the last file was taken.
        """
        if not self._complete:
            raise SourceError("The listing of Google Drive did not come to its end.")
        lost = {root_id.partition(":")[2] for root_id in (folder.root_id for folder in self._lost)}
        kept = self._known_below({*lost, *(one.located.folder.folder_id for one in self._walk.unlisted)})
        folders = {folder.folder_id: folder for folder in kept} | self._walk.folders
        return FeedPosition(str(self._cursor), self._scope.fingerprint), FolderChanges(
            tuple(folders.values()), everything=True
        )

    def _with_folders_below(self, one: Unlisted) -> UnlistedFolder:
        folder = one.located.folder
        below = {folder.folder_id, *(known.folder_id for known in self._known_below({folder.folder_id}))}
        path = "" if folder.is_root else one.located.path
        return UnlistedFolder(folder.root_id, path, one.reason, frozenset(below))

    def _known_below(self, folder_ids: Collection[str]) -> list[Folder]:
        """These folders and all below them, as an earlier listing recorded them."""
        found: dict[str, Folder] = dict(self._tree.folders(folder_ids))
        level = list(found.values())
        while level:
            level = [one for one in self._tree.below([up.folder_id for up in level]) if one.folder_id not in found]
            found.update((one.folder_id, one) for one in level)
        return list(found.values())

    def _follow_drive(self, drive_id: str) -> str:
        return self._cursor.include(self._client, drive_id)
