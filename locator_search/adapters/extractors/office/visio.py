"""Visio drawings, as which Word documents hold their figures: page by page in their order, the text of each shape."""

from __future__ import annotations

from collections.abc import Iterator

from locator_search.adapters.extractors.cleaning import clean
from locator_search.adapters.extractors.limited_zip import DAMAGE
from locator_search.adapters.extractors.office.ooxml import Element, OoxmlPackage, attribute, child, children
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.model import Block


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """A paragraph per shape with text, with the number of its page. Shapes within shapes follow them."""
    with OoxmlPackage(data) as package:
        pages = _pages(package)
        notes.page_count = len(pages)
        for number, part in enumerate(pages, start=1):
            try:
                texts = [_text(shape) for shape in package.xml(part).iter("{*}Shape")]
            except (CannotExtract, KeyError, *DAMAGE):
                notes.shortfalls.append("The drawings of the document could not be read whole.")
                continue
            yield from (Block("paragraph", text, page=number) for text in texts if text)


def _pages(package: OoxmlPackage) -> list[str]:
    """The parts of the pages in the order in which the drawing lists them."""
    document = _target(package, "", "document") or "visio/document.xml"
    listing = _target(package, document, "pages")
    if listing is None or not package.has(listing):
        return []
    targets = {relation.id: relation.target for relation in package.relations(listing)}
    relations = (child(page, "Rel") for page in children(package.xml(listing), "Page"))
    named = (targets.get(attribute(one, "id") or "") for one in relations if one is not None)
    return [part for part in named if part is not None]


def _target(package: OoxmlPackage, part: str, kind: str) -> str | None:
    return next((relation.target for relation in package.relations(part) if relation.kind == kind), None)


def _text(shape: Element) -> str:
    written = child(shape, "Text")
    return "" if written is None else clean("".join(str(piece) for piece in written.itertext())).strip()
