"""Text beside the cells of a sheet, the shapes of a slide or the body of a document: comments, drawings, charts."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator

from locator_search.adapters.extractors.cleaning import clean, table_blocks
from locator_search.adapters.extractors.limited_zip import DAMAGE
from locator_search.adapters.extractors.office.charts import chart_rows, chart_titles, names_of, new_lines
from locator_search.adapters.extractors.office.described import described
from locator_search.adapters.extractors.office.ooxml import FILES_WITHIN, Element, OoxmlPackage, child
from locator_search.adapters.extractors.outcome import Attached, CannotExtract, Notes
from locator_search.adapters.extractors.pictures import picture_blocks
from locator_search.model import Block

_NAMES = {
    "comments": "comments", "threadedComment": "comments", "drawing": "drawings", "chart": "charts",
    "chartEx": "charts", "diagramData": "diagrams", "chartUserShapes": "charts",
}  # fmt: skip
_CHARTS = frozenset({"chart", "chartEx"})
_COPY_OF_A_THREAD = "tc="
_DEEPEST = 3
_PARAGRAPH = "{http://schemas.openxmlformats.org/drawingml/2006/main}p"


def beside(
    package: OoxmlPackage,
    part: str,
    page: int | None,
    notes: Notes,
    known: Collection[str] | None = None,
    depth: int = 0,
) -> Iterator[Block]:
    """The text that hangs on a part; of charts, where words are `known`, what no cell says. Damage is noted."""
    for relation in package.relations(part):
        if relation.kind in FILES_WITHIN and depth == 0 and package.has(relation.target):  # deeper ones repeat a chart
            content = package.part(relation.target)
            notes.attached.append(Attached(posixpath.basename(relation.target), content, has_picture=True))
        name = _NAMES.get(relation.kind)
        if name is None or depth > _DEEPEST:
            continue
        try:
            yield from part_blocks(package.xml(relation.target), relation.kind, page, known)
            yield from beside(package, relation.target, page, notes, known, depth + 1)
        except (CannotExtract, KeyError, *DAMAGE):
            notes.shortfalls.append(f"The {name} of the document could not be read whole.")


def part_blocks(root: Element, kind: str, page: int | None, known: Collection[str] | None = None) -> Iterator[Block]:
    """The text of one part: of comments as notes, of anything else as paragraphs and tables."""
    if _NAMES[kind] == "comments":
        yield from (Block("note", text, page=page) for text in _comments(root))
        return
    texts = [clean("".join(node.text or "" for node in each.iter("{*}t"))).strip() for each in root.iter(_PARAGRAPH)]
    rows: Iterable[list[str]] = ()
    if kind in _CHARTS and known is None:
        texts += chart_titles(root)
        rows = chart_rows(root)
    elif kind in _CHARTS and known is not None:
        copied = [*chart_titles(root), *names_of(chart_rows(root, own=False))]
        texts, rows = ["\n".join(new_lines(texts, copied, known))], chart_rows(root, own=True)
    yield from (Block("paragraph", text, page=page) for text in texts if text)
    yield from picture_blocks(described(root), page)
    yield from table_blocks(rows, page)


def _comments(root: Element) -> Iterator[str]:
    """Comments and the answers to them, without the copies that older programs show of a thread."""
    authors = [author.text or "" for author in root.iter("{*}author")]
    for comment in root.iter("{*}comment", "{*}threadedComment", "{*}cm", "{*}reply"):
        number = comment.get("authorId", "")
        author = authors[int(number)] if number.isdecimal() and int(number) < len(authors) else ""
        text = clean(_text_of(comment, "t", "text")).strip()
        if text and not author.startswith(_COPY_OF_A_THREAD):
            yield text


def _text_of(element: Element, *names: str) -> str:
    """The text in elements of these names; that of a modern comment without the answers to it."""
    body = child(element, "txBody")
    return "".join(
        node.text or "" for node in (element if body is None else body).iter(*(f"{{*}}{each}" for each in names))
    )
