"""The bytes of a file while it is worked on: their hash, and whether they stayed the same."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Content:
    """A readable path, the SHA-256 of its bytes, and what tells a later change."""

    path: Path
    sha256: str
    stamp: tuple[int, int, int]

    @property
    def unchanged(self) -> bool:
        """Whether the path still holds the bytes that were hashed."""
        return _stamp(self.path) == self.stamp


def content_of(path: Path) -> Content:
    """Hash a file. Raises OSError."""
    stamp = _stamp(path)
    with path.open("rb") as stream:
        return Content(path, hashlib.file_digest(stream, "sha256").hexdigest(), stamp)


def copied_into(directory: Path, content: Content) -> Content:
    """The same for a private copy, for a file that is written to while we read it. Raises OSError."""
    copy = directory / f"copy{content.path.suffix}"
    shutil.copyfile(content.path, copy)
    return content_of(copy)


def _stamp(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns
