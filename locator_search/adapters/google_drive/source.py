"""Google Drive as a place where files live, and as one that tells what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from locator_search.adapters.google_drive.ancestry import Ancestry, WalkedFolders
from locator_search.adapters.google_drive.changes import ChangeReading
from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.download import Downloader
from locator_search.adapters.google_drive.feed import Cursor, read_changes
from locator_search.adapters.google_drive.files import SOURCE, moved_to, path_below
from locator_search.adapters.google_drive.listing import FolderWalk, Located
from locator_search.adapters.google_drive.scope import DriveScope, ScopeGuard
from locator_search.errors import FileGone, SourceError
from locator_search.model import FileRef
from locator_search.ports import FeedPosition, FolderChanges, FolderTree, SourceChanges

PAGE_SIZE = 100


class DriveSource:
    """A `DocumentSource` and `ChangeFeed` over target folders in My Drive and in shared drives.

    `targets` are ids or links of folders. `tree` is what an earlier listing recorded; it is read, never written.
    """

    name = SOURCE

    def __init__(
        self, client: DriveClient, targets: Sequence[str], tree: FolderTree, page_size: int = PAGE_SIZE
    ) -> None:
        self._client = client
        self._scope = DriveScope(targets)
        self._tree = tree
        self._page_size = page_size
        self._downloader = Downloader(client)
        self._guard = ScopeGuard(client, self._scope, tree)

    @property
    def scope(self) -> str:
        """Stands for the target folders."""
        return self._scope.fingerprint

    def list_files(self) -> Iterator[FileRef]:
        """Every file below the target folders, breadth first.

        Raises SourceError before the first file when a target folder is missing, in the trash, not a folder or
        forbidden, and in the middle when Drive stops answering.
        """
        return self.sweep().files()

    def sweep(self) -> DriveSweep:
        """A full listing that changes can be read from afterwards."""
        return DriveSweep(self._client, self._scope, self._page_size)

    def changes_since(self, cursor: str, out_of_time: Callable[[], bool] = lambda: False) -> SourceChanges:
        """What changed since a cursor, at one request per drive when nothing did.

        Raises CursorExpired when Drive no longer knows the cursor or new folders cannot be listed in time, and
        SourceError when a target folder is lost or Drive does not answer.
        """
        read = read_changes(self._client, Cursor.parse(cursor), out_of_time)
        reading = ChangeReading(self._client, self._tree, read, self._page_size, out_of_time)
        folders = reading.evaluate() if read.items else FolderChanges()
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

    def __init__(self, client: DriveClient, scope: DriveScope, page_size: int) -> None:
        self._client = client
        self._scope = scope
        self._cursor = Cursor()
        self._walk = FolderWalk(client, page_size, self._follow_drive)
        self._complete = False

    def files(self) -> Iterator[FileRef]:
        """Every file below the target folders."""
        roots = self._scope.resolve(self._client)
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
            yield moved_to(file, file.folder_path if place is None else place)
        self._complete = True

    def ending(self) -> tuple[FeedPosition, FolderChanges]:
        """Where the changes go on, and every folder met. Raises SourceError before the last file was taken."""
        if not self._complete:
            raise SourceError("The listing of Google Drive did not come to its end.")
        folders = FolderChanges(tuple(self._walk.folders.values()), everything=True)
        return FeedPosition(str(self._cursor), self._scope.fingerprint), folders

    def _follow_drive(self, drive_id: str) -> str:
        return self._cursor.include(self._client, drive_id)
