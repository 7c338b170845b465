"""Local folders as a place where files live.

What is listed: every regular file below the folders, however deep. What is not:

- hidden names (a leading dot), lock files of office programs (`~$...`) and the product's own home;
- symbolic links: what they point to inside a folder is listed at its own place, what lies outside was not asked for,
  and a loop cannot arise;
- pipes, sockets and devices.

A folder that lies inside another one is listed once, as itself. A sub-folder that may not be read is listed as an entry
of type `inode/directory`; so is a folder that lists nothing while others list something, because that is what a lost
mount looks like. The diff keeps what it knows below such an entry instead of taking it for deleted.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from locator_search.adapters.local_names import displayable, file_id_of, link_of, location_of, path_of
from locator_search.adapters.mime_types import mime_type_of
from locator_search.errors import AccessDenied, FileGone, SourceError
from locator_search.model import FOLDER_MIME_TYPE, FileRef

if TYPE_CHECKING:
    from locator_search.model import Evidence

_EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder on the way down: where it is, what identifies it, and how a person reads it."""

    path: str
    identity: str
    shown: str


class LocalFolderSource:
    """A `DocumentSource` over any number of local folders. `home` is the product's own folder, never listed."""

    name = "local_folder"

    def __init__(self, folders: Sequence[Path], home: Path | None = None) -> None:
        self._folders = _real_paths(folders)
        self._home = os.path.realpath(home) if home is not None else None

    def list_files(self) -> Iterator[FileRef]:
        """Every file in scope, folder by folder, sorted by name.

        Raises SourceError before the first file when a folder is missing or cannot be listed, and in the middle when
        the file system stops answering.
        """
        roots = [_Folder(path, unicodedata.normalize("NFC", path), _root_name(path)) for path in self._folders]
        for root in roots:
            _require_listable(root.path)
        silent: list[_Folder] = []
        for root in roots:
            found = False
            for file in self._walk(root):
                found = True
                yield file
            if not found:
                silent.append(root)
        if len(silent) < len(roots):
            yield from (_folder_entry(root) for root in silent)

    def read(self, file: FileRef, directory: Path) -> Path:  # noqa: ARG002 - a local file is read where it lies
        """The file's own path. Raises FileGone or AccessDenied."""
        path = path_of(file.location)
        try:
            if not stat.S_ISREG(os.lstat(path).st_mode):
                raise FileGone(f"{file.file_name} is no longer a regular file.")
            # Non-blocking, so that a pipe put in the file's place between the two calls cannot hold us.
            os.close(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)))
        except (FileNotFoundError, NotADirectoryError):
            raise FileGone(f"{file.file_name} no longer exists.") from None
        except PermissionError:
            raise AccessDenied(
                f"{file.file_name} may not be read.", hint="Give the user that runs the crawl read permission."
            ) from None
        except OSError as error:
            raise SourceError(f"{file.file_name} cannot be read: {error.strerror}.") from None
        return Path(path)

    def _walk(self, root: _Folder) -> Iterator[FileRef]:
        waiting = [root]
        while waiting:
            folder = waiting.pop()
            try:
                entries = _entries(folder.path)
            except PermissionError:
                yield _folder_entry(folder)
                continue
            except FileNotFoundError:
                continue  # removed since its parent was listed
            except OSError as error:
                raise SourceError(f"{folder.shown} stopped answering: {error.strerror}.") from None
            below: list[_Folder] = []
            for entry, here in _named(entries, folder):
                if _is_hidden(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if entry.path not in self._folders and entry.path != self._home:
                        below.append(here)
                elif (file := _file_ref(entry, here, folder.shown, self.name)) is not None:
                    yield file
            waiting.extend(reversed(below))


def file_at(path: Path) -> FileRef:
    """One file, with the id it has in every listing. Symbolic links are followed. Raises FileGone or SourceError."""
    folder, name = os.path.split(os.path.realpath(path.expanduser()))
    _require_listable(folder)
    root = _Folder(folder, unicodedata.normalize("NFC", folder), _root_name(folder))
    for entry, here in _named(_entries(folder), root):
        if entry.name == name and (file := _file_ref(entry, here, root.shown, LocalFolderSource.name)) is not None:
            return file
    raise FileGone(f"{displayable(name)} is no regular file.")


class LocalAccessChecker:
    """An `AccessChecker` that looks at each file once more: gone, moved out or forbidden is left out."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = _real_paths(folders)

    def check(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        """The evidence that may be shown, in its order."""
        checked = (self._check_one(item) for item in evidence)
        return [item for item in checked if item is not None]

    def _check_one(self, item: Evidence) -> Evidence | None:
        path = path_of(item.location)
        if not any(path.startswith(folder.rstrip(os.sep) + os.sep) for folder in self._folders):
            return None
        try:
            status = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return None
        except OSError:
            return replace(item, verified=None, freshness="not_verified")
        if not stat.S_ISREG(status.st_mode) or not os.access(path, os.R_OK):
            return None
        unchanged = _revision(status) == item.revision
        return replace(item, verified=True, freshness="verified" if unchanged else "changed")


def _real_paths(folders: Sequence[Path]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(os.path.realpath(folder.expanduser()) for folder in folders))


def _root_name(path: str) -> str:
    return displayable(Path(path).name or path)


def _require_listable(path: str) -> None:
    hint = "Check LOCATOR_FOLDERS and the permissions of the folder."
    try:
        with os.scandir(path):
            pass
    except FileNotFoundError:
        raise SourceError(f"The folder {displayable(path)} does not exist.", hint=hint) from None
    except NotADirectoryError:
        raise SourceError(f"{displayable(path)} is not a folder.", hint=hint) from None
    except OSError as error:
        raise SourceError(f"The folder {displayable(path)} cannot be listed: {error.strerror}.", hint=hint) from None


def _entries(path: str) -> list[os.DirEntry[str]]:
    with os.scandir(path) as found:
        return sorted(found, key=lambda entry: entry.name)


def _named(entries: Sequence[os.DirEntry[str]], folder: _Folder) -> Iterator[tuple[os.DirEntry[str], _Folder]]:
    """Each entry with its path, what identifies it, and how a person reads it."""
    taken = {entry.name for entry in entries}
    for entry in entries:
        # The normal form identifies a file, unless another file beside it has that very name.
        normal = unicodedata.normalize("NFC", entry.name)
        name = entry.name if normal in taken else normal
        taken.add(normal)
        identity = f"{folder.identity.rstrip('/')}/{name}"
        yield entry, _Folder(entry.path, identity, f"{folder.shown}/{displayable(entry.name)}")


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "~$"))


def _file_ref(entry: os.DirEntry[str], here: _Folder, folder_shown: str, source: str) -> FileRef | None:
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None  # removed since its folder was listed
    except OSError as error:
        raise SourceError(f"{here.shown} stopped answering: {error.strerror}.") from None
    if not stat.S_ISREG(status.st_mode):
        return None
    name = displayable(entry.name)
    return FileRef(
        file_id=file_id_of(here.identity),
        file_name=name,
        source=source,
        mime_type=mime_type_of(name),
        modified_at=_time(status.st_mtime),
        revision=_revision(status),
        link=link_of(entry.path),
        folder_path=folder_shown,
        location=location_of(entry.path),
        size=status.st_size,
    )


def _folder_entry(folder: _Folder) -> FileRef:
    parent, _, name = folder.shown.rpartition("/")
    return FileRef(
        file_id=file_id_of(folder.identity + "/"),
        file_name=name,
        source=LocalFolderSource.name,
        mime_type=FOLDER_MIME_TYPE,
        modified_at=_EPOCH,
        revision="not listed",
        link=link_of(folder.path),
        folder_path=parent,
        location=location_of(folder.path),
    )


def _revision(status: os.stat_result) -> str:
    # The change time sees what the modification time hides: a copy that keeps its date, a changed permission.
    # The inode is left out: network file systems renumber it.
    return f"{status.st_size}-{status.st_mtime_ns}-{status.st_ctime_ns}"


def _time(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return _EPOCH
