"""A download to disk: it appears under its name only when it is whole, and goes on where it broke off."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from locator_search.core.errors import SourceUnavailable, UnreadableFile

MAX_BODY_BYTES = 512 * 1024 * 1024


class PartialDownload:
    """The part of a body that is there already. The expected size is in its name, so another version starts anew."""

    def __init__(self, target: Path, size: int | None) -> None:
        self._target = target
        self._size = size
        self._part = target.with_name(f"{target.name}.{'unknown' if size is None else size}.part")
        target.parent.mkdir(parents=True, exist_ok=True)
        if size is not None and size > MAX_BODY_BYTES:
            raise too_large(target.name)

    @property
    def length(self) -> int:
        """The bytes downloaded so far; 0 for a part that cannot belong to this body."""
        length = self._part.stat().st_size if self._part.exists() else 0
        if self._size is None or length > self._size:
            self._part.unlink(missing_ok=True)
            return 0
        return length

    def start_anew(self) -> None:
        """Delete the part downloaded so far."""
        self._part.unlink(missing_ok=True)

    def take(self, receive: Callable[[Callable[[bytes], object]], object]) -> None:
        """Let `receive` append pieces, then put the whole body in its place. Raises SourceUnavailable when short."""
        with self._part.open("ab") as stream:

            def write(piece: bytes) -> None:
                if stream.tell() + len(piece) > MAX_BODY_BYTES:
                    raise too_large(self._target.name)
                stream.write(piece)

            receive(write)
            stream.flush()
            os.fsync(stream.fileno())
            length = stream.tell()
        if self._size is not None and length != self._size:
            if length > self._size:
                self.start_anew()
            raise SourceUnavailable(f"{self._target.name} broke off after {length:,} of {self._size:,} bytes.")
        self._part.replace(self._target)


def too_large(name: str) -> UnreadableFile:
    """The error for a file beyond the limit of size."""
    return UnreadableFile(f"{name} is larger than {MAX_BODY_BYTES // 1024**2} MB.")
