"""Finds the type of a file by its first bytes, then (in a ZIP) by its main content type; never by its name alone.

The name or a MIME type given from outside only tells text formats apart, which look alike inside.
"""

from __future__ import annotations

import re
import struct
from pathlib import PurePath

from olefile import MAGIC

from locator_search.adapters.extractors import formats
from locator_search.adapters.extractors.legacy_office.compound_file import open_container
from locator_search.adapters.extractors.limited_zip import DAMAGE
from locator_search.adapters.extractors.office.ooxml import OoxmlPackage
from locator_search.adapters.extractors.outcome import CannotExtract
from locator_search.adapters.extractors.text_formats.encodings import looks_like_text

_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"{\\rtf", formats.RTF),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"BM", "image/bmp"),
    (8, b"WEBP", "image/webp"),
    (8, b"WAVE", "audio/wav"),
    (8, b"AVI ", "video/x-msvideo"),
    (4, b"ftyphei", "image/heic"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"OggS", "audio/ogg"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (0, b"\x7fELF", "application/x-executable"),
    (0, b"MZ", "application/x-executable"),
)
_HEAD_BYTES = 4096
_ALSO_START_OF_WORDS = frozenset({b"BM", b"MZ", b"ID3", b"BZh", b"GIF8"})

_OLE_STREAMS: tuple[tuple[str, str], ...] = (
    ("WordDocument", formats.DOC),
    ("Workbook", formats.XLS),
    ("PowerPoint Document", formats.PPT),
    ("__properties_version1.0", formats.MSG),
    ("Book", formats.XLS),
)
_ZIP_MIME_ENTRIES = frozenset({formats.ODT, formats.ODS, formats.ODP, formats.ODG, formats.ODC, formats.EPUB})
_HTML_START = re.compile(rb"(?:\s|<!--.*?-->|<\?xml[^>]*\?>)*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL)
_MESSAGE_START = re.compile(rb"(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){3}")
_MESSAGE_HEADERS = re.compile(rb"^(?:message-id|mime-version|received):", re.IGNORECASE | re.MULTILINE)
_TEXT_SUFFIXES = {
    ".md": formats.MARKDOWN,
    ".markdown": formats.MARKDOWN,
    ".csv": formats.CSV,
    ".tsv": formats.TSV,
    ".htm": formats.HTML,
    ".html": formats.HTML,
    ".xhtml": formats.HTML,
    ".eml": formats.EML,
}


def detect(data: bytes, name: str = "", mime_type: str | None = None) -> str:
    """The MIME type of a file, one of `formats.FORMATS`.

    Raises CannotExtract for an empty file, an encrypted Office file, or a broken container.
    """
    if not data:
        raise CannotExtract("empty", "The file is empty (0 bytes).")
    head = data[:_HEAD_BYTES]
    if b"%PDF-" in head[:1024]:
        return formats.PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _inside_zip(data)
    if head.startswith(MAGIC):
        return _inside_ole(data)
    for offset, signature, found in _SIGNATURES:
        if head.startswith(signature, offset) and not (signature in _ALSO_START_OF_WORDS and looks_like_text(head)):
            return found
    return _among_texts(name, head, mime_type)


def _inside_zip(data: bytes) -> str:
    try:
        with OoxmlPackage(data) as package:
            if package.has("[Content_Types].xml"):
                return package.main_content_type() or formats.ZIP
            if package.has("mimetype"):
                declared = package.part("mimetype").decode("ascii", "replace").strip().removesuffix("-template")
                return declared if declared in _ZIP_MIME_ENTRIES else formats.ZIP
    except DAMAGE as error:
        raise CannotExtract("corrupt", "The file is a damaged ZIP container.") from error
    return formats.ZIP


def _inside_ole(data: bytes) -> str:
    try:
        container = open_container(data)
    except (OSError, ValueError, IndexError, struct.error) as error:
        raise CannotExtract("corrupt", "The file is a damaged OLE container.") from error
    if container.exists("EncryptedPackage"):
        raise CannotExtract("encrypted", "The Office document is password-protected.")
    return next((found for stream, found in _OLE_STREAMS if container.exists(stream)), formats.OLE)


def _among_texts(name: str, head: bytes, mime_type: str | None) -> str:
    if not looks_like_text(head):
        return formats.BINARY
    if _HTML_START.match(head.removeprefix(b"\xef\xbb\xbf")):
        return formats.HTML
    if _MESSAGE_START.match(head) and _MESSAGE_HEADERS.search(head):
        return formats.EML
    by_name = _TEXT_SUFFIXES.get(PurePath(name).suffix.lower())
    if by_name is not None:
        return by_name
    return mime_type if mime_type and mime_type in _TEXT_SUFFIXES.values() else formats.PLAIN_TEXT
