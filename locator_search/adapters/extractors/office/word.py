"""Word documents: our own walk over the XML in document order.

python-docx's paragraphs leave out tracked insertions, content controls, text boxes and notes (in a 3GPP change
proposal that is most of the text). The walk takes what a reader of the document sees: insertions stay, deletions and
field codes go, furigana do not mix into the text below them, and of alternative contents one is taken. What was
inserted and deleted is kept beside the text as tracked changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from locator_search.adapters.extractors.cleaning import clean, one_line, table_blocks
from locator_search.adapters.extractors.limits import MAX_COLUMN_GAP
from locator_search.adapters.extractors.office.beside import part_blocks
from locator_search.adapters.extractors.office.described import described, own_text
from locator_search.adapters.extractors.office.ooxml import (
    Element,
    attribute,
    child,
    children,
    chosen_alternative,
    local_name,
)
from locator_search.adapters.extractors.office.tracked_changes import (
    kept_text,
    marked,
    resolved,
    whole_text,
    without_marks,
)
from locator_search.adapters.extractors.office.word_numbering import WordNumbering
from locator_search.adapters.extractors.office.word_package import WordParts, open_word
from locator_search.adapters.extractors.office.word_pages import BelievedPages
from locator_search.adapters.extractors.office.word_styles import WordStyles
from locator_search.adapters.extractors.outcome import Notes
from locator_search.adapters.extractors.pictures import picture_blocks
from locator_search.model import Block

_REMOVED = frozenset({"del", "moveFrom", "rt", "pPr", "rPr", "sdtPr", "instrText", "delText"})
_CHANGES: dict[str, Literal["insert", "delete"]] = {
    "ins": "insert", "moveTo": "insert", "del": "delete", "moveFrom": "delete",
}  # fmt: skip
_CHARACTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_ANCHOR = re.compile(r"_heading=(h\.[a-z0-9]+)")
"""The bookmark that Google Docs puts at each heading of what it exports: the id that its links have, too."""
_SENTENCE_ENDS = frozenset(".;:!?")
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Body, then diagrams and charts, foot- and endnotes, comments, headers and footers.

    Page numbers come from the marks Word left when it last laid out the document: an estimate, and None without them,
    or from where they end before the document does.
    """
    parts = open_word(data)
    styles = WordStyles(parts.styles)
    body = child(parts.document, "body")
    if body is None:
        return
    marked = any(local_name(node) == "lastRenderedPageBreak" for node in body.iter())
    walk = _Walk(styles, WordNumbering(parts.numbering, styles), page=1 if marked else None)
    believed = BelievedPages()
    yield from believed.of(_resolved(walk.blocks(body)))
    notes.page_count = None if believed.lost else walk.page
    notes.attached += parts.files
    notes.shortfalls += [f"The {kind} of the document could not be read." for kind in sorted(parts.damaged)]
    for beside in ("diagramData", "chart", "chartEx"):
        for root in parts.related[beside]:
            yield from part_blocks(root, beside, None)
    yield from _notes(parts, styles)


def _notes(parts: WordParts, styles: WordStyles) -> Iterator[Block]:
    said: set[str] = set()  # the same header hangs on several sections
    for kind in ("footnotes", "endnotes", "comments"):
        for root in parts.related[kind]:
            for note in root:
                if attribute(note, "type") not in _SEPARATORS:
                    yield from _as_notes(note, styles)
    for kind in ("header", "footer"):
        for root in parts.related[kind]:
            for block in _as_notes(root, styles):
                if block.text and block.text not in said:
                    said.add(block.text)
                    yield block


def _as_notes(container: Element, styles: WordStyles) -> Iterator[Block]:
    return (replace(block, kind="note", level=0) for block in _resolved(_Walk(styles).blocks(container)))


