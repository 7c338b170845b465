"""ZIP containers written entry by entry, so that they can be as wrong as a test needs."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def zip_file(path: Path, entries: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def content_types(main_part: str, main_type: str) -> str:
    return (
        f'<Types xmlns="{_TYPES}"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/{main_part}" ContentType="{main_type}"/></Types>'
    )


def relations(targets: Mapping[str, str]) -> str:
    """A `.rels` part from relationship kinds (the last word of the type) to targets."""
    entries = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind.partition("#")[0]}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets.items(), start=1)
    )
    return f'<Relationships xmlns="{RELATIONS}">{entries}</Relationships>'
