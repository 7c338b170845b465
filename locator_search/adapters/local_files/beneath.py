"""Opens files and folders beneath a root without following links, so that nothing can lead out of it.

Every folder on the way is opened from the one above it (`dir_fd`, O_NOFOLLOW): whoever puts a link in the place of a
folder after it was listed is refused, however the race ends. Works wherever there is openat: Linux and macOS.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from locator_search.adapters.local_files.names import displayable
from locator_search.core.errors import AccessDenied, FileGone, SourceError, SourceUnavailable

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe in a file's place cannot hold us
_LINKS = {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}
"""Errors of O_NOFOLLOW at a link; systems differ."""


@contextmanager
def open_root(root: str) -> Iterator[int]:
    """A descriptor of the root itself. Raises SourceUnavailable: its files are not gone because it is."""
    try:
        folder = os.open(root, _FOLDER)
    except OSError as error:
        raise SourceUnavailable(why_not_listed(root, error)) from None
    try:
        yield folder
    finally:
        os.close(folder)


@contextmanager
def open_folder(root: str, inside: str) -> Iterator[int]:
    """A descriptor of a folder by its path inside the root, empty for the root. Raises OSError, or SourceUnavailable
    where the root itself cannot be opened."""
    with open_root(root) as folder:
        held = os.dup(folder)
        try:
            for name in parts_of(inside):
                below = os.open(name, _FOLDER, dir_fd=held)
                os.close(held)
                held = below
            yield held
        finally:
            os.close(held)


@contextmanager
def open_file(root: str, inside: str) -> Iterator[int]:
    """A descriptor of a regular file by its path inside the root.

    Raises FileGone, AccessDenied (also where a link was put in the way), SourceUnavailable or another SourceError.
    """
    above, _, name = inside.rpartition("/")
    shown = displayable(name)
    try:
        with open_folder(root, above) as folder:
            file = os.open(name, _FILE, dir_fd=folder)
    except OSError as error:
        raise _refusal(root, inside, shown, error) from None
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise FileGone(f"{shown} is no longer a regular file.")
        yield file
    finally:
        os.close(file)


def why_not_listed(path: str, error: OSError) -> str:
    """Why a folder cannot be looked into, in a sentence."""
    if isinstance(error, FileNotFoundError):
        return f"The folder {displayable(path)} does not exist."
    if isinstance(error, NotADirectoryError):
        return f"{displayable(path)} is not a folder."
    return f"The folder {displayable(path)} cannot be listed: {error.strerror}."


def status_of(root: str, inside: str) -> os.stat_result:
    """The status of a file by its path inside the root. Raises as `open_file` does."""
    with open_file(root, inside) as file:
        return os.fstat(file)


def entry_of(root: str, inside: str) -> os.stat_result:
    """The status of a file or a folder by its path inside the root, whether or not it may be read. Raises as
    `open_file` does."""
    above, _, name = inside.rpartition("/")
    try:
        with open_folder(root, above) as folder:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        raise _refusal(root, inside, displayable(name), error) from None
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise FileGone(f"{displayable(name)} is no longer a regular file.")
    return status


def revision_of(status: os.stat_result) -> str:
    """A mark that changes with the file. The change time sees what the modification time hides: a copy that keeps its
    date, a changed permission. The inode is left out: network file systems renumber it."""
    return f"{status.st_size}-{status.st_mtime_ns}-{status.st_ctime_ns}"


def parts_of(inside: str) -> list[str]:
    """The names of a path inside a root. Raises OSError for one that would lead out of it."""
    names = inside.split("/") if inside else []
    if any(name in ("", ".", "..") for name in names):
        raise OSError(errno.ELOOP, "the path leads out of its folder")
    return names


def _refusal(root: str, inside: str, shown: str, error: OSError) -> SourceError:
    if error.errno in _LINKS and _meets_link(root, inside):
        return AccessDenied(
            f"{shown} is not read: a link stands in its place, or in that of a folder above it.",
            hint="Links are not followed. Crawl the folder it leads to by its own path.",
        )
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return FileGone(f"{shown} no longer exists.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return AccessDenied(f"{shown} may not be read.", hint="Give the user that runs the crawl read permission.")
    return SourceError(f"{shown} cannot be read: {error.strerror}.")


def _meets_link(root: str, inside: str) -> bool:
    """Whether a link lies on the way; asked only to word a refusal."""
    path = root
    for name in inside.split("/"):
        path = f"{path}/{name}"
        if name in ("", ".", "..") or Path(path).is_symlink():
            return True
    return False
