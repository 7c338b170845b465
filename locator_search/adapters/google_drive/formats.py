"""The formats in which Workspace files are read, richest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

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
