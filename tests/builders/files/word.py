"""Word documents from hand-written XML: what python-docx cannot write is what its readers miss."""

from __future__ import annotations

from pathlib import Path

from tests.builders.files.containers import content_types, relations, zip_file

MAIN_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_TRANSITIONAL = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_OTHERS = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
# Ids of styles are localised and say nothing; names do. "4" inherits its level from "2" through "3".
STYLES = """
<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="3"><w:name w:val="社内見出し"/><w:basedOn w:val="2"/></w:style>
<w:style w:type="paragraph" w:styleId="4"><w:name w:val="社内見出し赤"/><w:basedOn w:val="3"/></w:style>
<w:style w:type="paragraph" w:styleId="a9"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1Look"><w:name w:val="Looks like a heading"/></w:style>
"""
WORD_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
PAGE_MARK = "<w:r><w:lastRenderedPageBreak/></w:r>"


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def picture(description: str, title: str = "") -> str:
    """A run with a picture, as Word writes it: its properties stand there twice."""
    said = f'descr="{description}" title="{title}" name="Picture 3"'
    return (
        f'<w:r><w:drawing><wp:inline xmlns:wp="{WORD_DRAWING}"><wp:docPr {said}/><a:graphic xmlns:a="{_DRAWING}">'
        f'<pic:pic xmlns:pic="x"><pic:nvPicPr><pic:cNvPr {said}/></pic:nvPicPr></pic:pic></a:graphic></wp:inline>'
        "</w:drawing></w:r>"
    )


def paragraph(text: str = "", style: str = "", inside: str = "") -> str:
    """A paragraph of `text`, then of runs given as XML in `inside`."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{run(text) if text else ''}{inside}</w:p>"


def numbered(text: str, list_id: int, level: int = 0, style: str = "") -> str:
    """A paragraph in a list of `numbering.xml`."""
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    place = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'
    return f"<w:p><w:pPr>{styled}{place}</w:pPr>{run(text)}</w:p>"


def table(*rows: list[str]) -> str:
    """Cells are texts or, when they begin with `<`, the XML inside `w:tc`."""
    written = "".join("<w:tr>" + "".join(_cell(cell) for cell in row) + "</w:tr>" for row in rows)
    return f"<w:tbl>{written}</w:tbl>"


def _cell(content: str) -> str:
    return f"<w:tc>{content if content.startswith('<') else paragraph(content)}</w:tc>"


def word(path: Path, body: str, *, namespace: str = _TRANSITIONAL, prolog: str = "", **parts: str) -> Path:
    """A document with `body`; `parts` maps kinds (`footnotes`, `header`, ...) to the XML inside their root."""
    roots = {"header": "hdr", "footer": "ftr"}

    def part(root: str, inside: str) -> str:
        return f'<w:{root} xmlns:w="{namespace}" {_OTHERS}>{inside}</w:{root}>'

    entries = {
        "[Content_Types].xml": content_types("word/document.xml", MAIN_TYPE),
        "_rels/.rels": relations({"officeDocument": "word/document.xml"}),
        "word/document.xml": prolog + part("document", f"<w:body>{body}</w:body>"),
        "word/styles.xml": part("styles", parts.pop("styles", STYLES)),
        "word/_rels/document.xml.rels": relations(
            {"styles": "styles.xml"} | {kind: f"{kind.partition('#')[0]}.xml" for kind in parts}
        ),
    }
    for kind, inside in parts.items():
        entries[f"word/{kind}.xml"] = part(roots.get(kind, kind), inside)
    return zip_file(path, entries)
