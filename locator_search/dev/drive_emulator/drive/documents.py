"""Google Docs: text kept as Markdown or as a Word file, exported as Markdown, plain text, HTML or Word."""

from __future__ import annotations

import hashlib
import html
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph

_BOM = "\ufeff"
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*)")
_TABLE_RULE = re.compile(r"\|?[\s:|-]*-[\s:|-]*\|?")


@dataclass(frozen=True)
class Block:
    """A heading (`level` 1-6), a list item, a paragraph, or a row of a table (cells parted by tabs)."""

    kind: str  # "heading", "item", "paragraph" or "row"
    text: str
    level: int = 0


def blocks_of(content: bytes, source_format: str) -> list[Block]:
    """The blocks of a stored document, `source_format` md or docx."""
    return list(_from_word(content) if source_format == "docx" else _from_markdown(content.decode("utf-8", "replace")))


def _from_markdown(text: str) -> Iterator[Block]:
    for line in text.lstrip(_BOM).splitlines():
        if not line.strip() or (line.lstrip().startswith("|") and _TABLE_RULE.fullmatch(line.strip())):
            continue
        if heading := _HEADING.fullmatch(line.rstrip()):
            yield Block("heading", heading[2], len(heading[1]))
        elif line.lstrip().startswith("|"):
            yield Block("row", "\t".join(cell.strip() for cell in line.strip().strip("|").split("|")))
        elif item := _LIST_ITEM.fullmatch(line.rstrip()):
            yield Block("item", item[1])
        else:
            yield Block("paragraph", line.strip())


def _from_word(content: bytes) -> Iterator[Block]:
    from docx import Document
    from docx.table import Table

    for part in Document(io.BytesIO(content)).iter_inner_content():
        if isinstance(part, Table):
            yield from (Block("row", "\t".join(cell.text for cell in row.cells)) for row in part.rows)
        elif part.text.strip():
            style = part.style.name if part.style else ""
            if style.startswith("Heading ") and style[-1].isdigit():
                yield Block("heading", part.text, min(int(style[-1]), 6))
            else:
                yield Block("item" if style.startswith("List") else "paragraph", part.text)


def as_plain_text(blocks: list[Block]) -> bytes:
    """As Drive writes it: UTF-8 with a byte order mark and CRLF."""
    lines = [f"* {block.text}" if block.kind == "item" else block.text for block in blocks]
    return (_BOM + "\r\n".join(lines)).encode()


def as_markdown(blocks: list[Block]) -> bytes:
    """Markdown with headings, lists and tables."""
    parts = []
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        together = list(group)
        if kind == "row":
            parts.append(_markdown_table([block.text.split("\t") for block in together]))
        elif kind == "item":
            parts.append("\n".join(f"- {block.text}" for block in together))
        else:
            parts += [f"{'#' * block.level} {block.text}".lstrip() for block in together]
    return ("\n\n".join(parts) + "\n").encode()


def _markdown_table(rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def as_html(blocks: list[Block]) -> bytes:
    """A page of headings, paragraphs, lists and tables."""
    wraps = {"row": "table", "item": "ul"}
    body = []
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        inside = "".join(_html_block(block) for block in group)
        body.append(f"<{wraps[kind]}>{inside}</{wraps[kind]}>" if kind in wraps else inside)
    return f'<html><head><meta charset="utf-8"></head><body>{"".join(body)}</body></html>'.encode()


def _html_block(block: Block) -> str:
    if block.kind == "row":
        return "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in block.text.split("\t")) + "</tr>"
    tag = {"heading": f"h{block.level}", "item": "li"}.get(block.kind, "p")
    return f"<{tag}>{html.escape(block.text)}</{tag}>"


def as_word(blocks: list[Block]) -> bytes:
    """A Word file with heading styles, lists and tables. At each heading stands the bookmark that Google Docs puts
    there; a link to the heading has the same name."""
    from docx import Document

    document, ids = Document(), count()
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        together = list(group)
        if kind == "row":
            _add_table(document, [block.text.split("\t") for block in together])
            continue
        for block in together:
            if kind == "heading":
                _add_bookmark(document.add_heading(block.text, block.level), next(ids), block.text)
            else:
                document.add_paragraph(block.text, "List Bullet" if kind == "item" else None)
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def _add_bookmark(heading: Paragraph, number: int, text: str) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    name = f"_heading=h.{hashlib.sha256(f'{number} {text}'.encode()).hexdigest()[:12]}"
    heading._p.append(OxmlElement("w:bookmarkStart", {qn("w:id"): str(number), qn("w:name"): name}))
    heading._p.append(OxmlElement("w:bookmarkEnd", {qn("w:id"): str(number)}))


def _add_table(document: Document, rows: list[list[str]]) -> None:
    table = document.add_table(len(rows), max(map(len, rows)))
    for row, cells in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, cells, strict=False):
            cell.text = text
