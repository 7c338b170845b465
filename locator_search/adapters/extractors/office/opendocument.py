"""OpenDocument texts, spreadsheets and presentations (.odt, .ods, .odp): a walk over `content.xml`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import replace

from locator_search.adapters.extractors.cells import CellLimit
from locator_search.adapters.extractors.cleaning import clean, one_line, table_blocks
from locator_search.adapters.extractors.limited_zip import DAMAGE
from locator_search.adapters.extractors.limits import MAX_COLUMN_GAP
from locator_search.adapters.extractors.office.charts import names_of, new_lines, words_of
from locator_search.adapters.extractors.office.ooxml import Element, OoxmlPackage, attribute, child, local_name
from locator_search.adapters.extractors.office.word_styles import is_caption
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.adapters.extractors.pictures import alternative_text, picture_blocks
from locator_search.model import Block

_NOT_TEXT = frozenset({"tracked-changes", "ruby-text", "note-citation", "sequence-decls", "forms", "settings"})
_ASIDE = frozenset({"note", "annotation"})
_DECLARED = frozenset({"header-decl", "footer-decl"})
_DRAWING = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_MOST_REPEATED_ROWS = 1_000
_MOST_SPACES = 100


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Headings, paragraphs, tables and frames in document order, then notes and comments, headers and footers.

    Deleted text is left out. Page numbers are the sheet's or the slide's, in texts those of the page breaks that the
    program noted when it last laid the text out, None without them.
    """
    with OoxmlPackage(data) as package:
        if package.has("META-INF/manifest.xml") and b"encryption-data" in package.part("META-INF/manifest.xml"):
            raise CannotExtract("encrypted", "The OpenDocument file is password-protected.")
        if not package.has("content.xml"):
            raise CannotExtract("corrupt", "The OpenDocument file has no content.")
        body = child(package.xml("content.xml"), "body")
        styles = package.xml("styles.xml") if package.has("styles.xml") else None
        walk = _Walk(notes)
        for content in body if body is not None else ():
            if local_name(content) == "text":
                walk.page = 1 if next(content.iter("{*}soft-page-break"), None) is not None else None
            yield from walk.blocks(content)
            yield from _objects(package, content, walk.objects, notes)
        notes.page_count = walk.page
        yield from walk.aside
    if styles is not None:
        said: set[str] = set()
        for name in ("header", "footer"):
            for element in styles.iter(f"{{*}}{name}"):
                for block in _Walk(notes).blocks(element):
                    if block.text not in said:
                        said.add(block.text)
                        yield replace(block, kind="note", level=0)


def _objects(package: OoxmlPackage, around: Element, objects: dict[str, int | None], notes: Notes) -> Iterator[Block]:
    """Charts and documents that lie in a document as parts of their own; of charts over cells what no cell says."""
    known = words_of(map(str, around.itertext())) if objects and local_name(around) == "spreadsheet" else None
    for name, page in objects.items():
        try:
            content = package.xml(f"{name}/content.xml")
            blocks, own_values = list(_Walk(notes).blocks(content)), _has_own_values(content)
        except (CannotExtract, KeyError, *DAMAGE):
            notes.shortfalls.append(f"{one_line(name)}: This part of the document could not be read.")
            continue
        if known is None:
            yield from (replace(block, page=page) for block in blocks)
            continue
        titles = [block.text for block in blocks if block.kind != "table"]
        tables = [block for block in blocks if block.kind == "table"]
        rows = [line.split("\t") for block in tables for line in block.text.split("\n")]
        if new := "\n".join(new_lines(titles, () if own_values else names_of(rows), known)):
            yield Block("paragraph", new, page=page)
        yield from (replace(block, page=page) for block in (tables if own_values else ()))


def _has_own_values(chart: Element) -> bool:
    """Whether the values of a chart stand in its own table, not in cells of the document."""
    sources = (attribute(series, "values-cell-range-address") or "" for series in chart.iter("{*}series"))
    return any(source.startswith("local-table.") for source in sources)


