"""Objects that Office files carry: the file inside, put in whole or lying there piecemeal."""

from __future__ import annotations

import struct
from collections.abc import Container, Iterable, Iterator

from olefile import OleFileIO

from locator_search.adapters.extractors.cleaning import shown_name
from locator_search.adapters.extractors.formats import OLE, unsupported_reason
from locator_search.adapters.extractors.legacy_office.compound_file import open_container, read_stream
from locator_search.adapters.extractors.legacy_office.written_container import container_of
from locator_search.adapters.extractors.limits import MAX_ARCHIVE_ENTRIES, MAX_PART_BYTES
from locator_search.adapters.extractors.outcome import Attached, CannotExtract, Notes
from locator_search.model import Block

_PACKED = "\x01ole10native"
_PROGRAMS = frozenset({"worddocument", "workbook", "book", "powerpoint document"})
_CONTENTS, _PDF = "contents", b"%PDF-"
"""Of a PDF, the file; many other programs call a part of their own so."""
_READ_WHOLE = frozenset({"package", "package_stream", "embeddedodf", _PACKED, _CONTENTS})

_Path = tuple[str, ...]


def read(data: bytes, notes: Notes) -> Iterator[Block]:
    """Nothing but what is attached. Raises CannotExtract where the object is that of a program we do not know."""
    attach_objects(open_container(data), notes)
    if not notes.attached:
        raise CannotExtract("unsupported", unsupported_reason(OLE))
    return iter(())


def attach_objects(container: OleFileIO, notes: Notes) -> None:
    """Put the files in a container among the attached ones; note what is damaged and how many are over the limits."""
    paths = [tuple(path) for path in container.listdir()]
    documents = _documents(paths)
    whole = [path for path in paths if path[-1].lower() in _READ_WHOLE and _outermost(path, documents) is None]
    for path in paths:
        if (document := _outermost(path, documents)) is not None:
            documents[document].append(path)
    closed = 0
    for place, inside in {**{path: [path] for path in whole}, **documents}.items():
        size = sum(container.get_size(list(path)) for path in inside)
        if size > min(MAX_PART_BYTES, notes.allowance.bytes) or len(inside) > MAX_ARCHIVE_ENTRIES:
            closed += 1
            continue
        notes.allowance.bytes -= size
        try:
            parts = {path[len(place) :]: read_stream(container, "/".join(path)) for path in inside}
            attached = _whole_file(place[-1].lower(), parts[()]) if () in parts else Attached("", container_of(parts))
        except (struct.error, OSError, ValueError):  # a damaged object must not cost the text around it
            notes.shortfalls.append("An object in the file is damaged and was not read.")
        else:
            notes.attached += [] if attached is None else [attached]
    if closed:
        notes.shortfalls.append(f"Documents embedded in the file were not read: {closed}.")


def _documents(paths: Iterable[_Path]) -> dict[_Path, list[_Path]]:
    """The storages that hold a document of Office piecemeal, without those within such a document."""
    found = dict.fromkeys(path[:-1] for path in paths if path[-1].lower() in _PROGRAMS and len(path) > 1)
    return {storage: [] for storage in found if _outermost(storage, found) is None}


def _outermost(path: _Path, storages: Container[_Path]) -> _Path | None:
    """The first of these storages on the way to a path."""
    return next((path[:length] for length in range(1, len(path)) if path[:length] in storages), None)


def _whole_file(kind: str, content: bytes) -> Attached | None:
    if kind == _PACKED:
        return _packed_file(content)
    if kind == _CONTENTS and _PDF not in content[:1024]:
        return None
    return Attached("", content, has_picture=True)


def _packed_file(stream: bytes) -> Attached | None:
    """A file of any kind, as Windows packs it: label, path, path of a copy, content. None for what other programs keep
    under the same name, which does not begin with a text."""
    label, _, rest = stream[6:].partition(b"\0")
    path, _, rest = rest.partition(b"\0")
    if not label + path or any(byte < ord(" ") for byte in label + path):
        return None
    rest = rest[4:]
    start = 4 + struct.unpack_from("<I", rest)[0]
    size = struct.unpack_from("<I", rest, start)[0]
    return Attached(shown_name(label.decode("cp932", "replace")), rest[start + 4 : start + 4 + size])
