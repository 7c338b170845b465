"""PDF: PDFium page by page; pypdf where PDFium cannot open the file or a page's text looks garbled."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cached_property
from typing import Protocol

import pypdfium2
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from locator_search.adapters.extractors.limits import MAX_PAGES
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.adapters.extractors.pdf_text import oddness, paragraphs
from locator_search.model import Block

_SUSPICIOUS = 0.1
_GARBLED = 0.3


class _Pages(Protocol):
    """The pages of one PDF; `text` counts from 0 and raises whatever its library raises."""

    def __len__(self) -> int: ...
    def text(self, index: int) -> str: ...


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Paragraphs with exact page numbers."""
    pdf = _Pdf(data)
    notes.page_count = len(pdf.pages)
    notes.when_empty = "The PDF has no text layer (a scan?); it needs OCR."
    if notes.page_count == 0:
        notes.when_empty = "The PDF has no pages."
    if notes.page_count > MAX_PAGES:
        notes.shortfalls.append(f"Only the first {MAX_PAGES:,} of {notes.page_count:,} pages were read.")
    unreadable: list[int] = []
    garbled: list[int] = []
    for index in range(min(notes.page_count, MAX_PAGES)):
        text = pdf.best_text(index)
        if text is None:
            unreadable.append(index + 1)
        elif oddness(text) > _GARBLED:
            garbled.append(index + 1)
        else:
            yield from (Block("paragraph", paragraph, page=index + 1) for paragraph in paragraphs(text))
    if garbled:
        notes.shortfalls.append(f"{_pages(garbled)} use fonts without a character map, so their text is garbled.")
        notes.when_empty = "The fonts of the PDF have no character map, so its text is garbled; it needs OCR."
    if unreadable:
        raise CannotExtract("corrupt", f"{_pages(unreadable)} could not be read.")


class _Pdf:
    """One PDF as its two readers see it; the second is opened only when it is needed."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        try:
            self.pages: _Pages = _PdfiumPages(data)
        except pypdfium2.PdfiumError:
            self.pages = _PypdfPages(data)

    @cached_property
    def _second(self) -> _Pages | None:
        if isinstance(self.pages, _PypdfPages):
            return None
        try:
            return _PypdfPages(self._data)
        except CannotExtract:
            return None

    def best_text(self, index: int) -> str | None:
        """The less odd of two readings of a page; None when both failed."""
        first = _attempt(self.pages, index)
        if first is not None and oddness(first) <= _SUSPICIOUS:
            return first
        second = _attempt(self._second, index)
        readings = [text for text in (first, second) if text is not None]
        return min(readings, key=oddness, default=None)


def _attempt(pages: _Pages | None, index: int) -> str | None:
    if pages is None:
        return None
    try:
        return pages.text(index)
    except MemoryError:
        raise
    except Exception:  # damaged files raise anything; the other reader or the next page may still do
        return None


class _PdfiumPages:
    def __init__(self, data: bytes) -> None:
        self._document = pypdfium2.PdfDocument(data)

    def __len__(self) -> int:
        return len(self._document)

    def text(self, index: int) -> str:
        page = self._document[index]
        textpage = page.get_textpage()
        try:
            # Not get_text_bounded: it drops text outside the crop box and in vertical pages.
            return str(textpage.get_text_range())
        finally:
            textpage.close()
            page.close()


class _PypdfPages:
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
        return self._reader.pages[index].extract_text()


def _pages(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"Page {numbers[0]}"
    shown = ", ".join(str(number) for number in numbers[:5])
    return f"{len(numbers)} pages ({shown}{', ...' if len(numbers) > 5 else ''})"
