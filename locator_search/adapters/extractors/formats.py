"""The table of formats: what each is called, and the module that reads it (None: not supported yet)."""

from __future__ import annotations

from typing import NamedTuple

PLAIN_TEXT = "text/plain"
MARKDOWN = "text/markdown"
CSV = "text/csv"
TSV = "text/tab-separated-values"
HTML = "text/html"
PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
VSDX = "application/vnd.ms-visio.drawing"
XLSB = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
DOC = "application/msword"
XLS = "application/vnd.ms-excel"
PPT = "application/vnd.ms-powerpoint"
MSG = "application/vnd.ms-outlook"
OLE = "application/x-ole-storage"
RTF = "application/rtf"
ODT = "application/vnd.oasis.opendocument.text"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
ODP = "application/vnd.oasis.opendocument.presentation"
ODG = "application/vnd.oasis.opendocument.graphics"
ODC = "application/vnd.oasis.opendocument.chart"
EML = "message/rfc822"
EPUB = "application/epub+zip"
ZIP = "application/zip"
BINARY = "application/octet-stream"


class Format(NamedTuple):
    """`name` fits after "The file is"; `module` is a module of this package."""

    name: str
    module: str | None = None


FORMATS: dict[str, Format] = {
    PLAIN_TEXT: Format("a plain text", "text_formats.plain_text"),
    MARKDOWN: Format("a Markdown text", "text_formats.markdown"),
    CSV: Format("a CSV table", "text_formats.csv_table"),
    TSV: Format("a tab-separated table", "text_formats.csv_table"),
    HTML: Format("an HTML page", "text_formats.html_page"),
    PDF: Format("a PDF", "pdf.document"),
    DOCX: Format("a Word document", "office.word"),
    XLSX: Format("an Excel workbook", "office.excel"),
    PPTX: Format("a PowerPoint presentation", "office.powerpoint"),
    VSDX: Format("a Visio drawing (.vsdx)", "office.visio"),
    XLSB: Format("a binary Excel workbook (.xlsb)"),
    DOC: Format("a Word 97-2003 document (.doc)", "legacy_office.word97"),
    XLS: Format("an Excel 97-2003 workbook (.xls)", "legacy_office.excel97"),
    PPT: Format("a PowerPoint 97-2003 presentation (.ppt)", "legacy_office.powerpoint97"),
    MSG: Format("an Outlook message (.msg)", "containers.outlook"),
    OLE: Format("an OLE container of an unknown program", "legacy_office.ole_object"),
    RTF: Format("a Rich Text document (.rtf)", "legacy_office.rich_text"),
    ODT: Format("an OpenDocument text (.odt)", "office.opendocument"),
    ODS: Format("an OpenDocument spreadsheet (.ods)", "office.opendocument"),
    ODP: Format("an OpenDocument presentation (.odp)", "office.opendocument"),
    ODG: Format("an OpenDocument drawing (.odg)", "office.opendocument"),
    ODC: Format("an OpenDocument chart (.odc)", "office.opendocument"),
    EML: Format("an e-mail message", "containers.email_message"),
    EPUB: Format("an EPUB book", "containers.epub"),
    ZIP: Format("a ZIP archive", "containers.archive"),
    "application/gzip": Format("a gzip archive"),
    "application/x-7z-compressed": Format("a 7-Zip archive"),
    "application/vnd.rar": Format("a RAR archive"),
    "application/x-bzip2": Format("a bzip2 archive"),
    "application/x-xz": Format("an xz archive"),
    "application/vnd.sqlite3": Format("an SQLite database"),
    "application/x-executable": Format("a program"),
    "image/png": Format("a PNG image"),
    "image/jpeg": Format("a JPEG image"),
    "image/gif": Format("a GIF image"),
    "image/tiff": Format("a TIFF image"),
    "image/bmp": Format("a BMP image"),
    "image/webp": Format("a WebP image"),
    "image/heic": Format("an HEIC image"),
    "audio/mpeg": Format("an MP3 recording"),
    "audio/wav": Format("a WAV recording"),
    "audio/ogg": Format("an Ogg recording"),
    "video/mp4": Format("an MP4 video"),
    "video/x-msvideo": Format("an AVI video"),
    "video/webm": Format("a Matroska or WebM video"),
    BINARY: Format("binary data of an unknown format"),
}


def unsupported_reason(mime_type: str) -> str:
    """One sentence on why a file of this type is not read."""
    name = FORMATS[mime_type].name
    if mime_type.startswith("image/"):
        return f"The file is {name}; text in images is not read."
    return f"The file is {name}, which is not supported."
