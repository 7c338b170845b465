"""The ZIP package around docx, xlsx and pptx parts, the same bytes every time."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"


def package(parts: Mapping[str, str], content_types: Mapping[str, str], main_part: str) -> bytes:
    """Zip ``parts`` (name to XML without declaration); ``content_types`` names the type of each part that has one.

    Members are stored, not deflated (zlib builds differ in their output), and all carry the date 1980-01-01.
    """
    overrides = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in content_types.items())
    members = {
        "[Content_Types].xml": f'<Types xmlns="{_CONTENT_TYPES}"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>',
        "_rels/.rels": relationships([("officeDocument", main_part)]),
        **parts,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, xml in members.items():
            member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            member.create_system = 3
            archive.writestr(member, DECLARATION + xml)
    return out.getvalue()


def relationships(targets: Sequence[tuple[str, str]]) -> str:
    """A .rels part: (type, target) pairs, numbered rId1, rId2 and so on."""
    lines = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind}" Target={quoteattr(target)}/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_RELATIONSHIPS}">{lines}</Relationships>'


def text(value: str) -> str:
    """``value`` as XML character data."""
    return escape(value)
