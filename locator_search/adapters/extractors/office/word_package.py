"""The XML parts of a Word document that hold text, however the file can be opened."""

from __future__ import annotations

import io
import posixpath
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import docx
from docx.opc.part import Part

from locator_search.adapters.extractors.limited_zip import DAMAGE
from locator_search.adapters.extractors.office.ooxml import (
    FILES_WITHIN,
    Element,
    OoxmlPackage,
    parse_xml,
    refuse_doctype,
)
from locator_search.adapters.extractors.outcome import Attached, CannotExtract

_TEXT_PARTS = frozenset(
    {"styles", "numbering", "footnotes", "endnotes", "comments", "header", "footer", "chart", "chartEx", "diagramData"}
)


@dataclass(slots=True)
class WordParts:
    """The document and what belongs to it, by kind of relationship: styles, footnotes, comments, header, ...

    `damaged` names the kinds of which a part could not be read: a damaged note must not cost the body.
    """

    document: Element
    related: dict[str, list[Element]] = field(default_factory=lambda: defaultdict(list))
    damaged: set[str] = field(default_factory=set)
    files: list[Attached] = field(default_factory=list)

    @property
    def styles(self) -> Element | None:
        """The root of the style definitions."""
        return next(iter(self.related["styles"]), None)

    @property
    def numbering(self) -> Element | None:
        """The root of the definitions of lists."""
        return next(iter(self.related["numbering"]), None)

    def add(self, kind: str, name: str, load: Callable[[], bytes]) -> None:
        """Take in a part if it holds text, styles or lists, or a whole file."""
        try:
            if kind in _TEXT_PARTS:
                self.related[kind].append(parse_xml(load()))
            elif kind in FILES_WITHIN:
                self.files.append(
                    Attached("" if kind == "aFChunk" else posixpath.basename(name), load(), has_picture=True)
                )
        except (CannotExtract, *DAMAGE):
            self.damaged.add(kind)


def open_word(data: bytes) -> WordParts:
    """The parts of a Word document.

    python-docx opens what it can. It reads every part, pictures too, and fails on strict files, templates or one
    damaged picture; then, or when unpacking everything would be too much, the parts are looked up by hand.
    """
    with OoxmlPackage(data) as package:
        if package.within_limits:
            try:
                return _opened_by_python_docx(data)
            except CannotExtract:
                raise
            except Exception:  # python-docx raises anything on files it does not expect
                return _opened_by_hand(package)
        return _opened_by_hand(package)


def _opened_by_python_docx(data: bytes) -> WordParts:
    document = docx.Document(io.BytesIO(data)).part
    refuse_doctype(document.element)
    parts = WordParts(document.element)
    for relation in document.rels.values():
        if not relation.is_external:
            parts.add(
                relation.reltype.rsplit("/", 1)[-1],
                relation.target_part.partname,
                partial(_content, relation.target_part),
            )
    return parts


def _content(part: Part) -> bytes:
    return bytes(part.blob)


def _opened_by_hand(package: OoxmlPackage) -> WordParts:
    main = package.main_part() or "word/document.xml"
    if not package.has(main):
        raise CannotExtract("corrupt", "The Word document has no main part.")
    parts = WordParts(package.xml(main))
    for relation in package.relations(main):
        if package.has(relation.target):
            parts.add(relation.kind, relation.target, partial(package.part, relation.target))
    return parts