def _resolved(blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks of a walk with their tracked changes read off."""
    return (block for block in map(resolved, blocks) if block.text or block.changes)


@dataclass(slots=True)
class _Paragraph:
    """The contents of one paragraph; `page` is the page its first character stands on."""

    page: int | None
    pieces: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)

    @property
    def whole(self) -> str:
        """The text with the white space around it."""
        return clean("".join(self.pieces))


class _Walk:
    """Goes through one story (body, note, header), keeping count of the page when there are marks to count.

    The texts of its blocks hold the marks of `tracked_changes`.
    """

    def __init__(self, styles: WordStyles, numbering: WordNumbering | None = None, page: int | None = None) -> None:
        self._styles = styles
        self._numbering = numbering
        self.page = page
        self._in_table: list[Block] = []

    def blocks(self, container: Element) -> Iterator[Block]:
        """Blocks of everything a container holds, in document order."""
        carried = ""  # text of a paragraph whose end mark was deleted: it runs on into the next one
        for element in _content(container):
            name = local_name(element)
            if name == "tbl":
                yield from self._table(element)
            elif name == "p":
                paragraph = self._paragraph(element)
                properties = child(element, "pPr")
                whole = _run_on(carried, paragraph.whole)
                text, carried = whole.strip(), ""
                kept, mark = kept_text(text), _deleted_mark(properties)
                number = self._numbering.label(properties) if self._numbering is not None and mark is None else ""
                if kept and mark is not None:
                    carried = whole + _marked_by(mark, "delete", "\n")
                elif text:
                    kind, level = self._styles.kind_and_level(properties, kept or whole_text(text))
                    text = number + text if kept else text
                    anchor = _anchor(element) if level else ""
                    yield Block(kind, one_line(text) if level else text, level, paragraph.page, anchor=anchor)
                yield from picture_blocks(map(without_marks, paragraph.pictures), paragraph.page)
                for box in paragraph.boxes:
                    yield from self.blocks(box)
        if carried:
            yield Block("paragraph", carried.strip(), page=self.page)

    def _paragraph(self, element: Element) -> _Paragraph:
        paragraph = _Paragraph(self.page)
        self._gather(element, paragraph)
        return paragraph

    def _gather(self, element: Element, paragraph: _Paragraph) -> None:
        for node in element:
            name = local_name(node)
            if name == "t":
                paragraph.pieces.append(without_marks(node.text or ""))
            elif name in _CHANGES:
                self._gather_change(node, paragraph)
            elif name == "txbxContent":
                paragraph.boxes.append(node)
            elif name == "lastRenderedPageBreak":
                self._turn_page(paragraph)
            elif name in _CHARACTERS:
                paragraph.pieces.append(_CHARACTERS[name])
            elif name == "sym":
                paragraph.pieces.append(_symbol(node))
            elif name == "textpath":  # lettering as a picture, watermarks above all
                paragraph.pieces.append(f" {without_marks(attribute(node, 'string') or '')} ")
            elif name == "AlternateContent":
                chosen = chosen_alternative(node)
                if chosen is not None:
                    self._gather(chosen, paragraph)
                paragraph.pictures += [text for other in node if other is not chosen for text in described(other)]
            elif name not in _REMOVED:
                paragraph.pictures.append(own_text(node))
                self._gather(node, paragraph)

    def _gather_change(self, change: Element, paragraph: _Paragraph) -> None:
        """Gather an insertion like any content, a deletion as plain text. Text that one person inserted and another
        deleted was never part of the document and is left out."""
        kind = _CHANGES[local_name(change)]
        start = len(paragraph.pieces)
        if kind == "insert":
            self._gather(change, paragraph)
            inside = kept_text("".join(paragraph.pieces[start:]))
        else:
            inside = "".join(_deleted_texts(change))
        paragraph.pieces[start:] = [_marked_by(change, kind, clean(inside))]

    def _turn_page(self, paragraph: _Paragraph) -> None:
        if self.page is None:
            return
        self.page += 1
        if not paragraph.whole.strip():
            paragraph.page = self.page

    def _table(self, table: Element) -> Iterator[Block]:
        rows = [row for row in _content(table) if local_name(row) == "tr"]
        if len(rows) == 1 and len(cells := _cells(rows[0])) == 1:  # a frame around text, not a table
            yield from self.blocks(cells[0])
            return
        page, lines = self.page, list[list[str]]()
        for row in rows:
            if self.page != page:
                yield from table_blocks(lines, page)
                yield from self._pictures_of_table()
                page, lines = self.page, []
            before = len(self._in_table)
            texts = self._row(_cells(row))
            deleted = child(row, "trPr", "del")
            lines.append(texts if deleted is None else [_deleted_row(texts, deleted)])
            if deleted is not None:
                del self._in_table[before:]
        yield from table_blocks(lines, page)
        yield from self._pictures_of_table()

    def _pictures_of_table(self) -> list[Block]:
        """The texts of the pictures in the cells of the last rows. Cells lie side by side, pages follow each other."""
        blocks, self._in_table = sorted(self._in_table, key=lambda block: block.page or 0), []
        return blocks

    def _row(self, cells: list[Element]) -> list[str]:
        """The texts of a row. Cells lie side by side, so the row ends on the page of its longest cell."""
        start = end = self.page
        texts: list[str] = []
        for cell in cells:
            self.page = start
            blocks = [] if _continues_above(cell) else list(self.blocks(cell))
            texts.append(" ".join(block.text for block in blocks if block.kind != "picture"))
            self._in_table += [block for block in blocks if block.kind == "picture"]
            texts.extend([""] * (_span(cell) - 1))
            if self.page is not None and end is not None:
                end = max(end, self.page)
        self.page = end
        return texts


def _content(container: Element) -> Iterator[Element]:
    """Paragraphs, tables, rows or cells of a container, looking through content controls, insertions and the like."""
    for element in container:
        name = local_name(element)
        if name in ("p", "tbl", "tr", "tc"):
            yield element
        elif name == "AlternateContent":
            chosen = chosen_alternative(element)
            if chosen is not None:
                yield from _content(chosen)
        elif name not in _REMOVED and name not in ("tblPr", "trPr", "tcPr", "sectPr"):
            yield from _content(element)


def _cells(row: Element) -> list[Element]:
    return [cell for cell in _content(row) if local_name(cell) == "tc" and child(cell, "tcPr", "cellDel") is None]


def _deleted_row(texts: list[str], change: Element) -> str:
    whole = " | ".join(one_line(whole_text(text)) for text in texts if whole_text(text).strip())
    return _marked_by(change, "delete", whole)


def _marked_by(change: Element, kind: Literal["insert", "delete"], text: str) -> str:
    return marked(kind, text, attribute(change, "author") or "", attribute(change, "date") or "")


def _deleted_texts(change: Element) -> Iterator[str]:
    for node in change.iter():
        name = local_name(node)
        if name in ("delText", "t") and not _lies_in_insertion(node, change):
            yield without_marks(node.text or "")
        elif name in _CHARACTERS:
            yield _CHARACTERS[name]


def _lies_in_insertion(node: Element, change: Element) -> bool:
    above = node.getparent()
    while above is not None and above is not change:
        if _CHANGES.get(local_name(above)) == "insert":
            return True
        above = above.getparent()
    return False


def _span(cell: Element) -> int:
    span = child(cell, "tcPr", "gridSpan")
    value = (attribute(span, "val") or "") if span is not None else ""
    return min(max(int(value), 1), MAX_COLUMN_GAP) if value.isdecimal() else 1


def _continues_above(cell: Element) -> bool:
    merge = child(cell, "tcPr", "vMerge")
    return merge is not None and attribute(merge, "val") in (None, "continue")


def _run_on(carried: str, whole: str) -> str:
    """A paragraph behind the one whose end was deleted. Word puts nothing between them; where a sentence ends there,
    the next one would not be told apart without a space."""
    ends, begins = kept_text(carried)[-1:], kept_text(whole)[:1]
    return f"{carried} {whole}" if ends in _SENTENCE_ENDS and begins.isalpha() and begins.isascii() else carried + whole


def _deleted_mark(properties: Element | None) -> Element | None:
    """The sign that the end of a paragraph was deleted, so that the next one goes on with it."""
    marks = child(properties, "rPr") if properties is not None else None
    return (
        next((one for name in ("del", "moveFrom") for one in children(marks, name)), None)
        if marks is not None
        else None
    )


def _symbol(node: Element) -> str:
    """A character of a symbol font; those of the private area mean nothing outside their font."""
    try:
        code = int(attribute(node, "char") or "", 16)
    except ValueError:
        return ""
    return "" if 0xE000 <= code <= 0xF8FF or not 0x20 <= code <= 0x10FFFF else chr(code)


def _anchor(heading: Element) -> str:
    """The id of a heading in Google Docs, "" where it comes from elsewhere."""
    names = (attribute(node, "name") or "" for node in heading.iter() if local_name(node) == "bookmarkStart")
    return next((found[1] for name in names if (found := _ANCHOR.fullmatch(name))), "")
