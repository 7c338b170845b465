"""PDF: PDFium page by page; pypdf where PDFium cannot open the file or a page's text looks garbled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import pypdfium2

from locator_search.adapters.extractors.cleaning import one_line
from locator_search.adapters.extractors.limits import MAX_PAGES
from locator_search.adapters.extractors.office.word_styles import is_caption
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.adapters.extractors.pdf.garbling import oddness
from locator_search.adapters.extractors.pdf.paragraphs import paragraphs
from locator_search.adapters.extractors.pdf.readers import Pages, PdfiumPages, PypdfPages, title_key
from locator_search.model import Block

_SUSPICIOUS = 0.1
_GARBLED = 0.3


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Paragraphs and captions with exact page numbers; headings where the bookmarks of the file name them."""
    pdf = _Pdf(data)
    notes.page_count = len(pdf.pages)
    notes.when_empty = "The PDF has no text layer (a scan?); it needs OCR."
    if notes.page_count == 0:
        notes.when_empty = "The PDF has no pages."
    if notes.page_count > MAX_PAGES:
        notes.shortfalls.append(f"Only the first {MAX_PAGES:,} of {notes.page_count:,} pages were read.")
    unreadable: list[int] = []
    garbled: list[int] = []
    suspicious: list[int] = []
    for index in range(min(notes.page_count, MAX_PAGES)):
        text = pdf.best_text(index)
        odd = oddness(text) if text is not None else 0.0
        if text is None:
            unreadable.append(index + 1)
        elif odd > _GARBLED:
            garbled.append(index + 1)
        else:
            if odd > _SUSPICIOUS:
                suspicious.append(index + 1)
            yield from _blocks(text, index + 1, pdf.titles.get(index, {}))
    if garbled:
        notes.suspicions.append(
            f"{_pages(garbled)}: garbled text was left out, because fonts have no character map; only OCR reads it."
        )
    if suspicious:
        notes.suspicions.append(
            f"{_pages(suspicious)}: the text looks garbled in part; fonts may name wrong characters."
        )
    if unreadable:
        raise CannotExtract("corrupt", f"{_pages(unreadable)} could not be read.")


def _blocks(text: str, page: int, titles: dict[str, int]) -> Iterator[Block]:
    for paragraph in paragraphs(text, lambda line: title_key(line) in titles):
        level = titles.get(title_key(paragraph), 0)
        if level:
            yield Block("heading", one_line(paragraph), level, page)
        else:
            yield Block("caption" if is_caption(paragraph) else "paragraph", paragraph, page=page)


class _Pdf:
    """One PDF as its two readers see it; the second is opened only when it is needed."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.titles: dict[int, dict[str, int]] = {}
        try:
            self.pages: Pages = PdfiumPages(data)
            self.titles = self.pages.titles()
        except pypdfium2.PdfiumError:
            self.pages = PypdfPages(data)

    @cached_property
    def _second(self) -> Pages | None:
        if isinstance(self.pages, PypdfPages):
            return None
        try:
            return PypdfPages(self._data)
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


def _attempt(pages: Pages | None, index: int) -> str | None:
    if pages is None:
        return None
    try:
        return pages.text(index)
    except MemoryError:
        raise
    except Exception:  # damaged files raise anything; the other reader or the next page may still do
        return None


def _pages(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"Page {numbers[0]}"
    shown = ", ".join(str(number) for number in numbers[:5])
    return f"{len(numbers)} pages ({shown}{', ...' if len(numbers) > 5 else ''})"
