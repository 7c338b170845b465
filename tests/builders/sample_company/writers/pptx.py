"""Writer of slides: every level 1 heading starts a slide; tables become slide tables."""

from tests.builders.sample_company.markup import Block, Bullet, Heading, PageBreak, Paragraph, Table
from tests.builders.sample_company.writers.package import OFFICE, package, relationships
from tests.builders.sample_company.writers.package import text as xml

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_NAMESPACES = f'xmlns:p="{_P}" xmlns:a="{_A}" xmlns:r="{OFFICE}"'
_TYPE = "application/vnd.openxmlformats-officedocument.presentationml"
_GROUP = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
_WIDTH, _HEIGHT = 9144000, 6858000  # 10 x 7.5 inches in EMU
_COLORS = ("bg1", "tx1", "bg2", "tx2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6")
_COLOR_MAP = " ".join(
    f'{name}="{target}"'
    for name, target in zip(
        (*_COLORS, "hlink", "folHlink"), ("lt1", "dk1", "lt2", "dk2", *_COLORS[4:], "hlink", "folHlink"), strict=True
    )
)


def slides(blocks: list[Block]) -> bytes:
    """A .pptx file of ``blocks``; what stands under a level 1 heading is one slide."""
    pages: list[list[Block]] = []
    for block in blocks:
        if isinstance(block, Heading) and block.level == 1:
            pages.append([])
        pages[-1].append(block)
    names = [f"slides/slide{number}.xml" for number in range(1, len(pages) + 1)]
    parts = {
        "ppt/presentation.xml": _presentation(len(pages)),
        "ppt/_rels/presentation.xml.rels": relationships(
            [("slideMaster", "slideMasters/slideMaster1.xml"), *(("slide", name) for name in names)]
        ),
        "ppt/slideMasters/slideMaster1.xml": _master(),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": relationships(
            [("slideLayout", "../slideLayouts/slideLayout1.xml"), ("theme", "../theme/theme1.xml")]
        ),
        "ppt/slideLayouts/slideLayout1.xml": f"<p:sldLayout {_NAMESPACES}>{_tree('')}</p:sldLayout>",
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": relationships(
            [("slideMaster", "../slideMasters/slideMaster1.xml")]
        ),
        "ppt/theme/theme1.xml": _theme(),
    }
    types = {
        "ppt/presentation.xml": f"{_TYPE}.presentation.main+xml",
        "ppt/slideMasters/slideMaster1.xml": f"{_TYPE}.slideMaster+xml",
        "ppt/slideLayouts/slideLayout1.xml": f"{_TYPE}.slideLayout+xml",
        "ppt/theme/theme1.xml": "application/vnd.openxmlformats-officedocument.theme+xml",
    }
    for name, page in zip(names, pages, strict=True):
        parts[f"ppt/{name}"] = f"<p:sld {_NAMESPACES}>{_tree(_slide(page))}</p:sld>"
        parts[f"ppt/slides/_rels/{name.removeprefix('slides/')}.rels"] = relationships(
            [("slideLayout", "../slideLayouts/slideLayout1.xml")]
        )
        types[f"ppt/{name}"] = f"{_TYPE}.slide+xml"
    return package(parts, types, "ppt/presentation.xml")


def _slide(page: list[Block]) -> str:
    lines: list[str] = []
    frames: list[str] = []
    for block in page[1:]:
        match block:
            case Paragraph(text) | Heading(_, text):
                lines.append(text)
            case Bullet(text):
                lines.append(f"・{text}")
            case Table(rows):
                frames.append(_table(rows))
            case PageBreak():
                pass
    title = page[0].text if isinstance(page[0], Heading) else ""
    shapes = _shape(2, "title", [title], 300000, 900000)
    if lines:
        shapes += _shape(3, "body", lines, 1400000, 3000000 if frames else 4800000)
    return shapes + "".join(frames)


def _shape(number: int, kind: str, lines: list[str], top: int, height: int) -> str:
    paragraphs = "".join(f'<a:p><a:r><a:rPr lang="ja-JP"/><a:t>{xml(line)}</a:t></a:r></a:p>' for line in lines)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{kind}"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}"/></p:nvPr>'
        f'</p:nvSpPr><p:spPr><a:xfrm><a:off x="500000" y="{top}"/><a:ext cx="{_WIDTH - 1000000}" cy="{height}"/>'
        '</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
        f"<p:txBody><a:bodyPr/><a:lstStyle/>{paragraphs}</p:txBody></p:sp>"
    )


def _table(rows: tuple[tuple[str, ...], ...]) -> str:
    width = (_WIDTH - 1000000) // len(rows[0])
    lines = "".join(
        '<a:tr h="370000">'
        + "".join(
            f"<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:t>{xml(cell)}</a:t></a:r></a:p></a:txBody>"
            "<a:tcPr/></a:tc>"
            for cell in row
        )
        + "</a:tr>"
        for row in rows
    )
    grid = f'<a:gridCol w="{width}"/>' * len(rows[0])
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="table"/><p:cNvGraphicFramePr/><p:nvPr/>'
        '</p:nvGraphicFramePr><p:xfrm><a:off x="500000" y="4500000"/>'
        f'<a:ext cx="{_WIDTH - 1000000}" cy="{370000 * len(rows)}"/></p:xfrm><a:graphic><a:graphicData uri="{_A[:-5]}'
        f'/table"><a:tbl><a:tblPr/><a:tblGrid>{grid}</a:tblGrid>{lines}</a:tbl></a:graphicData></a:graphic>'
        "</p:graphicFrame>"
    )


def _tree(shapes: str) -> str:
    return f"<p:cSld><p:spTree>{_GROUP}{shapes}</p:spTree></p:cSld>"


def _presentation(count: int) -> str:
    ids = "".join(f'<p:sldId id="{255 + number}" r:id="rId{number + 1}"/>' for number in range(1, count + 1))
    return (
        f'<p:presentation {_NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/>'
        f'</p:sldMasterIdLst><p:sldIdLst>{ids}</p:sldIdLst><p:sldSz cx="{_WIDTH}" cy="{_HEIGHT}"/>'
        f'<p:notesSz cx="{_HEIGHT}" cy="{_WIDTH}"/></p:presentation>'
    )


def _master() -> str:
    return (
        f"<p:sldMaster {_NAMESPACES}>{_tree('')}<p:clrMap {_COLOR_MAP}/>"
        '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>'
    )


def _theme() -> str:
    names = ("dk1", "lt1", "dk2", "lt2", *_COLORS[4:], "hlink", "folHlink")
    values = ("000000", "FFFFFF", "1F2A44", "EEF1F6", *["2F6DB5"] * 6, "0563C1", "954F72")
    colors = "".join(f'<a:{n}><a:srgbClr val="{v}"/></a:{n}>' for n, v in zip(names, values, strict=True))
    font = '<a:latin typeface="Meiryo"/><a:ea typeface="Meiryo"/><a:cs typeface=""/>'
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>' * 3
    line = '<a:ln w="9525"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln>' * 3
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
    return (
        f'<a:theme xmlns:a="{_A}" name="ひばり計器"><a:themeElements><a:clrScheme name="c">{colors}</a:clrScheme>'
        f'<a:fontScheme name="f"><a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont></a:fontScheme>'
        f'<a:fmtScheme name="s"><a:fillStyleLst>{fill}</a:fillStyleLst><a:lnStyleLst>{line}</a:lnStyleLst>'
        f"<a:effectStyleLst>{effect}</a:effectStyleLst><a:bgFillStyleLst>{fill}</a:bgFillStyleLst></a:fmtScheme>"
        "</a:themeElements></a:theme>"
    )
