"""Office Open XML containers: a ZIP whose parts are read through limits, as XML without entities."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from locator_search.adapters.extractors import formats
from locator_search.adapters.extractors.limited_zip import LimitedZip
from locator_search.adapters.extractors.outcome import CannotExtract

Element = etree._Element

_MAIN_CONTENT_TYPES = {
    "wordprocessingml.document.main+xml": formats.DOCX,
    "wordprocessingml.template.main+xml": formats.DOCX,
    "vnd.ms-word.document.macroenabled.main+xml": formats.DOCX,
    "vnd.ms-word.template.macroenabledtemplate.main+xml": formats.DOCX,
    "spreadsheetml.sheet.main+xml": formats.XLSX,
    "spreadsheetml.template.main+xml": formats.XLSX,
    "vnd.ms-excel.sheet.macroenabled.main+xml": formats.XLSX,
    "vnd.ms-excel.template.macroenabled.main+xml": formats.XLSX,
    "vnd.ms-excel.sheet.binary.macroenabled.main": formats.XLSB,
    "presentationml.presentation.main+xml": formats.PPTX,
    "presentationml.slideshow.main+xml": formats.PPTX,
    "presentationml.template.main+xml": formats.PPTX,
    "vnd.ms-powerpoint.presentation.macroenabled.main+xml": formats.PPTX,
    "vnd.ms-powerpoint.slideshow.macroenabled.main+xml": formats.PPTX,
    "vnd.ms-visio.drawing.main+xml": formats.VSDX,
    "vnd.ms-visio.drawing.macroenabled.main+xml": formats.VSDX,
    "vnd.ms-visio.template.main+xml": formats.VSDX,
    "vnd.ms-visio.template.macroenabled.main+xml": formats.VSDX,
    "vnd.ms-visio.stencil.main+xml": formats.VSDX,
    "vnd.ms-visio.stencil.macroenabled.main+xml": formats.VSDX,
}


FILES_WITHIN = frozenset({"package", "oleObject", "aFChunk"})
"""Kinds of relations to files of other programs that lie in the document."""


class Relation(NamedTuple):
    """`kind` is the last word of the relationship type; `target` the full name of a part."""

    id: str
    kind: str
    target: str


class OoxmlPackage(LimitedZip):
    """The parts of one document. Reading also raises CannotExtract for a DOCTYPE, KeyError for a missing part."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._parts = {name.lower(): entry for name, entry in self.files()}

    def has(self, part: str) -> bool:
        """Whether there is such a part; names do not tell upper and lower case apart."""
        return part.lower() in self._parts

    def part(self, name: str) -> bytes:
        """The content of one part."""
        return self.read(self._parts[name.lower()])

    def xml(self, part: str) -> Element:
        """One part as XML."""
        return parse_xml(self.part(part))

    def main_part(self) -> str | None:
        """The name of the part everything else hangs on."""
        return next((relation.target for relation in self.relations("") if relation.kind == "officeDocument"), None)

    def main_content_type(self) -> str | None:
        """The MIME type of the whole file, from the content type of its main part."""
        types = self.xml("[Content_Types].xml")
        declared = (element.get("ContentType", "") for element in types)
        known = (
            _MAIN_CONTENT_TYPES.get(
                name.lower().removeprefix("application/").removeprefix("vnd.openxmlformats-officedocument.")
            )
            for name in declared
        )
        return next(filter(None, known), None)

    def relations(self, part: str) -> Iterator[Relation]:
        """The relations of a part inside the container ("" for the container itself)."""
        folder, name = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", f"{name}.rels")
        if not self.has(rels):
            return
        for element in self.xml(rels):
            if element.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, element.get("Target", "")))
                yield Relation(element.get("Id", ""), element.get("Type", "").rsplit("/", 1)[-1], target.lstrip("/"))


def parse_xml(content: bytes) -> Element:
    """XML without entities, network or excessive depth. Raises CannotExtract for damage or a DOCTYPE."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise CannotExtract("corrupt", f"The XML inside the file is damaged ({_short(error)}).") from error
    refuse_doctype(root)
    return root


def refuse_doctype(root: Element) -> None:
    """Raise CannotExtract for XML with a document type, the door of entity attacks."""
    if root.getroottree().docinfo.internalDTD is not None:
        raise CannotExtract("corrupt", "The XML inside the file declares a document type, which Office files never do.")


def local_name(element: Element) -> str:
    """The tag without its namespace, so that transitional and strict files read alike; "" for comments."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: Element, name: str) -> Iterator[Element]:
    """Direct children of one local name."""
    return (child for child in element if local_name(child) == name)


def child(element: Element, *names: str) -> Element | None:
    """The first descendant along a path of local names."""
    found: Element | None = element
    for name in names:
        found = next(children(found, name), None) if found is not None else None
    return found


def attribute(element: Element, name: str) -> str | None:
    """An attribute by its local name, in whichever namespace the file writes it."""
    plain = element.get(name)
    if plain is not None:
        return plain
    return next((str(value) for key, value in element.items() if str(key).rpartition("}")[2] == name), None)


def chosen_alternative(element: Element) -> Element | None:
    """The one alternative of `mc:AlternateContent` to read: the first choice with text, else the fallback."""
    for choice in children(element, "Choice"):
        if any(local_name(node) == "t" for node in choice.iter()):
            return choice
    return child(element, "Fallback")


def _short(error: etree.XMLSyntaxError) -> str:
    return str(error.msg or "syntax error").split(",")[0].strip()[:80]
