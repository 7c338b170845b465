"""PDFs by ReportLab: Japanese without embedded fonts, encrypted, scanned, broken."""

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


def scanned_pdf(path: Path) -> Path:
    """One page that is a picture."""
    picture = io.BytesIO()
    Image.new("L", (40, 60), 200).save(picture, "PNG")
    canvas = Canvas(str(path), invariant=True)
    canvas.drawImage(ImageReader(picture), 0, 0, 595, 842)
    canvas.showPage()
    canvas.save()
    return path
