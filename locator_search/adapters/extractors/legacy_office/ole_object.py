"""Objects that Office files carry: the file inside, where the object is one that was put in whole."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from olefile import OleFileIO

from locator_search.adapters.extractors.cleaning import shown_name
from locator_search.adapters.extractors.formats import OLE, unsupported_reason
from locator_search.adapters.extractors.legacy_office.compound_file import open_container, read_stream
from locator_search.adapters.extractors.outcome import Attached, CannotExtract, Notes
from locator_search.model import Block

_WHOLE_FILES = frozenset({"package", "package_stream", "embeddedodf"})
_PACKED = "\x01ole10native"
_PROGRAMS = frozenset({"worddocument", "workbook", "book", "powerpoint document"})


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Nothing but what is attached. Raises CannotExtract where the object is that of a program we do not know."""
    attach_objects(open_container(data), notes)
    if not notes.attached:
        raise CannotExtract("unsupported", unsupported_reason(OLE))
    return iter(())


def attach_objects(container: OleFileIO, notes: Notes) -> None:
    """Put the files in a container among the attached ones; note how many documents cannot be taken out."""
    closed = 0
    for path in container.listdir():
        kind = path[-1].lower()
        if kind in _WHOLE_FILES:
            notes.attached.append(Attached("", read_stream(container, "/".join(path)), has_picture=True))
        elif kind == _PACKED:
            try:
                notes.attached.append(_packed_file(read_stream(container, "/".join(path))))
            except struct.error:  # a damaged object must not cost the text around it
                notes.shortfalls.append("An object in the file is damaged and was not read.")
        elif kind in _PROGRAMS and len(path) > 1:
            closed += 1
    if closed:
        notes.shortfalls.append(f"Documents embedded in the file were not read: {closed}.")


def _packed_file(stream: bytes) -> Attached:
    """A file of any kind, as Windows packs it: label, path, path of a copy, content."""
    label, _, rest = stream[6:].partition(b"\0")
    rest = rest.partition(b"\0")[2][4:]
    start = 4 + struct.unpack_from("<I", rest)[0]
    size = struct.unpack_from("<I", rest, start)[0]
    return Attached(shown_name(label.decode("cp932", "replace")), rest[start + 4 : start + 4 + size])
