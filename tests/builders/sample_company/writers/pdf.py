"""Writer of PDFs with a text layer: Japanese in the CID fonts every viewer brings, English in Helvetica."""

import io
import os
from typing import Any
from unittest.mock import patch
from xml.sax.saxutils import escape

from reportlab.lib import colors, pdfencrypt
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.platypus import Flowable, SimpleDocTemplate
from reportlab.platypus import PageBreak as NewPage
from reportlab.platypus import Paragraph as Lines
from reportlab.platypus import Table as Grid

from tests.builders.sample_company.markup import Block, Bullet, Heading, PageBreak, Paragraph, Table

_MINCHO, _GOTHIC = "HeiseiMin-W3", "HeiseiKakuGo-W5"
_HEADING_SIZES = {1: 16, 2: 12.5, 3: 11}
_LINE = 0.5


def pdf(blocks: list[Block], password: str = "") -> bytes:
    """A PDF of ``blocks`` on A4, page numbers at the foot; with ``password`` it opens for nobody else."""
    for font in (_MINCHO, _GOTHIC):
        pdfmetrics.registerFont(UnicodeCIDFont(font))
    out = io.BytesIO()
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        title=next(block.text for block in blocks if isinstance(block, Heading)),
        invariant=1,  # no clock, no random document id
        pageCompression=0,  # zlib builds differ in their output
        encrypt=pdfencrypt.StandardEncryption(password, strength=128) if password else None,
    )
    japanese = not all(str(block).isascii() for block in blocks)
    styles = _Styles(_MINCHO if japanese else "Helvetica", _GOTHIC if japanese else "Helvetica-Bold")
    with patch.dict(os.environ):
        os.environ.pop("SOURCE_DATE_EPOCH", None)  # reportlab would date the file by it
        document.build([styles.flowable(block) for block in blocks], onFirstPage=_foot, onLaterPages=_foot)
    return out.getvalue()


def _foot(canvas: Any, document: Any) -> None:
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(A4[0] / 2, 30, f"- {document.page} -")


class _Styles:
    """Turns blocks into flowables of one pair of fonts."""

    def __init__(self, body: str, bold: str) -> None:
        wrap = "CJK" if body == _MINCHO else None
        self._body = ParagraphStyle("body", fontName=body, fontSize=10.5, leading=17, wordWrap=wrap)
        self._cell = ParagraphStyle("cell", parent=self._body, fontSize=9, leading=12)
        self._bullet = ParagraphStyle("bullet", parent=self._body, leftIndent=12)
        self._headings = {
            level: ParagraphStyle(
                f"heading{level}", fontName=bold, fontSize=size, leading=size * 1.6, spaceBefore=8, wordWrap=wrap
            )
            for level, size in _HEADING_SIZES.items()
        }
        self._mark = "・" if wrap else "- "

    def flowable(self, block: Block) -> Flowable:
        """The element of the page layout for ``block``."""
        match block:
            case Heading(level, text):
                return Lines(escape(text), self._headings[level])
            case Paragraph(text):
                return Lines(escape(text), self._body)
            case Bullet(text):
                return Lines(escape(self._mark + text), self._bullet)
            case Table(rows):
                cells = [[Lines(escape(cell), self._cell) for cell in row] for row in rows]
                frame = [("GRID", (0, 0), (-1, -1), _LINE, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")]
                return Grid(cells, style=frame, hAlign="LEFT", spaceBefore=4, spaceAfter=8)
            case PageBreak():
                return NewPage()
