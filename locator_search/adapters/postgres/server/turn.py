"""File locks between processes that are waited for, but never silently and never without end."""

from __future__ import annotations

import fcntl
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from locator_search.adapters.postgres.server.programs import owner_name
from locator_search.core.errors import StoreUnavailable

log = logging.getLogger(__name__)

WARNED_AFTER_SECONDS = 3.0
STRANGERS_SECONDS = 6.0
OUR_SECONDS = 60.0
POLL_SECONDS = 0.05


@contextmanager
def turn(path: Path) -> Iterator[None]:
    """Hold the lock file while the block runs. Raises StoreUnavailable, see `acquire`."""
    with open_lock(path) as file:
        acquire(file, fcntl.LOCK_EX)
        yield


def open_lock(path: Path) -> IO[str]:
    """The lock file, made private if it is not there. A file that root makes belongs to the owner of its folder."""
    file = open(path, "r+", opener=_made_private)  # noqa: SIM115 - the caller closes it
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.fchown(file.fileno(), folder.st_uid, folder.st_gid)
    if os.geteuid() in (0, os.fstat(file.fileno()).st_uid):
        os.fchmod(file.fileno(), 0o600)
    return file


def _made_private(name: str, flags: int) -> int:
    return os.open(name, flags | os.O_CREAT | os.O_NOFOLLOW, 0o600)


def acquire(file: IO[str], kind: int) -> None:
    """Wait for a lock on an open file: OUR_SECONDS for a process of ours, STRANGERS_SECONDS for another user's.

    Logs after WARNED_AFTER_SECONDS whom it waits for. Raises StoreUnavailable with the name of the holder.
    """
    began, warned = time.monotonic(), False
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(file, kind | fcntl.LOCK_NB)
            return
        waited = time.monotonic() - began
        if waited > WARNED_AFTER_SECONDS:
            holder = _holder(file)
            if waited > (STRANGERS_SECONDS if _is_strange(holder, file) else OUR_SECONDS):
                raise StoreUnavailable(
                    f"{file.name} is locked by {_named(holder)}, so the embedded PostgreSQL cannot be used.",
                    hint="End that process if it hangs, then try again.",
                )
            if not warned:
                log.warning("Waiting for %s, which has locked %s.", _named(holder), file.name)
                warned = True
        time.sleep(POLL_SECONDS)


def _holder(file: IO[str]) -> Path | None:
    """The entry in /proc of the process that took the lock, where the system tells (Linux)."""
    inode = os.fstat(file.fileno()).st_ino
    with suppress(OSError, IndexError):
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()
            if words[1] == "FLOCK" and words[5].rpartition(":")[2] == str(inode):
                holder = Path("/proc") / words[4]
                return holder if holder.exists() else None
    return None


def _is_strange(holder: Path | None, file: IO[str]) -> bool:
    """Whether it belongs neither to us, nor to root, nor to the owner of the home."""
    with suppress(OSError):
        return holder is not None and holder.stat().st_uid not in (
            os.geteuid(),
            0,
            Path(file.name).parent.stat().st_uid,
        )
    return False


def _named(holder: Path | None) -> str:
    with suppress(OSError):
        if holder is not None:
            name = (holder / "comm").read_text().strip()
            return f"process {holder.name} ({name}, user {owner_name(holder.stat().st_uid)})"
    return "another process"
