"""Exports of Workspace files. Office files come out as they were stored; the rest is made from them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from locator_search.dev.drive_emulator.drive import documents
from locator_search.dev.drive_emulator.drive.items import DOCUMENT, PRESENTATION, SPREADSHEET, Item
from locator_search.dev.drive_emulator.drive.media_types import DOCX, PPTX, XLSX


@dataclass(frozen=True)
class Export:
    """One target format: `exportFormat` of its export link, and how it is made from a stored file."""

    link_name: str
    make: Callable[[bytes, str], bytes]


def export(item: Item, mime_type: str) -> bytes:
    """A Workspace file in another format.

    Raises KeyError where the type cannot be exported so, OSError where the real file has just gone.
    """
    wanted = EXPORTS[item.mime_type][mime_type]
    return item.exports[mime_type] if mime_type in item.exports else wanted.make(item.read(), item.source_format)


def _document(write: Callable[[list[documents.Block]], bytes], content: bytes, source_format: str) -> bytes:
    return write(documents.blocks_of(content, source_format))


def _document_as_word(content: bytes, source_format: str) -> bytes:
    return content if source_format == "docx" else _document(documents.as_word, content, source_format)


def _document_as_markdown(content: bytes, source_format: str) -> bytes:
    return content if source_format == "md" else _document(documents.as_markdown, content, source_format)


def _as_stored(content: bytes, _source_format: str) -> bytes:
    return content


def _first_sheet(delimiter: str, content: bytes, _source_format: str) -> bytes:
    """Only the first sheet, as Drive does."""
    from openpyxl import load_workbook

    workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter).writerows(workbook.worksheets[0].iter_rows(values_only=True))
    workbook.close()
    return written.getvalue().encode()


def _slides_as_text(content: bytes, _source_format: str) -> bytes:
    """The text on the slides; notes are left out, as Drive does."""
    from pptx import Presentation

    slides = (_texts(slide.shapes) for slide in Presentation(io.BytesIO(content)).slides)
    return ("\ufeff" + "\r\n\r\n".join("\r\n".join(lines) for lines in slides)).encode()


def _texts(shapes: Any) -> list[str]:
    lines = []
    for shape in shapes:
        if shape.has_text_frame:
            lines += [paragraph.text for paragraph in shape.text_frame.paragraphs]
        elif getattr(shape, "has_table", False):
            lines += ["\t".join(cell.text for cell in row.cells) for row in shape.table.rows]
    return lines


EXPORTS: dict[str, dict[str, Export]] = {
    DOCUMENT: {
        "text/plain": Export("txt", partial(_document, documents.as_plain_text)),
        "text/markdown": Export("md", _document_as_markdown),
        "text/html": Export("html", partial(_document, documents.as_html)),
        DOCX: Export("docx", _document_as_word),
    },
    SPREADSHEET: {
        XLSX: Export("xlsx", _as_stored),
        "text/csv": Export("csv", partial(_first_sheet, ",")),
        "text/tab-separated-values": Export("tsv", partial(_first_sheet, "\t")),
    },
    PRESENTATION: {
        PPTX: Export("pptx", _as_stored),
        "text/plain": Export("txt", _slides_as_text),
    },
}
"""Source type -> target type -> export. Drive also makes PDF, OpenDocument and others, which the emulator does not."""
