"""A folder of this machine as a `MeetingArchive`: the sample meetings, or a copy of the real tree."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

from locator_search.adapters.threegpp_ftp.downloads import PartialDownload
from locator_search.adapters.threegpp_ftp.listing import safe_path
from locator_search.core.errors import AccessDenied, FileGone, SourceError
from locator_search.ports import ArchiveEntry

_PIECE = 1024 * 1024


class LocalArchive:
    """Folders and files below `root`; links that lead out of it are not followed."""

    start = ""

    def __init__(self, root: Path, name: str = "") -> None:
        self._root = Path(os.path.realpath(root))
        self.name = name or root.as_posix()

    def list_folder(self, path: str) -> list[ArchiveEntry]:
        """The entries of a folder, by name. Raises FileGone or AccessDenied."""
        folder = self._inside(path)
        try:
            found = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            raise FileGone(f"There is no folder {path or self._root} in the archive.") from None
        except OSError as error:
            raise AccessDenied(f"The folder {path} of the archive cannot be listed: {error.strerror}.") from None
        return [entry for one in found if (entry := _entry(path, one)) is not None]

    def download(self, path: str, target: Path, size: int | None = None) -> None:
        """Copy one file. Raises FileGone, AccessDenied or UnreadableFile."""
        source = self._inside(path)
        download = PartialDownload(target, size)
        download.start_anew()
        try:
            with source.open("rb") as stream:
                download.take(lambda write: [write(piece) for piece in iter(lambda: stream.read(_PIECE), b"")])
        except FileNotFoundError:
            raise FileGone(f"{path} is not in the archive any more.") from None
        except OSError as error:
            raise AccessDenied(f"{path} cannot be read: {error.strerror}.") from None

    def close(self) -> None:
        """Do nothing: no connection is kept."""

    def _inside(self, path: str) -> Path:
        found = Path(os.path.realpath(self._root / path))
        if found != self._root and self._root not in found.parents:
            raise SourceError(f"{path} lies outside the archive.")
        return found


def _entry(folder: str, found: os.DirEntry[str]) -> ArchiveEntry | None:
    path = safe_path(folder, found.name)
    try:
        status = found.stat(follow_symlinks=False)
    except OSError:
        return None
    is_folder = stat.S_ISDIR(status.st_mode)
    if path is None or not (is_folder or stat.S_ISREG(status.st_mode)):
        return None
    modified = datetime.fromtimestamp(int(status.st_mtime), UTC)
    return ArchiveEntry(path, is_folder, None if is_folder else status.st_size, modified)
