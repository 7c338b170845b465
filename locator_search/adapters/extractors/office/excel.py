"""Excel workbooks: every sheet, row by row as the XML streams by, so that a far-away cell costs nothing."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from lxml import etree

from locator_search.adapters.extractors.cells import CellLimit
from locator_search.adapters.extractors.cleaning import clean, one_line, table_blocks
from locator_search.adapters.extractors.limits import MAX_COLUMN_GAP
from locator_search.adapters.extractors.office.beside import beside
from locator_search.adapters.extractors.office.charts import words_of
from locator_search.adapters.extractors.office.excel_values import (
    CellFormats,
    margin_text,
    number_text,
    styles_with_dates,
)
from locator_search.adapters.extractors.office.ooxml import (
    Element,
    OoxmlPackage,
    attribute,
    child,
    children,
    local_name,
    refuse_doctype,
)
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.model import Block

_MESSAGES = ("promptTitle", "prompt", "errorTitle", "error")  # for whoever fills in a cell
_COLUMN = re.compile(r"([A-Z]{1,3})[0-9]+$")


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Each sheet as a heading with its name and its rows as a table, then text boxes, comments, headers
    and footers; the page number is the sheet's."""
    with OoxmlPackage(data) as package:
        main = package.main_part() or "xl/workbook.xml"
        workbook = package.xml(main)
        related = {relation.id: relation for relation in package.relations(main)}
        parts = {relation.kind: relation.target for relation in related.values()}
        strings = _shared_strings(package, parts.get("sharedStrings"))
        dates = styles_with_dates(_optional(package, parts.get("styles")))
        formats = CellFormats(dates, _counts_from_1904(workbook))
        reader, limit = _Sheets(package, strings, formats), CellLimit(notes)
        charts = any("/charts/" in name for name, _ in package.files())
        known = words_of([*strings, *(sheet.get("name", "") for sheet in _sheets(workbook))]) if charts else set()
        for number, sheet in enumerate(_sheets(workbook), start=1):
            notes.page_count = number
            relation = related.get(attribute(sheet, "id") or "")
            yield Block("heading", sheet.get("name", ""), level=1, page=number)
            if relation is None or not package.has(relation.target):
                notes.shortfalls.append(f"A sheet is missing in the file: {one_line(clean(sheet.get('name', '')))}.")
                continue
            if relation.kind == "worksheet":
                for block in table_blocks(limit.within(reader.rows(relation.target)), page=number):
                    yield block
                    known.update(words_of([block.text]) if charts else ())
            yield from beside(package, relation.target, number, notes, known)
            yield from (Block("note", text, page=number) for text in reader.margins())


class _Sheets:
    """Reads the rows of sheets."""

    def __init__(self, package: OoxmlPackage, strings: list[str], formats: CellFormats) -> None:
        self._package = package
        self._strings = strings
        self._formats = formats
        self._margins: dict[str, None] = {}

    def margins(self) -> list[str]:
        """Headers, footers and what cells tell whoever fills them in, met since the last call, each once."""
        texts, self._margins = list(self._margins), {}
        return texts

    def rows(self, part: str) -> Iterator[list[str]]:
        """The rows that have content. Columns left empty are kept as empty cells, up to a limit."""
        for row in _stream(self._package.part(part), "row", "headerFooter", "dataValidation"):
            if local_name(row) == "dataValidation":
                self._margins.update(dict.fromkeys(filter(None, (row.get(name) for name in _MESSAGES))))
                continue
            if local_name(row) == "headerFooter":
                texts = (margin_text(node.text or "") for node in row)
                self._margins.update(dict.fromkeys(filter(None, texts)))
                continue
            cells: list[str] = []
            column = 0
            for cell in children(row, "c"):
                column = max(_column(cell.get("r", "")) or column + 1, column + 1)
                cells.extend([""] * min(column - 1 - len(cells), MAX_COLUMN_GAP))
                cells.append(self._text(cell))
            yield cells

    def _text(self, cell: Element) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return _string(child(cell, "is"))
        element = child(cell, "v")
        value = (element.text or "") if element is not None else ""
        if kind == "s":
            return self._strings[int(value)] if value.isdecimal() and int(value) < len(self._strings) else ""
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE" if value else ""
        if kind != "n" or not value:
            return value
        return self._formats.date_text(value, cell.get("s")) or number_text(value)


def _shared_strings(package: OoxmlPackage, part: str | None) -> list[str]:
    if part is None or not package.has(part):
        return []
    return [_string(element) for element in _stream(package.part(part), "si")]


def _string(element: Element | None) -> str:
    """Text of a string with or without runs; furigana (`rPh`) are not part of it."""
    if element is None:
        return ""
    pieces = [node for node in element if local_name(node) in ("t", "r")]
    texts = [node if local_name(node) == "t" else child(node, "t") for node in pieces]
    return "".join(text.text or "" for text in texts if text is not None)


def _stream(content: bytes, *names: str) -> Iterator[Element]:
    """Elements of these local names, each forgotten after use."""
    events = etree.iterparse(
        io.BytesIO(content),
        tag=[f"{{*}}{name}" for name in names],
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
    )
    checked = False
    try:
        for _, element in events:
            if not checked:
                refuse_doctype(element)
                checked = True
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise CannotExtract("corrupt", "The XML of a sheet is damaged.") from error


def _optional(package: OoxmlPackage, part: str | None) -> Element | None:
    return package.xml(part) if part is not None and package.has(part) else None


def _sheets(workbook: Element) -> Iterator[Element]:
    sheets = child(workbook, "sheets")
    return children(sheets, "sheet") if sheets is not None else iter(())


def _counts_from_1904(workbook: Element) -> bool:
    properties = child(workbook, "workbookPr")
    return properties is not None and properties.get("date1904") in ("1", "true")


def _column(reference: str) -> int | None:
    """1 for A, 27 for AA; None for no reference."""
    match = _COLUMN.match(reference)
    if match is None:
        return None
    number = 0
    for letter in match[1]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
