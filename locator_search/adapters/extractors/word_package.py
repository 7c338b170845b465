"""The XML parts of a Word document that hold text, however the file can be opened."""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import docx

from locator_search.adapters.extractors.ooxml import Element, OoxmlPackage, parse_xml, refuse_doctype
from locator_search.adapters.extractors.outcome import CannotExtract

_TEXT_PARTS = frozenset({"styles", "footnotes", "endnotes", "comments", "header", "footer"})


@dataclass(slots=True)
class WordParts:
    """The document and what belongs to it, by kind of relationship: styles, footnotes, comments, header, ..."""

    document: Element
    related: dict[str, list[Element]] = field(default_factory=lambda: defaultdict(list))

    @property
    def styles(self) -> Element | None:
        """The root of the style definitions."""
        return next(iter(self.related["styles"]), None)


def open_word(path: Path) -> WordParts:
    """The parts of a Word document.

    python-docx opens what it can. It reads every part, pictures too, and fails on strict files, templates or one
    damaged picture; then, or when unpacking everything would be too much, the parts are looked up by hand.
    """
    with OoxmlPackage(path) as package:
        if package.within_limits:
            try:
                return _opened_by_python_docx(path)
            except CannotExtract:
                raise
            except Exception:  # python-docx raises anything on files it does not expect
                return _opened_by_hand(package)
        return _opened_by_hand(package)


def _opened_by_python_docx(path: Path) -> WordParts:
    document = docx.Document(str(path)).part
    refuse_doctype(document.element)
    parts = WordParts(document.element)
    for relation in document.rels.values():
        kind = relation.reltype.rsplit("/", 1)[-1]
        if kind in _TEXT_PARTS and not relation.is_external:
            parts.related[kind].append(parse_xml(relation.target_part.blob))
    return parts


def _opened_by_hand(package: OoxmlPackage) -> WordParts:
    main = package.main_part() or "word/document.xml"
    if not package.has(main):
        raise CannotExtract("corrupt", "The Word document has no main part.")
    parts = WordParts(package.xml(main))
    for kind, root in _readable_relations(package, main):
        parts.related[kind].append(root)
    return parts


def _readable_relations(package: OoxmlPackage, main: str) -> Iterator[tuple[str, Element]]:
    """A damaged note or header must not cost the body."""
    for relation in package.relations(main):
        if relation.kind in _TEXT_PARTS and package.has(relation.target):
            try:
                yield relation.kind, package.xml(relation.target)
            except (CannotExtract, zipfile.BadZipFile, EOFError):
                continue
