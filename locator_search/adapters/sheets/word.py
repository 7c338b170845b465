"""Sheets as Word documents."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime

import docx
from docx.enum.text import WD_COLOR_INDEX
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor

from locator_search.ports.sheets import Sheet, SheetLine, SheetTable

JAPANESE_FONT = "Yu Gothic"
INSERTED, DELETED, MUTED = RGBColor(0x1B, 0x6E, 0x3C), RGBColor(0xB0, 0x2A, 0x2A), RGBColor(0x59, 0x63, 0x6E)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


class WordSheetWriter:
    """A SheetWriter."""

    suffix = ".docx"
    mime_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

    def write(self, sheet: Sheet) -> bytes:
        """The whole file."""
        document = docx.Document()
        properties = document.core_properties
        properties.title, properties.author = _clean(sheet.title), "Document Locator"
        properties.created = properties.modified = datetime.now(UTC)
        normal = document.styles["Normal"]
        normal.font.name, normal.font.size = JAPANESE_FONT, Pt(10.5)
        normal.element.rPr.rFonts.set(qn("w:eastAsia"), JAPANESE_FONT)
        document.add_heading(_clean(sheet.title), level=0)
        table = document.add_table(rows=0, cols=2, style="Table Grid")
        for name, value in sheet.facts:
            cells = table.add_row().cells
            cells[0].paragraphs[0].add_run(_clean(name)).bold = True
            cells[1].text = _clean(value)
        for section in sheet.sections:
            document.add_heading(_clean(section.title), level=1)
            if section.table:
                _add_table(document, section.table)
            for line in section.lines:
                _add_line(document, line)
        written = io.BytesIO()
        document.save(written)
        return written.getvalue()


def _add_table(document: docx.document.Document, table: SheetTable) -> None:
    written = document.add_table(rows=0, cols=len(table.columns), style="Table Grid")
    for number, row in enumerate((table.columns, *table.rows)):
        for cell, text in zip(written.add_row().cells, row, strict=True):
            run = cell.paragraphs[0].add_run(_clean(text))
            run.bold, run.font.size = number == 0, Pt(9)


def _add_line(document: docx.document.Document, line: SheetLine) -> None:
    run = document.add_paragraph(style="List Bullet").add_run(_clean(line.text))
    if line.inserted:
        run.font.color.rgb, run.font.underline = INSERTED, True
    if line.deleted:
        run.font.color.rgb, run.font.strike = DELETED, True
    if line.marked:
        run.font.highlight_color = WD_COLOR_INDEX.YELLOW
    for source in line.sources:
        smaller = document.add_paragraph(style="List Bullet 2").add_run(_clean(source))
        smaller.font.size, smaller.font.color.rgb = Pt(9), MUTED


def _clean(text: str) -> str:
    return _NOT_XML.sub("", text)
