"""PowerPoint presentations: slide by slide in the order of the show, its shapes, tables, charts, notes and comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from locator_search.adapters.extractors.cleaning import clean, one_line, table_blocks
from locator_search.adapters.extractors.office.beside import beside
from locator_search.adapters.extractors.office.described import described, own_text
from locator_search.adapters.extractors.office.ooxml import (
    Element,
    OoxmlPackage,
    attribute,
    child,
    children,
    chosen_alternative,
    local_name,
)
from locator_search.adapters.extractors.outcome import Notes
from locator_search.adapters.extractors.pictures import picture_blocks
from locator_search.model import Block

_TITLES = frozenset({"title", "ctrTitle"})
_NOT_NOTES = frozenset({"sldNum", "dt", "sldImg"})
_MARGINS = frozenset({"hdr", "ftr"})


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Blocks with the slide's number as page: title as heading, text, tables, then the speaker's notes."""
    with OoxmlPackage(data) as package:
        main = package.main_part() or "ppt/presentation.xml"
        targets = {relation.id: relation.target for relation in package.relations(main)}
        listed = child(package.xml(main), "sldIdLst")
        slides = [targets.get(_relation_id(slide), "") for slide in (listed if listed is not None else ())]
        notes.page_count = len(slides)
        margins: set[str] = set()
        for number, slide in enumerate(slides, start=1):
            if package.has(slide):
                yield from _slide(package, slide, number, notes, margins)


def _slide(package: OoxmlPackage, part: str, number: int, notes: Notes, margins: set[str]) -> Iterator[Block]:
    yield from _shapes(package.xml(part), number)
    yield from beside(package, part, number, notes)
    for relation in package.relations(part):
        if relation.kind == "notesSlide" and package.has(relation.target):
            yield from _speaker_notes(package.xml(relation.target), number, margins)


def _speaker_notes(page: Element, number: int, margins: set[str]) -> Iterator[Block]:
    """The shapes and tables of a page of notes. Headers and footers stand on every page and are read once."""
    for shape in page.iter("{*}sp", "{*}tbl"):
        if local_name(shape) == "tbl":
            yield from (replace(block, kind="note") for block in _table(shape, number))
            continue
        filled = _placeholder(shape)
        for text in _paragraphs(shape) if filled not in _NOT_NOTES else ():
            if filled not in _MARGINS or text not in margins:
                yield Block("note", text, page=number)
            margins.update([text] if filled in _MARGINS else [])


def _shapes(container: Element, number: int) -> Iterator[Block]:
    for element in container:
        name = local_name(element)
        if name == "AlternateContent":
            chosen = chosen_alternative(element)
            if chosen is not None:
                yield from _shapes(chosen, number)
            yield from picture_blocks(
                (text for each in element if each is not chosen for text in described(each)), number
            )
        elif name == "sp":
            texts = _paragraphs(element)
            if _placeholder(element) in _TITLES:
                title = one_line(" ".join(texts))
                if title:
                    yield Block("heading", title, level=1, page=number)
            else:
                yield from (Block("paragraph", text, page=number) for text in texts)
            yield from picture_blocks(described(element), number)
        elif name == "tbl":
            yield from _table(element, number)
        elif name == "cNvPr":
            yield from picture_blocks([own_text(element)], number)
        else:
            yield from _shapes(element, number)


def _table(table: Element, number: int) -> Iterator[Block]:
    rows = ([" ".join(_paragraphs(cell)) for cell in children(row, "tc")] for row in children(table, "tr"))
    return table_blocks(rows, page=number)


def _paragraphs(container: Element) -> list[str]:
    texts = (clean(_text(paragraph)).strip() for paragraph in container.iter("{*}p"))
    return [text for text in texts if text]


def _text(paragraph: Element) -> str:
    pieces: list[str] = []
    for node in paragraph.iter("{*}t", "{*}br", "{*}tab"):
        pieces.append((node.text or "") if local_name(node) == "t" else "\n")
    return "".join(pieces)


def _placeholder(shape: Element) -> str:
    """The kind of placeholder a shape fills; "" for a shape of its own."""
    element = next(shape.iter("{*}ph"), None)
    return element.get("type", "body") if element is not None else ""


def _relation_id(slide: Element) -> str:
    """`r:id`, not the slide's own `id`."""
    return next((str(value) for key, value in slide.items() if str(key).endswith("}id")), attribute(slide, "id") or "")
