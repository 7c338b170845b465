"""The type of a file by its name, the same on every machine: the system's own tables are not read."""

from __future__ import annotations

from mimetypes import MimeTypes

UNKNOWN = "application/octet-stream"

_OFFICE = "application/vnd.openxmlformats-officedocument"
_OTHER_TEXTS = (
    ".cfg",
    ".conf",
    ".cpp",
    ".cs",
    ".go",
    ".ini",
    ".java",
    ".kt",
    ".properties",
    ".ps1",
    ".rb",
    ".rs",
    ".sql",
    ".toml",
)
"""Texts of programs and settings, which are read as what they are."""
_BY_SUFFIX = {
    ".7z": "application/x-7z-compressed",
    ".bz2": "application/x-bzip2",
    ".csv": "text/csv",
    ".doc": "application/msword",
    ".docm": "application/vnd.ms-word.document.macroenabled.12",
    ".docx": f"{_OFFICE}.wordprocessingml.document",
    ".eml": "message/rfc822",
    ".epub": "application/epub+zip",
    ".gz": "application/gzip",
    ".heic": "image/heic",
    ".htm": "text/html",
    ".html": "text/html",
    ".json": "application/json",
    ".log": "text/plain",
    ".lzh": "application/x-lzh-compressed",
    ".m4a": "audio/mp4",
    ".markdown": "text/markdown",
    ".md": "text/markdown",
    ".mkv": "video/x-matroska",
    ".msg": "application/vnd.ms-outlook",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".pdf": "application/pdf",
    ".ppt": "application/vnd.ms-powerpoint",
    ".pptm": "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    ".pptx": f"{_OFFICE}.presentationml.presentation",
    ".rar": "application/vnd.rar",
    ".rst": "text/x-rst",
    ".rtf": "application/rtf",
    ".text": "text/plain",
    ".ts": "text/plain",  # TypeScript far more often than a video stream
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
    ".vsdx": "application/vnd.ms-visio.drawing",
    ".webp": "image/webp",
    ".xls": "application/vnd.ms-excel",
    ".xlsm": "application/vnd.ms-excel.sheet.macroenabled.12",
    ".xlsx": f"{_OFFICE}.spreadsheetml.sheet",
    ".xml": "application/xml",
    ".xz": "application/x-xz",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".zip": "application/zip",
    ".zst": "application/zstd",
    **dict.fromkeys(_OTHER_TEXTS, "text/plain"),
}
_STANDARD = MimeTypes(filenames=())


def mime_type_of(file_name: str) -> str:
    """The media type for a file name, `application/octet-stream` when its suffix says nothing."""
    suffix = "." + file_name.rpartition(".")[2].lower() if "." in file_name else ""
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    by_standard = _STANDARD.types_map[True].get(suffix)
    return by_standard or UNKNOWN
