"""Short names of file types: what `--mime` accepts and what a person reads for a MIME type."""

from __future__ import annotations

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
POWERPOINT = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
GOOGLE = "application/vnd.google-apps."

TYPE_NAMES = {
    "application/pdf": "PDF",
    WORD: "Word",
    "application/msword": "Word (.doc)",
    EXCEL: "Excel",
    "application/vnd.ms-excel": "Excel (.xls)",
    POWERPOINT: "PowerPoint",
    "application/vnd.ms-powerpoint": "PowerPoint (.ppt)",
    f"{GOOGLE}document": "Google Docs",
    f"{GOOGLE}spreadsheet": "Google Sheets",
    f"{GOOGLE}presentation": "Google Slides",
    "text/plain": "Text",
    "text/markdown": "Markdown",
    "text/csv": "CSV",
    "text/html": "HTML",
}

ALIASES: dict[str, tuple[str, ...]] = {
    "pdf": ("application/pdf",),
    "word": (WORD, "application/msword"),
    "docx": (WORD,),
    "doc": ("application/msword",),
    "excel": (EXCEL, "application/vnd.ms-excel"),
    "xlsx": (EXCEL,),
    "xls": ("application/vnd.ms-excel",),
    "powerpoint": (POWERPOINT, "application/vnd.ms-powerpoint"),
    "pptx": (POWERPOINT,),
    "ppt": ("application/vnd.ms-powerpoint",),
    "docs": (f"{GOOGLE}document", WORD, "application/msword"),
    "sheets": (f"{GOOGLE}spreadsheet", EXCEL, "application/vnd.ms-excel"),
    "slides": (f"{GOOGLE}presentation", POWERPOINT, "application/vnd.ms-powerpoint"),
    "text": ("text/plain",),
    "txt": ("text/plain",),
    "markdown": ("text/markdown",),
    "md": ("text/markdown",),
    "csv": ("text/csv",),
    "html": ("text/html",),
}


def type_name(mime_type: str) -> str:
    """What a person calls this MIME type; the MIME type itself where there is no shorter name."""
    return TYPE_NAMES.get(mime_type, mime_type)


def mime_types_of(name: str) -> tuple[str, ...] | None:
    """The MIME types behind an alias or a MIME type as written; None for neither."""
    wanted = name.strip().lower()
    if "/" in wanted:
        return (wanted,)
    return ALIASES.get(wanted.removeprefix("."))
