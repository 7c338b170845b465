"""The two readers of PDF: PDFium, which is quick and knows Japanese fonts, and pypdf, which opens what it cannot."""

from __future__ import annotations

import ctypes
import io
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Literal, Protocol

import pypdfium2
from pypdf import PdfReader
from pypdf.errors import PyPdfError
from pypdfium2 import raw as pdfium

from locator_search.adapters.extractors.outcome import CannotExtract
from locator_search.adapters.extractors.pdf.vertical import Glyph, is_vertical, vertical_text

_MOST_BOOKMARKS = 5_000
_FILLED_IN = (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT)
_MOST_ANNOTATIONS = 2_000
_JAPANESE = re.compile("[\u3041-\u30ff\u4e00-\u9fff]")
_FEWEST_JAPANESE = 5
_SAMPLE = 200
_LINE_END = (0x0A, 0x0D)
_SPACE = 0x20
_TURNED = (0.1, 3.0)
"""Radians between which a letter lies on its side."""


class Pages(Protocol):
    """The pages of one PDF; `text` counts from 0 and raises whatever its library raises."""

    def __len__(self) -> int: ...
    def text(self, index: int) -> str:
        """The text of a page."""
        ...


class PdfiumPages:
    """Raises PdfiumError for what PDFium cannot open."""

    def __init__(self, data: bytes) -> None:
        self._document = pypdfium2.PdfDocument(data)

    def __len__(self) -> int:
        return len(self._document)

    def text(self, index: int) -> str:
        """The text of a page with what was filled into its form."""
        page = self._document[index]
        if _is_filled_in(page) and pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY):
            page.close()  # what was made part of the page is seen when it is loaded anew
            page = self._document[index]
        textpage = page.get_textpage()
        try:
            # Not get_text_bounded: it drops text outside the crop box and in vertical pages.
            text = str(textpage.get_text_range())
            if len(_JAPANESE.findall(text, 0, _SAMPLE * 10)) < _FEWEST_JAPANESE:
                return text
            count = textpage.count_chars()
            start = max((count - _SAMPLE) // 2, 0)
            if not is_vertical(list(_glyphs(textpage, start, min(start + _SAMPLE, count)))):
                return text
            columns = vertical_text(list(_glyphs(textpage, 0, count)))
            return columns.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        finally:
            textpage.close()
            page.close()

    def titles(self) -> dict[int, dict[str, int]]:
        """The bookmarks: by page (from 0) the titles that stand there, as `title_key`, with their level from 1."""
        titles: dict[int, dict[str, int]] = {}
        for bookmark in islice(self._document.get_toc(max_depth=9), _MOST_BOOKMARKS):
            destination = bookmark.get_dest()
            page = destination.get_index() if destination is not None else None
            key = title_key(bookmark.get_title())
            if page is not None and key:
                titles.setdefault(page, {}).setdefault(key, bookmark.level + 1)
        return titles


class PypdfPages:
    """Raises CannotExtract when the PDF is encrypted (PDFium's own message on that is unreliable) or damaged."""

    def __init__(self, data: bytes) -> None:
        try:
            self._reader = PdfReader(io.BytesIO(data))
            locked = self._reader.is_encrypted and not self._reader.decrypt("")
            self._count = 0 if locked else len(self._reader.pages)
        except MemoryError:
            raise
        except Exception as error:  # damaged files raise anything, from KeyError to RecursionError
            known = isinstance(error, PyPdfError) and str(error)
            detail = f" ({str(error).rstrip('.')[:80]})" if known else ""
            raise CannotExtract("corrupt", f"The PDF is damaged{detail}.") from error
        if locked:
            raise CannotExtract("encrypted", "The PDF is password-protected.")

    def __len__(self) -> int:
        return self._count

    def text(self, index: int) -> str:
        """The text of a page."""
        return self._reader.pages[index].extract_text()


def title_key(title: str) -> str:
    """A title without what differs between a bookmark and the page: spaces, width of letters, the dot of a number."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", title).casefold() if letter.isalnum())


def _is_filled_in(page: pypdfium2.PdfPage) -> bool:
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page.raw), _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
        if annotation:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            pdfium.FPDFPage_CloseAnnot(annotation)
            if kind in _FILLED_IN:
                return True
    return False


def _glyphs(textpage: pypdfium2.PdfTextPage, start: int, stop: int) -> Iterator[Glyph]:
    """The characters that are drawn, each with the space or line end that PDFium saw before it."""
    box = pdfium.FS_RECTF()
    before: Literal["", " ", "\n"] = ""
    for index in range(start, stop):
        code = pdfium.FPDFText_GetUnicode(textpage.raw, index)
        if code in _LINE_END:
            before = "\n"
        elif code <= _SPACE:
            before = before or " "
        elif pdfium.FPDFText_GetLooseCharBox(textpage.raw, index, ctypes.byref(box)):
            angle = pdfium.FPDFText_GetCharAngle(textpage.raw, index)
            turned = _TURNED[0] < angle < _TURNED[1]
            yield Glyph(chr(code), box.left, box.bottom, box.right, box.top, turned, before)
            before = ""
