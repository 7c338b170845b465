"""PDFs by ReportLab: Japanese without embedded fonts, vertical, encrypted, scanned, filled in, bookmarked, lying."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import CIDFont, UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

_LINE_HEIGHT = 16


def pdf(path: Path, pages: Sequence[Sequence[str]], *, font: str = "HeiseiMin-W3", password: str = "") -> Path:
    """Each page is a list of lines."""
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
    encryption = StandardEncryption(password, canPrint=0) if password else None
    canvas = Canvas(str(path), encrypt=encryption, invariant=True)
    for lines in pages:
        canvas.setFont(font, 11)
        for number, line in enumerate(lines):
            canvas.drawString(72, 760 - number * _LINE_HEIGHT, line)
        canvas.showPage()
    canvas.save()
    return path


def eucjp_pdf(path: Path, text: str) -> Path:
    """Text in the predefined CMap EUC-H: pypdf returns garbage for it without saying so."""
    pdfmetrics.registerFont(CIDFont("HeiseiMin-W3", "EUC-H"))
    canvas = Canvas(str(path), invariant=True)
    canvas.setFont("HeiseiMin-W3-EUC-H", 11)
    canvas.drawString(72, 760, text.encode("euc_jp").decode("latin-1"))
    canvas.showPage()
    canvas.save()
    return path


def vertical_pdf(path: Path, columns: Sequence[str], page_number: str = "") -> Path:
    """One page of vertical text, its columns from right to left as people write them."""
    pdfmetrics.registerFont(CIDFont("HeiseiMin-W3", "EUC-V"))
    canvas = Canvas(str(path), invariant=True)
    canvas.setFont("HeiseiMin-W3-EUC-V", 11)
    for number, column in enumerate(columns):
        canvas.drawString(500 - number * _LINE_HEIGHT, 760, column.encode("euc_jp").decode("latin-1"))
    canvas.setFont("Helvetica", 11)
    canvas.drawString(300, 40, page_number)
    canvas.showPage()
    canvas.save()
    return path


def form_pdf(path: Path, label: str, value: str) -> Path:
    """One page with a form field that somebody filled in."""
    canvas = Canvas(str(path), invariant=True)
    canvas.drawString(72, 760, label)
    canvas.acroForm.textfield(name="field", value=value, x=200, y=750, width=200, height=20)
    canvas.showPage()
    canvas.save()
    return path


def bookmarked_pdf(path: Path, pages: Sequence[Sequence[str]], bookmarks: Sequence[tuple[int, int, str]]) -> Path:
    """`pages` as in `pdf`; each bookmark is its page (from 0), its level (from 0) and its title."""
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
    canvas = Canvas(str(path), invariant=True)
    for index, lines in enumerate(pages):
        for page, level, title in bookmarks:
            if page == index:
                canvas.bookmarkPage(title)
                canvas.addOutlineEntry(title, title, level)
        canvas.setFont("HeiseiMin-W3", 11)
        for number, line in enumerate(lines):
            canvas.drawString(72, 760 - number * _LINE_HEIGHT, line)
        canvas.showPage()
    canvas.save()
    return path


def lying_pdf(path: Path, honest: str, garbled: str, first: int = 0xE000) -> Path:
    """One page in two fonts of which the second says that its characters begin at `first`."""
    last = len(garbled) and 0x7E
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> "
        f"endcodespacerange 1 beginbfrange <20> <{last:02X}> <{first:04X}> endbfrange endcmap end end"
    )
    page = f"BT /F1 12 Tf 72 700 Td ({honest}) Tj ET BT /F2 12 Tf 72 600 Td ({garbled}) Tj ET"
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
        _stream(page),
        f"{font} >>",
        f"{font} /ToUnicode 7 0 R >>",
        _stream(cmap),
    ]
    written = "".join(f"{number} 0 obj\n{content}\nendobj\n" for number, content in enumerate(objects, start=1))
    path.write_bytes(f"%PDF-1.4\n{written}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n%%EOF\n".encode("ascii"))
    return path


def _stream(content: str) -> str:
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def scanned_pdf(path: Path) -> Path:
    """One page that is a picture."""
    picture = io.BytesIO()
    Image.new("L", (40, 60), 200).save(picture, "PNG")
    canvas = Canvas(str(path), invariant=True)
    canvas.drawImage(ImageReader(picture), 0, 0, 595, 842)
    canvas.showPage()
    canvas.save()
    return path
