"""Text beside the cells of a sheet, the shapes of a slide or the body of a document: comments, drawings, charts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from locator_search.adapters.extractors.cleaning import clean, table_blocks
from locator_search.adapters.extractors.limited_zip import DAMAGE
from locator_search.adapters.extractors.office.ooxml import Element, OoxmlPackage, local_name
from locator_search.adapters.extractors.outcome import CannotExtract, Notes
from locator_search.model import Block

_NAMES = {
    "comments": "comments", "threadedComment": "comments", "drawing": "drawings", "chart": "charts",
    "chartEx": "charts", "diagramData": "diagrams", "chartUserShapes": "charts",
}  # fmt: skip
_COPY_OF_A_THREAD = "[Threaded comment]"
_DEEPEST = 3


def beside(
    package: OoxmlPackage, part: str, page: int | None, notes: Notes, *, charts: bool, depth: int = 0
) -> Iterator[Block]:
    """The text that hangs on a part; charts where they are asked for. What is damaged is noted."""
    for relation in package.relations(part):
        name = _NAMES.get(relation.kind)
        if name is None or depth > _DEEPEST or (name == "charts" and not charts):
            continue
        try:
            yield from part_blocks(package.xml(relation.target), relation.kind, page)
            yield from beside(package, relation.target, page, notes, charts=charts, depth=depth + 1)
        except (CannotExtract, KeyError, *DAMAGE):
            notes.shortfalls.append(f"The {name} of the document could not be read whole.")


def part_blocks(root: Element, kind: str, page: int | None) -> Iterator[Block]:
    """The text of one part: of comments as notes, of anything else as paragraphs and tables."""
    if _NAMES[kind] == "comments":
        for comment in root.iter("{*}comment", "{*}threadedComment", "{*}cm"):
            text = clean("".join(node.text or "" for node in comment.iter("{*}t", "{*}text"))).strip()
            if text and not text.startswith(_COPY_OF_A_THREAD):
                yield Block("note", text, page=page)
        return
    for paragraph in root.iter("{http://schemas.openxmlformats.org/drawingml/2006/main}p"):
        text = clean("".join(node.text or "" for node in paragraph.iter("{*}t"))).strip()
        if text:
            yield Block("paragraph", text, page=page)
    for chart in root.iter("{*}plotArea"):
        yield from table_blocks(_rows(chart), page)


def _rows(chart: Element) -> Iterator[list[str]]:
    """A row for each category: its name, then its value in each series."""
    series = list(chart.iter("{*}ser"))
    names = [" ".join(_points(each, "tx")) for each in series]
    categories: list[str] = next(filter(None, (_points(each, "cat", "xVal") for each in series)), [])
    columns = [_points(each, "val", "yVal") for each in series]
    yield ["", *names]
    for row in zip_longest(categories, *columns, fillvalue=""):
        yield list(row)


def _points(series: Element, *names: str) -> list[str]:
    found = (part for part in series if local_name(part) in names)
    return [node.text or "" for part in found for node in part.iter("{*}v")]