class _Walk:
    """Goes through the content, keeping count of pages and putting aside what belongs at the end."""

    def __init__(self, notes: Notes) -> None:
        self.page: int | None = None
        self.aside: list[Block] = []
        self.objects: dict[str, int | None] = {}
        self._in_table: list[Block] = []
        self._limit = CellLimit(notes)

    def blocks(self, container: Iterable[Element]) -> Iterator[Block]:
        """Blocks of everything a container holds."""
        for element in container:
            name = local_name(element)
            if name in ("p", "h"):
                yield from self._paragraph(element)
            elif name == "table":
                yield from self._table(element)
            elif name == "page":  # a slide
                self.page = (self.page or 0) + 1
                yield from self.blocks(element)
            elif name == "notes":
                yield from (replace(block, kind="note", level=0) for block in self.blocks(element))
            elif name == "frame" and attribute(element, "class") == "title":
                inside = list(self.blocks(element))
                title = " ".join(block.text for block in inside if block.kind != "picture")
                if title:
                    yield Block("heading", one_line(title), 1, self.page)
                yield from (block for block in inside if block.kind == "picture")
            elif name in _ASIDE:
                self._put_aside(element)
            elif name in _DECLARED:
                yield Block("note", one_line(_plain(element.text)))
            elif name == "object" and (part := attribute(element, "href")):
                self.objects[posixpath.normpath(part)] = self.page
            elif name == "soft-page-break":
                self._turn_page()
            elif name not in _NOT_TEXT:
                yield from self.blocks(element)
            if str(element.tag).startswith(_DRAWING):
                yield from picture_blocks([_described(element)], self.page)

    def _paragraph(self, element: Element) -> Iterator[Block]:
        page, boxes = self.page, list[Element]()
        text = clean("".join(self._pieces(element, boxes))).strip()
        level = attribute(element, "outline-level") or ""
        if text and local_name(element) == "h" and level.isdecimal():
            yield Block("heading", one_line(text), min(max(int(level), 1), 9), page)
        elif text:
            yield Block("caption" if is_caption(text) else "paragraph", text, page=page)
        yield from self.blocks(boxes)

    def _pieces(self, element: Element, boxes: list[Element]) -> Iterator[str]:
        yield _plain(element.text)
        for node in element:
            name = local_name(node)
            if name == "s":
                count = attribute(node, "c") or "1"
                yield " " * min(int(count) if count.isdecimal() else 1, _MOST_SPACES)
            elif name == "tab":
                yield "\t"
            elif name == "line-break":
                yield "\n"
            elif name == "soft-page-break":
                self._turn_page()
            elif str(node.tag).startswith(_DRAWING):
                boxes.append(node)
            elif name in _ASIDE:
                self._put_aside(node)
            elif name not in _NOT_TEXT:
                yield from self._pieces(node, boxes)
            yield _plain(node.tail)

    def _table(self, table: Element) -> Iterator[Block]:
        name = attribute(table, "name") or ""
        parent = table.getparent()
        if parent is not None and local_name(parent) == "spreadsheet":
            self.page = (self.page or 0) + 1
            yield Block("heading", name, 1, self.page)
        yield from table_blocks(self._limit.within(self._rows(table)), self.page)
        pictures, self._in_table = self._in_table, []
        yield from pictures
        yield from self.blocks(each for each in table if local_name(each) == "shapes")

    def _rows(self, table: Element) -> Iterator[list[str]]:
        for element in table:
            name = local_name(element)
            if name == "table-row":
                cells = list(self._cells(element))
                for _ in range(_repeated(element, "number-rows-repeated", _MOST_REPEATED_ROWS) if any(cells) else 0):
                    yield cells
            elif name in ("table-header-rows", "table-rows", "table-row-group"):
                yield from self._rows(element)

    def _cells(self, row: Element) -> Iterator[str]:
        for element in row:
            name = local_name(element)
            if name in ("table-cell", "covered-table-cell"):
                blocks = list(self.blocks(element)) if name == "table-cell" else []
                self._in_table += [block for block in blocks if block.kind == "picture"]
                text = " ".join(block.text for block in blocks if block.kind != "picture")
                yield from [text] * _repeated(element, "number-columns-repeated", MAX_COLUMN_GAP)

    def _put_aside(self, element: Element) -> None:
        page, self.page = self.page, None
        self.aside += [replace(block, kind="note", level=0) for block in self.blocks(element)]
        self.page = page

    def _turn_page(self) -> None:
        if self.page is not None:
            self.page += 1


def _described(drawing: Element) -> str:
    """The text that a drawing says of itself."""
    parts = (child(drawing, name) for name in ("title", "desc"))
    return alternative_text(*("".join(map(str, part.itertext())) for part in parts if part is not None))


def _repeated(element: Element, name: str, most: int) -> int:
    value = attribute(element, name) or "1"
    return min(int(value), most) if value.isdecimal() else 1


def _plain(text: str | None) -> str:
    """In the XML every run of white space is one space; more are written as elements."""
    if not text:
        return ""
    middle = one_line(text)
    if not middle:
        return " "
    return (" " if text[0].isspace() else "") + middle + (" " if text[-1].isspace() else "")
