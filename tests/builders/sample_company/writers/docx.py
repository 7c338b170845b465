"""Writer of Word documents: headings, tables, page breaks, tracked changes.

Style ids are "1", "2", "3" as Japanese Word writes them; only the style *names* are "heading 1" and so on.
"""

import re

from tests.builders.sample_company.markup import Block, Bullet, Heading, PageBreak, Paragraph, Table
from tests.builders.sample_company.writers.package import package, relationships
from tests.builders.sample_company.writers.package import text as xml

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_TRACKED = re.compile(r"\{\+(.+?)\+\}|\{-(.+?)-\}")
_REVIEW = 'w:id="{0}" w:author="岩﨑 翔" w:date="2026-09-14T10:00:00Z"'
_BORDERS = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>'
    for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)


def word_document(blocks: list[Block]) -> bytes:
    """A .docx file of ``blocks``."""
    body = "".join(_element(block) for block in blocks)
    section = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1985" w:right="1701" w:bottom="1701"'
    section += ' w:left="1701" w:header="851" w:footer="992" w:gutter="0"/></w:sectPr>'
    return package(
        {
            "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>{body}{section}</w:body></w:document>',
            "word/styles.xml": _styles(),
            "word/_rels/document.xml.rels": relationships([("styles", "styles.xml")]),
        },
        {
            "word/document.xml": f"{_TYPE}.document.main+xml",
            "word/styles.xml": f"{_TYPE}.styles+xml",
        },
        "word/document.xml",
    )


def _element(block: Block) -> str:
    match block:
        case Heading(level, text):
            return _paragraph(text, f'<w:pPr><w:pStyle w:val="{level}"/></w:pPr>')
        case Paragraph(text):
            return _paragraph(text)
        case Bullet(text):
            return _paragraph(f"・{text}", '<w:pPr><w:ind w:left="420" w:hanging="210"/></w:pPr>')
        case Table(rows):
            lines = "".join(
                f"<w:tr>{''.join(f'<w:tc><w:tcPr/>{_paragraph(cell)}</w:tc>' for cell in row)}</w:tr>" for row in rows
            )
            grid = "<w:gridCol/>" * len(rows[0])
            properties = f'<w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblBorders>{_BORDERS}</w:tblBorders></w:tblPr>'
            return f"<w:tbl>{properties}<w:tblGrid>{grid}</w:tblGrid>{lines}</w:tbl><w:p/>"
        case PageBreak():
            return '<w:p><w:r><w:br w:type="page"/></w:r><w:r><w:lastRenderedPageBreak/></w:r></w:p>'


def _paragraph(text: str, properties: str = "") -> str:
    runs: list[str] = []
    position = 0
    for number, change in enumerate(_TRACKED.finditer(text), start=1):
        runs.append(_run(text[position : change.start()]))
        inserted, deleted = change.groups()
        if inserted:
            runs.append(f"<w:ins {_REVIEW.format(number)}>{_run(inserted)}</w:ins>")
        else:
            runs.append(f"<w:del {_REVIEW.format(number)}>{_run(deleted, 'delText')}</w:del>")
        position = change.end()
    return f"<w:p>{properties}{''.join(runs)}{_run(text[position:])}</w:p>"


def _run(text: str, tag: str = "t") -> str:
    return f'<w:r><w:{tag} xml:space="preserve">{xml(text)}</w:{tag}></w:r>' if text else ""


def _styles() -> str:
    headings = "".join(
        f'<w:style w:type="paragraph" w:styleId="{level}"><w:name w:val="heading {level}"/><w:basedOn w:val="a"/>'
        f'<w:pPr><w:keepNext/><w:outlineLvl w:val="{level - 1}"/></w:pPr>'
        f'<w:rPr><w:b/><w:sz w:val="{size}"/></w:rPr></w:style>'
        for level, size in ((1, 32), (2, 26), (3, 22))
    )
    normal = '<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:name w:val="Normal"/></w:style>'
    return f'<w:styles xmlns:w="{_W}">{normal}{headings}</w:styles>'
