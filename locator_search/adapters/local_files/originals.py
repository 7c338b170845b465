"""Hands out the files of local folders, as they are now, for links that hold for some minutes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import timedelta
from typing import BinaryIO

from locator_search.adapters.extractors.text_formats.encodings import decode
from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.core.errors import FileGone
from locator_search.core.signing import TokenSigner
from locator_search.ports import Clock, FileRegistry

VALID_FOR = timedelta(minutes=30)
"""As long as somebody may look at results before opening one."""

_HEAD = 256 * 1024
"""Bytes that tell the encoding of a text."""
_CHARSETS = {
    "ascii": "utf-8",  # so far
    "cp932": "shift_jis",
    "euc_jp": "euc-jp",
    "iso2022_jp": "iso-2022-jp",
    "utf-8-sig": "utf-8",
    "utf-16-le": "utf-16le",
    "utf-16-be": "utf-16be",
}
"""Encodings as browsers call them, where Python calls them otherwise."""


@dataclass(frozen=True, slots=True)
class Original:
    """A file, opened for reading from its beginning. `charset` is that of a text, None for anything else."""

    file_name: str
    mime_type: str
    charset: str | None
    size: int
    content: BinaryIO


class LocalOriginals:
    """Makes tokens for single files, and opens the file of a token beneath its root as a crawl would."""

    def __init__(self, source: LocalFolderSource, registry: FileRegistry, secret: bytes, clock: Clock) -> None:
        self._source = source
        self._registry = registry
        self._signer = TokenSigner(secret, "original", clock, "Search again and open the file from its result.")

    def token(self, file_id: str) -> str:
        """A token for one file, fit for an address."""
        return self._signer.token((file_id,), VALID_FOR)

    def file_of(self, token: str) -> str:
        """The id of the file of a token. Raises AccessDenied for one that was changed, or is no longer valid."""
        (file_id,) = self._signer.read(token).names
        return file_id

    def open(self, file_id: str) -> Original:
        """The file. Raises FileGone, AccessDenied or another SourceError."""
        known = self._registry.known([file_id]).get(file_id)
        if known is None:
            raise FileGone("The file is no longer listed.")
        content = self._source.open(known.file)
        size = os.fstat(content.fileno()).st_size
        charset = _charset_of(content) if known.file.mime_type.startswith("text/") else None
        return Original(known.file.file_name, known.file.mime_type, charset, size, content)


def _charset_of(content: BinaryIO) -> str:
    head = content.read(_HEAD)
    content.seek(0)
    whole_lines = head if len(head) < _HEAD else head[: head.rfind(b"\n") + 1] or head
    encoding = decode(whole_lines).encoding
    return _CHARSETS.get(encoding, encoding)
