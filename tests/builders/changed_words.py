"""Another reader of tracked changes: paragraphs before and after, by clause, straight from the XML of a Word document.

It shares nothing with the product: what both say alike was not made up by either.
"""

from __future__ import annotations

import re
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from lxml import etree

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SENTENCE_END = re.compile(r"(?<=[.;:])\s+|(?<=。)")
_GONE, _NEW = {f"{_W}del", f"{_W}moveFrom"}, {f"{_W}ins", f"{_W}moveTo"}


@dataclass
class ChangedParagraph:
    """A paragraph that reads otherwise now: the first word of the heading above it, its sentences that changed."""

    clause: str
    before: list[str]
    after: list[str]


def changed_paragraphs(path: Path) -> Iterator[ChangedParagraph]:
    """The changed paragraphs of a docx in their order, text boxes left out."""
    with zipfile.ZipFile(path) as package:
        levels = _levels(etree.fromstring(package.read("word/styles.xml")))
        document = etree.fromstring(package.read("word/document.xml"))
    clause = ""
    for paragraph in document.iter(f"{_W}p"):
        pieces = list(_pieces(paragraph))
        before, after = ("".join(text for kind, text in pieces if kind != other) for other in ("new", "gone"))
        if _level(paragraph, levels) is not None and after.strip():
            clause = after.split()[0]
        if squeezed(before) != squeezed(after):
            old, new = ([one for one in _SENTENCE_END.split(text) if squeezed(one)] for text in (before, after))
            sides = SequenceMatcher(None, [*map(squeezed, old)], [*map(squeezed, new)], autojunk=False).get_opcodes()
            changed = [side for side in sides if side[0] != "equal"]
            gone = [one for _, start, end, _, _ in changed for one in old[start:end]]
            yield ChangedParagraph(clause, gone, [one for _, _, _, start, end in changed for one in new[start:end]])


def squeezed(text: str) -> str:
    """A text without white space and in one width."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def _pieces(paragraph: etree._Element) -> Iterator[tuple[str, str]]:
    for node in paragraph.iter(f"{_W}t", f"{_W}delText", f"{_W}tab"):
        above = [one.tag for one in node.iterancestors()]
        if f"{_W}txbxContent" in above or f"{_W}pPr" in above:
            continue
        kind = "gone" if _GONE.intersection(above) else "new" if _NEW.intersection(above) else "kept"
        if not (kind == "gone" and _NEW.intersection(above)):  # one put it in, another took it out again
            yield kind, "\t" if node.tag == f"{_W}tab" else node.text or ""


def _level(paragraph: etree._Element, levels: dict[str, int]) -> int | None:
    outline = _value(paragraph, "pPr/outlineLvl")
    level = int(outline) if outline else levels.get(_value(paragraph, "pPr/pStyle"))
    return level if level is not None and level < 9 and not any(paragraph.iterancestors(f"{_W}tc")) else None


def _levels(styles: etree._Element) -> dict[str, int]:
    found: dict[str, int] = {}
    based: dict[str, str] = {}
    for style in styles.iter(f"{_W}style"):
        name = style.get(f"{_W}styleId") or ""
        named = re.match(r"heading (\d)", _value(style, "name").lower())
        if named or _value(style, "pPr/outlineLvl"):
            found[name] = int(named[1]) - 1 if named else int(_value(style, "pPr/outlineLvl"))
        else:
            based[name] = _value(style, "basedOn")
    for _ in range(9):
        found |= {style: found[base] for style, base in based.items() if base in found and style not in found}
    return found


def _value(element: etree._Element, path: str) -> str:
    """The attribute `val` of what stands there, "" without it."""
    there = element.find("/".join(f"{_W}{name}" for name in path.split("/")))
    return "" if there is None else there.get(f"{_W}val") or ""
