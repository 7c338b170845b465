"""Contents: files.get with alt=media, files.export, and the links that come with files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from locator_search.dev.drive_emulator.access import visible_file
from locator_search.dev.drive_emulator.calls import BytesAnswer, Call
from locator_search.dev.drive_emulator.drive.exports import EXPORTS, export
from locator_search.dev.drive_emulator.drive.items import Item
from locator_search.dev.drive_emulator.drive.tree import DriveTree
from locator_search.dev.drive_emulator.errors import (
    ApiError,
    bad_request,
    file_not_found,
    forbidden,
    range_not_satisfiable,
)

EXPORT_LIMIT = 10 * 1024 * 1024
"""Bytes of exported content that files.export gives at most."""

_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


@dataclass
class Downloads:
    """The methods that answer with bytes. `export_limit` may be set lower for tests."""

    tree: DriveTree
    export_limit: int = EXPORT_LIMIT

    def media(self, call: Call) -> BytesAnswer:
        """Answer files.get with alt=media, whole or the range asked for."""
        item = visible_file(self.tree, call)
        if not item.is_blob:
            raise forbidden("fileNotDownloadable")
        self._refuse_forbidden(item)
        if item.abusive and not (call.flag("acknowledgeAbuse") and self.tree.role_on(item) in ("owner", "organizer")):
            raise forbidden("cannotDownloadAbusiveFile")
        return self._bytes(item, item.content or b"", item.mime_type, call.headers)

    def export(self, call: Call) -> BytesAnswer:
        """Answer files.export, which knows no supportsAllDrives and has a limit."""
        item = visible_file(self.tree, call, whatever_drive=True)
        mime_type = call.required_text("mimeType")
        if item.mime_type not in EXPORTS:
            raise forbidden("fileNotExportable")
        self._refuse_forbidden(item)
        content = self._exported(item, mime_type)
        if len(content) > self.export_limit:
            raise forbidden("exportSizeLimitExceeded")
        return self._bytes(item, content, mime_type, call.headers)

    def export_link(self, file_id: str, link_name: str, headers: Mapping[str, str]) -> BytesAnswer:
        """Answer a link of `exportLinks`, which has no limit."""
        item = self.tree.items.get(file_id)
        if item is None or not self.tree.can_see(item):
            raise file_not_found(file_id)
        for mime_type, target in EXPORTS.get(item.mime_type, {}).items():
            if target.link_name == link_name:
                self._refuse_forbidden(item)
                return self._bytes(item, self._exported(item, mime_type), mime_type, headers)
        raise _conversion_not_supported()

    def _exported(self, item: Item, mime_type: str) -> bytes:
        if mime_type not in EXPORTS[item.mime_type]:
            raise _conversion_not_supported()
        try:
            return export(item, mime_type)
        except OSError:
            raise file_not_found(item.id) from None

    def _refuse_forbidden(self, item: Item) -> None:
        if not item.downloadable:
            raise forbidden("cannotDownloadFile")

    def _bytes(self, item: Item, content: bytes | Path, mime_type: str, headers: Mapping[str, str]) -> BytesAnswer:
        try:
            size = content.stat().st_size if isinstance(content, Path) else len(content)
        except OSError:
            raise file_not_found(item.id) from None
        wanted = _RANGE.fullmatch(headers.get("range", ""))
        if wanted is None or wanted.groups() == ("", ""):
            return BytesAnswer(content, mime_type, 0, size)
        start, end = _range(wanted[1], wanted[2], size)
        if end <= start < size:  # "bytes=5-2" is no range at all
            return BytesAnswer(content, mime_type, 0, size)
        if start >= size:
            raise range_not_satisfiable(size)
        return BytesAnswer(content, mime_type, start, end, 206, {"Content-Range": f"bytes {start}-{end - 1}/{size}"})


def _range(first: str, last: str, size: int) -> tuple[int, int]:
    if not first:  # bytes=-500: the last 500
        return max(size - int(last), 0), size
    return int(first), min(int(last) + 1, size) if last else size


def _conversion_not_supported() -> ApiError:
    return bad_request("convertTo", "The requested conversion is not supported.")
