"""A full disk, told as it is whoever noticed it: a system call, PostgreSQL, or a library in between."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

_FULL = (errno.ENOSPC, errno.EDQUOT)
_WORDINGS = tuple(os.strerror(number).lower() for number in _FULL)


def is_full(problem: BaseException | str) -> bool:
    """Whether the problem is that something could not be written for want of space."""
    if isinstance(problem, OSError) and problem.errno in _FULL:
        return True
    return any(wording in str(problem).lower() for wording in _WORDINGS)


def full_disk(path: str | Path) -> tuple[str, str]:
    """One sentence and a hint about the full disk that `path` lies on, or would lie on."""
    place = Path(path).absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    message = f"The disk of {path} is full: {free / 1e6:,.0f} MB free."
    if free > 1e8:  # a quota, or a file system that has no entry left for another file
        message = f"Nothing more can be written to the disk of {path}, by a quota or a limit of its files."
    return message, "Make room there and try again; nothing that was stored is lost."


def has_little_room(path: str | Path) -> bool:
    """Whether a database there may have died for want of room.

    Its log grows by 16 MB at a time, and what it was writing is gone from the disk when it has come back.
    """
    return shutil.disk_usage(path).free < 40e6


def fullest(places: Sequence[Path]) -> Path:
    """Of several folders that exist, the one with the least room on its disk."""
    return min((place for place in places if place.exists()), key=lambda place: shutil.disk_usage(place).free)
