"""Pictures and shapes of Office Open XML by what they say of themselves, those in VML among them."""

from __future__ import annotations

from collections.abc import Iterator

from locator_search.adapters.extractors.office.ooxml import Element, local_name
from locator_search.adapters.extractors.pictures import alternative_text

_PROPERTIES = frozenset({"docPr", "cNvPr"})
_VML = "{urn:schemas-microsoft-com:vml}"


def own_text(element: Element) -> str:
    """The text that an element says of its picture or shape; "" where it says nothing, which most elements do."""
    if local_name(element) in _PROPERTIES:
        return alternative_text(element.get("title"), element.get("descr"))
    return alternative_text(element.get("alt")) if str(element.tag).startswith(_VML) else ""


def described(container: Element) -> Iterator[str]:
    """The texts of all pictures and shapes within an element; text boxes are read by themselves."""
    for element in container:
        if local_name(element) != "txbxContent":
            yield own_text(element)
            yield from described(element)
