"""EPUB books: the pages of the book in reading order, as its package lists them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from locator_search.adapters.extractors.cleaning import one_line
from locator_search.adapters.extractors.limited_zip import DAMAGE
from locator_search.adapters.extractors.office.ooxml import Element, OoxmlPackage
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.adapters.extractors.text_formats import html_page
from locator_search.model import Block

_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = frozenset(
    ["application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "image/svg+xml"]
)


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Title as heading, then the authors and the pages of the spine. Pages of a book have no fixed numbers."""
    with OoxmlPackage(data) as book:
        roots = book.xml("META-INF/container.xml").iter("{*}rootfile")
        package = next((root.get("full-path", "") for root in roots), "")
        if not book.has(package):
            raise CannotExtract("corrupt", "The EPUB book has no package.")
        described = book.xml(package)
        title = one_line(" ".join(_texts(described, "title")))
        if title:
            yield Block("heading", title, level=1)
        for author in _texts(described, "creator"):
            yield Block("paragraph", author)
        locked = _locked(book)
        for part, media_type in _spine(described, posixpath.dirname(package)):
            if part in locked:
                raise CannotExtract("encrypted", "The pages of the EPUB book are encrypted.")
            if media_type not in _PAGES and media_type.startswith("image/"):
                continue
            if media_type not in _PAGES:
                notes.shortfalls.append(f"{one_line(part)}: This page of the book is of a kind that is not read.")
                continue
            try:
                blocks = html_page.read(book.part(part), notes)
                yield from (block for block in blocks if block.text != title)
            except (KeyError, CannotExtract, *DAMAGE):
                notes.shortfalls.append(f"{one_line(part)}: This page of the book could not be read.")


def _spine(described: Element, folder: str) -> Iterator[tuple[str, str]]:
    items = {item.get("id"): item for item in described.iter("{*}item")}
    for reference in described.iter("{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is not None:
            part = posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
            yield part, item.get("media-type", "")


def _locked(book: OoxmlPackage) -> frozenset[str]:
    """The parts that are encrypted; fonts often are, in books that anybody may read."""
    if not book.has(_ENCRYPTION):
        return frozenset()
    return frozenset(unquote(node.get("URI", "")) for node in book.xml(_ENCRYPTION).iter("{*}CipherReference"))


def _texts(described: Element, name: str) -> list[str]:
    texts = (
        "".join(map(str, element.itertext())).strip()
        for element in described.iter(f"{{http://purl.org/dc/elements/1.1/}}{name}")
    )
    return [text for text in texts if text]
