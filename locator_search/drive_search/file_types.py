"""Names of MIME types for people to read. The names people write are in `locator_search.text.file_types`."""

from __future__ import annotations

_OFFICE = "application/vnd.openxmlformats-officedocument"
_GOOGLE = "application/vnd.google-apps"

TYPE_NAMES = {
    "application/pdf": "PDF",
    f"{_OFFICE}.wordprocessingml.document": "Word",
    "application/msword": "Word (.doc)",
    "application/vnd.ms-word.document.macroenabled.12": "Word (.docm)",
    f"{_OFFICE}.spreadsheetml.sheet": "Excel",
    "application/vnd.ms-excel": "Excel (.xls)",
    "application/vnd.ms-excel.sheet.macroenabled.12": "Excel (.xlsm)",
    f"{_OFFICE}.presentationml.presentation": "PowerPoint",
    "application/vnd.ms-powerpoint": "PowerPoint (.ppt)",
    "application/vnd.ms-powerpoint.presentation.macroenabled.12": "PowerPoint (.pptm)",
    f"{_GOOGLE}.document": "Google Docs",
    f"{_GOOGLE}.spreadsheet": "Google Sheets",
    f"{_GOOGLE}.presentation": "Google Slides",
    "text/plain": "Text",
    "text/markdown": "Markdown",
    "text/csv": "CSV",
    "text/tab-separated-values": "TSV",
    "text/html": "HTML",
}


def type_name(mime_type: str) -> str:
    """The name of a MIME type; the MIME type itself where there is no shorter name."""
    return TYPE_NAMES.get(mime_type.lower(), mime_type)
