"""ZIP containers, unpacked through limits: what a ZIP declares about itself is not to be trusted."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Self

from locator_search.adapters.extractors.limits import (
    MAX_ARCHIVE_BYTES,
    MAX_ARCHIVE_ENTRIES,
    MAX_ARCHIVE_RATIO,
    MAX_PART_BYTES,
    MIB,
)
from locator_search.adapters.extractors.outcome import Allowance, CannotExtract

DAMAGE = (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, ValueError, zlib.error)
"""Errors that `zipfile` raises for damaged containers and entries."""

_PIECE = 1 * MIB
_ALWAYS_ALLOWED = 10 * MIB
_UTF8_NAME = 0x800
_ENCRYPTED = 0x1


class LimitedZip:
    """The entries of one container. Use as a context manager.

    What is unpacked counts against an allowance, that of the file around it where there is one.
    Reading raises CannotExtract for encrypted entries and beyond the limits, one of DAMAGE for damaged ones.
    """

    def __init__(self, data: bytes, allowance: Allowance | None = None) -> None:
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        self._allowance = allowance or Allowance()
        if len(self._zip.infolist()) > MAX_ARCHIVE_ENTRIES:
            raise CannotExtract("too-large", f"The container has more than {MAX_ARCHIVE_ENTRIES:,} entries.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._zip.close()

    @property
    def within_limits(self) -> bool:
        """Whether all entries together, as declared, may be unpacked."""
        sizes = [entry.file_size for entry in self._zip.infolist()]
        return max(sizes, default=0) <= MAX_PART_BYTES and sum(sizes) <= self._allowance.bytes

    def files(self) -> Iterator[tuple[str, zipfile.ZipInfo]]:
        """Every file with its name. Names that do not say they are UTF-8 are CP932 in Japan."""
        for entry in self._zip.infolist():
            if not entry.is_dir():
                yield _name(entry), entry

    def read(self, entry: zipfile.ZipInfo) -> bytes:
        """One entry, counted while it is unpacked."""
        if entry.flag_bits & _ENCRYPTED:
            raise CannotExtract("encrypted", "The container is password-protected.")
        content = bytearray()
        with self._zip.open(entry) as stream:
            while piece := stream.read(_PIECE):
                content += piece
                self._allowance.bytes -= len(piece)
                if len(content) > max(_ALWAYS_ALLOWED, MAX_ARCHIVE_RATIO * entry.compress_size):
                    raise CannotExtract("too-large", f"A part unpacks to over {MAX_ARCHIVE_RATIO} times its size.")
                if len(content) > MAX_PART_BYTES:
                    limit = MAX_PART_BYTES // MIB
                    raise CannotExtract("too-large", f"A part of the file unpacks to more than {limit} MB.")
                if self._allowance.bytes < 0:
                    raise CannotExtract("too-large", f"The file unpacks to more than {MAX_ARCHIVE_BYTES // MIB} MB.")
        return bytes(content)


def _name(entry: zipfile.ZipInfo) -> str:
    if entry.flag_bits & _UTF8_NAME:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("cp932")
    except UnicodeError:
        return entry.filename
