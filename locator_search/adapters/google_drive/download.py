"""The content of a file as a file on disk, Workspace files in the richest of their formats first."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from itertools import count
from pathlib import Path, PurePath
from typing import NamedTuple

from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.files import content_revision
from locator_search.adapters.google_drive.refusals import NotConverted, Refused
from locator_search.core.errors import SourceError, SourceUnavailable, UnreadableFile, UnsupportedFileType
from locator_search.model import FileRef

LARGEST = 100 * 2**20
"""Bytes; the extractor reads no more."""

logger = logging.getLogger(__name__)

GOOGLE_APPS = "application/vnd.google-apps."
_OFFICE = "application/vnd.openxmlformats-officedocument"


class Export(NamedTuple):
    """A format that Drive converts into."""

    mime_type: str
    suffix: str


DOCX = Export(f"{_OFFICE}.wordprocessingml.document", ".docx")
XLSX = Export(f"{_OFFICE}.spreadsheetml.sheet", ".xlsx")
PPTX = Export(f"{_OFFICE}.presentationml.presentation", ".pptx")
MARKDOWN = Export("text/markdown", ".md")
TEXT = Export("text/plain", ".txt")
CSV = Export("text/csv", ".csv")

EXPORTS: Mapping[str, tuple[Export, ...]] = {
    f"{GOOGLE_APPS}document": (DOCX, MARKDOWN, TEXT),
    f"{GOOGLE_APPS}spreadsheet": (XLSX, CSV),  # CSV holds the first sheet only
    f"{GOOGLE_APPS}presentation": (PPTX, TEXT),
}


class Downloader:
    """Reads uploaded files as they are and Workspace files in the richest format Drive gives. Thread-safe."""

    def __init__(self, client: DriveClient, largest: int = LARGEST) -> None:
        self._client = client
        self._largest = largest

    def read(self, file: FileRef, directory: Path) -> Path:
        """The path of a copy in `directory`. Raises FileGone, AccessDenied, UnsupportedFileType, UnreadableFile."""
        if file.mime_type in EXPORTS:
            return self._exported(file, directory)
        if file.mime_type.startswith(GOOGLE_APPS):
            raise UnsupportedFileType(f"{file.file_name} is of a Google type that has no text.")
        return self._downloaded(file, directory)

    # Uploaded files

    def _downloaded(self, file: FileRef, directory: Path) -> Path:
        if (file.size or 0) > self._largest:
            raise UnreadableFile(f"The file is larger than {self._largest // 2**20} MB.")
        path = directory / f"content{_suffix(file.file_name)}"
        if file.size == 0:
            path.touch()
            return path
        for failures in count(1):
            with path.open("wb") as stream:
                self._client.download(file.file_id, file.location, file.file_name, stream, self._largest)
            if self._is_whole(file, path):
                break
            damaged = SourceUnavailable(f"{file.file_name} arrives damaged from Google Drive.")
            self._client.pause_after(failures, damaged)
        return path

    def _is_whole(self, file: FileRef, path: Path) -> bool:
        """Whether the copy has the size and checksum of the file: a proxy may cut an answer short. An edit since the
        listing counts as whole."""
        listed = file.revision.partition("/")[0]
        if listed in _checksums(path):
            return True
        now = self._client.file(file.file_id, file.location)
        if now.get("md5Checksum") or now.get("sha256Checksum"):
            return content_revision(now) in _checksums(path)
        return now.get("size") is None or int(now["size"]) == path.stat().st_size

    # Workspace files

    def _exported(self, file: FileRef, directory: Path) -> Path:
        """The first format that Drive gives out; which one is told by the suffix."""
        reasons: list[str] = []
        for export in EXPORTS[file.mime_type]:
            try:
                content = self._export(file, export)
            except (NotConverted, Refused) as refusal:
                reasons.append(f"{export.suffix}: {refusal.message}")
            else:
                if reasons:
                    logger.warning("%s was read as %s. %s", file.file_id, export.suffix, " ".join(reasons))
                path = directory / f"content{export.suffix}"
                path.write_bytes(content)
                return path
        raise UnreadableFile(f"Drive gives this file out in no format. {' '.join(reasons)}".strip())

    def _export(self, file: FileRef, export: Export) -> bytes:
        try:
            return self._client.export(file.file_id, file.location, file.file_name, export.mime_type)
        except NotConverted as refusal:
            if not refusal.too_large:
                raise
            return self._from_link(file, export, refusal)

    def _from_link(self, file: FileRef, export: Export, refusal: NotConverted) -> bytes:
        """Beyond 10 MB the export links of the file still work."""
        links = self._client.export_links(file.file_id, file.location)
        url = str(links.get(export.mime_type, ""))
        if not self._client.trusts(url):
            raise refusal
        try:
            content = self._client.fetch(url, export.mime_type, file.file_name)
        except SourceError:
            raise refusal from None
        if len(content) > self._largest:
            raise refusal
        logger.info("%s was read through its export link.", file.file_id)
        return content


def _checksums(path: Path) -> tuple[str, str]:
    content = path.read_bytes()
    return hashlib.md5(content, usedforsecurity=False).hexdigest(), hashlib.sha256(content).hexdigest()


def _suffix(file_name: str) -> str:
    """A short suffix of the name, which tells text formats apart; the rest of a name may hold anything."""
    suffix = PurePath(file_name.replace("/", "_")).suffix.lower()
    return suffix if len(suffix) <= 10 and suffix.isascii() and suffix[1:].isalnum() else ""
