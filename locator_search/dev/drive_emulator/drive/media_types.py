"""Which MIME type Drive gives to an uploaded file, and which local files stand for Workspace files."""

from __future__ import annotations

from mimetypes import MimeTypes

from locator_search.dev.drive_emulator.drive.items import DOCUMENT, PRESENTATION, SPREADSHEET

OFFICE = "application/vnd.openxmlformats-officedocument."
DOCX = OFFICE + "wordprocessingml.document"
XLSX = OFFICE + "spreadsheetml.sheet"
PPTX = OFFICE + "presentationml.presentation"

UNKNOWN = "application/octet-stream"

WORKSPACE_SUFFIXES = {
    ".gdoc.md": (DOCUMENT, "md"),
    ".gdoc.docx": (DOCUMENT, "docx"),
    ".gsheet.xlsx": (SPREADSHEET, "xlsx"),
    ".gslides.pptx": (PRESENTATION, "pptx"),
}
"""A local file with such a name is served as a Workspace file, named without the suffix."""

# The system's own tables are not read: the same file has the same type on every machine.
_STANDARD = MimeTypes(filenames=()).types_map[True]
_BY_SUFFIX = _STANDARD | {
    ".docx": DOCX,
    ".xlsx": XLSX,
    ".pptx": PPTX,
    ".md": "text/markdown",
    ".rtf": "application/rtf",
    ".zip": "application/zip",
}


def mime_type_of(name: str) -> str:
    """The type for a file name, `application/octet-stream` when its suffix says nothing."""
    return _BY_SUFFIX.get("." + name.rpartition(".")[2].lower() if "." in name else "", UNKNOWN)


def served_as(name: str) -> tuple[str, str, str]:
    """Name, MIME type and source format (blank for a blob) under which a local file is served."""
    for suffix, (mime_type, source_format) in WORKSPACE_SUFFIXES.items():
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)], mime_type, source_format
    return name, mime_type_of(name), ""
