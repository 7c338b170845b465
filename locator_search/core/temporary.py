"""Temporary folders that do not outlive their process for long, however it ends.

Each is locked by whoever made it; the kernel frees the lock at the death of that process, and the next one that makes
such a folder removes what was left.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from locator_search.core.disk import full_disk, fullest, has_little_room, is_full
from locator_search.core.errors import ConfigurationError, StoreUnavailable

PREFIX = "document-locator-work-"
YOUNG_SECONDS = 60  # one that is just being made is not locked yet


@contextmanager
def temporary_folder(kind: str = "files") -> Iterator[Path]:
    """A folder of its own while the block runs.

    Raises StoreUnavailable when the disk is full, and ConfigurationError when no folder can be made for another reason:
    neither is about the file that was to lie in it.
    """
    folder = _made(kind)
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_SH)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


def _made(kind: str) -> Path:
    try:
        remove_left_over()
        return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{kind}-"))
    except OSError as error:
        place = fullest([Path(named) for named in (os.environ.get("TMPDIR"), "/tmp", Path.cwd()) if named])  # noqa: S108
        if is_full(error) or has_little_room(place):
            raise StoreUnavailable(*full_disk(place)) from None
        raise ConfigurationError(
            f"No temporary folder can be made: {error.strerror}.", hint="Set TMPDIR to a folder that may be written to."
        ) from None


@cache
def remove_left_over() -> None:
    """Once per process, remove the folders of our own user whose makers have died."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            found = folder.lstat()
            is_old = time.time() - found.st_mtime > YOUNG_SECONDS
            if found.st_uid == os.geteuid() and is_old and not _is_held(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_held(folder: Path) -> bool:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(opened)
    return False
