"""Office files with text in every corner that the formats have, a file per corner: what `readings.py` reads."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import docx
import xlsxwriter  # type: ignore[import-untyped]  # comes with python-pptx
from openpyxl import Workbook
from openpyxl.chart import BarChart, PieChart, Reference, ScatterChart, Series
from openpyxl.comments import Comment
from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches

from benchmarks.samples import Samples, Texts
from tests.builders.files.containers import OFFICE, zip_file
from tests.builders.files.word import paragraph, run, table, word

_SCHEMAS = "http://schemas.openxmlformats.org"
_A = f'xmlns:a="{_SCHEMAS}/drawingml/2006/main"'
_BOX = (
    '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>'
    f'<wp:anchor xmlns:wp="{_SCHEMAS}/drawingml/2006/wordprocessingDrawing" simplePos="0" relativeHeight="2" '
    'behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>'
    '<wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH>'
    '<wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV>'
    '<wp:extent cx="3000000" cy="900000"/><wp:wrapNone/><wp:docPr id="7" name="box"/>'
    f'<a:graphic {_A}><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp>'
    '<wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="900000"/></a:xfrm>'
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx><w:txbxContent>{0}</w:txbxContent></wps:txbx>'
    "<wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict>"
    '<v:shape style="width:200pt;height:50pt"><v:textbox><w:txbxContent>{0}</w:txbxContent></v:textbox></v:shape>'
    "</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)


def _word_box(path: Path, said: Texts) -> None:
    word(path, paragraph(said()) + paragraph("", inside=_BOX.format(paragraph(said()) + table([said(), said()]))))


def _word_notes(path: Path, said: Texts) -> None:
    body = paragraph(
        said(), inside='<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:endnoteReference w:id="3"/></w:r>'
    )
    word(
        path, body,
        footnotes=f'<w:footnote w:id="2">{paragraph(said())}</w:footnote>',
        endnotes=f'<w:endnote w:id="3">{paragraph(said())}</w:endnote>',
    )  # fmt: skip


def _word_comments(path: Path, said: Texts) -> None:
    made = docx.Document()
    for _ in range(2):
        line = made.add_paragraph(said())
        made.add_comment(line.runs, text=said(), author="鈴木")
    made.save(str(path))


def _word_margins(path: Path, said: Texts) -> None:
    made = docx.Document()
    made.add_paragraph(said())
    made.sections[0].header.paragraphs[0].text = said()
    made.sections[0].footer.add_table(1, 2, Inches(4)).cell(0, 1).text = said()
    made.sections[0].different_first_page_header_footer = True
    made.sections[0].first_page_header.paragraphs[0].text = said()
    made.save(str(path))


def _word_tables(path: Path, said: Texts) -> None:
    made = docx.Document()
    outer = made.add_table(2, 2)
    outer.cell(0, 0).text, outer.cell(1, 0).text = said(), said()
    outer.cell(0, 1).add_table(1, 2).cell(0, 1).text = said()
    outer.cell(1, 0).merge(outer.cell(1, 1))
    made.save(str(path))


def _word_controls(path: Path, said: Texts) -> None:
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{paragraph(said())}</w:sdtContent></w:sdt>"
    inserted = f'<w:ins w:id="1" w:author="a">{run(said())}</w:ins>'
    word(path, control + paragraph(said(), inside=inserted) + f"<w:customXml>{paragraph(said())}</w:customXml>")


def _word_chart(path: Path, said: Texts) -> None:
    _slides_with_chart(path.with_suffix(".tmp"), said)
    with zipfile.ZipFile(path.with_suffix(".tmp")) as show:
        chart = show.read(next(name for name in show.namelist() if name.startswith("ppt/charts/chart")))
    path.with_suffix(".tmp").unlink()
    frame = (
        f'<w:r><w:drawing><wp:inline xmlns:wp="{_SCHEMAS}/drawingml/2006/wordprocessingDrawing">'
        f'<wp:extent cx="4000000" cy="2000000"/><wp:docPr id="9" name="chart"/><a:graphic {_A}>'
        f'<a:graphicData uri="{_SCHEMAS}/drawingml/2006/chart"><c:chart xmlns:c="{_SCHEMAS}/drawingml/2006/chart" '
        f'xmlns:r="{OFFICE}" r:id="c1"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )
    word(path, paragraph(said()) + paragraph("", inside=frame))
    _add_part(path, "word/document.xml", "c1", "chart", "word/charts/chart1.xml", chart,
              "application/vnd.openxmlformats-officedocument.drawingml.chart+xml")  # fmt: skip


def _word_embedded(path: Path, said: Texts) -> None:
    """A workbook that lies in the document, and a page that is taken in when the document is opened."""
    word(path, paragraph(said()) + '<w:altChunk r:id="h1" xmlns:r="' + OFFICE + '"/>')
    page = f"<html><body><p>{said()}</p></body></html>".encode()
    _add_part(path, "word/document.xml", "h1", "aFChunk", "word/page.html", page, "text/html")


def _embedded_workbook(path: Path, said: Texts) -> None:
    word(path, paragraph(said()))
    made, content = Workbook(), BytesIO()
    made.worksheets[0].append([said()])
    made.save(content)
    _add_part(path, "word/document.xml", "e1", "package", "word/embeddings/book.xlsx", content.getvalue(),
              "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")  # fmt: skip


def _diagram(path: Path, said: Texts) -> None:
    word(path, paragraph(said()))
    points = "".join(
        f'<dgm:pt modelId="{number}"><dgm:t><a:p><a:r><a:t>{said()}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for number in (1, 2)
    )
    spaces = f'xmlns:dgm="{_SCHEMAS}/drawingml/2006/diagram" {_A}'
    data = f"<dgm:dataModel {spaces}><dgm:ptLst>{points}</dgm:ptLst></dgm:dataModel>"
    _add_part(path, "word/document.xml", "d1", "diagramData", "word/diagrams/data1.xml", data.encode(),
              "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml")  # fmt: skip


def _add_part(path: Path, owner: str, relation: str, kind: str, part: str, content: bytes, content_type: str) -> None:
    with zipfile.ZipFile(path) as whole:
        entries = {name: whole.read(name) for name in whole.namelist()}
    folder, _, name = owner.rpartition("/")
    rels = f"{folder}/_rels/{name}.rels"
    line = f'<Relationship Id="{relation}" Type="{OFFICE}/{kind}" Target="/{part}"/></Relationships>'
    entries[rels] = entries[rels].replace(b"</Relationships>", line.encode())
    override = f'<Override PartName="/{part}" ContentType="{content_type}"/></Types>'
    entries["[Content_Types].xml"] = entries["[Content_Types].xml"].replace(b"</Types>", override.encode())
    zip_file(path, {**entries, part: content})


def _sheets(path: Path, said: Texts) -> None:
    made = Workbook()
    made.worksheets[0].append([said(), 12.5, said()])
    hidden = made.create_sheet("隠し")
    hidden.sheet_state = "hidden"
    hidden["C7"] = said()
    made.save(path)


def _sheet_comments(path: Path, said: Texts) -> None:
    made = Workbook()
    sheet = made.worksheets[0]
    for row in (1, 2):
        sheet.append([said()])
        sheet.cell(row, 1).comment = Comment(said(), "鈴木")
    sheet.oddHeader.center.text, sheet.oddFooter.left.text = said(), said()  # type: ignore[union-attr]
    made.save(path)


def _sheet_boxes(path: Path, said: Texts) -> None:
    made = xlsxwriter.Workbook(str(path))
    sheet = made.add_worksheet("図形")
    sheet.write(0, 0, said())
    sheet.insert_textbox("C3", said())
    sheet.insert_textbox("C9", f"{said()}\n{said()}")
    made.close()


def _sheet_charts(path: Path, said: Texts) -> None:
    made = xlsxwriter.Workbook(str(path))
    sheet = made.add_worksheet("数")
    for row in range(3):
        sheet.write_row(row, 0, [said(), row + 1.5])
    for place, kind in (("D2", "column"), ("D20", "line"), ("D40", "bar")):
        chart = made.add_chart({"type": kind})
        chart.add_series({"name": said(), "categories": "=数!$A$1:$A$3", "values": "=数!$B$1:$B$3"})
        chart.set_title({"name": said()})
        chart.set_x_axis({"name": said()})
        chart.set_y_axis({"name": said()})
        sheet.insert_chart(place, chart)
    whole = made.add_chartsheet("図")
    chart = made.add_chart({"type": "pie"})
    chart.add_series({"categories": "=数!$A$1:$A$3", "values": "=数!$B$1:$B$3"})
    chart.set_title({"name": said()})
    whole.set_chart(chart)
    made.close()


def _sheet_charts_openpyxl(path: Path, said: Texts) -> None:
    made = Workbook()
    sheet = made.worksheets[0]
    sheet.append([said(), said()])
    sheet.append([1, 2])
    sheet.append([3, 5])
    for place, chart in (("D3", BarChart()), ("D20", PieChart()), ("D40", ScatterChart())):
        chart.title = said()
        if isinstance(chart, ScatterChart):
            xs, ys = (
                Reference(sheet, min_col=1, min_row=2, max_row=3),
                Reference(sheet, min_col=2, min_row=2, max_row=3),
            )
            chart.series.append(Series(ys, xs, title=said()))
            chart.x_axis.title = said()
        else:
            chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
        sheet.add_chart(chart, place)
    made.save(path)


def _slides(path: Path, said: Texts) -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = said()
    slide.placeholders[1].text = f"{said()}\n{said()}"
    slide.notes_slide.notes_text_frame.text = said()
    table_shape = slide.shapes.add_table(2, 2, Inches(1), Inches(4), Inches(5), Inches(1)).table
    for row in range(2):
        for column in range(2):
            table_shape.cell(row, column).text = said()
    show.save(str(path))


def _slides_with_groups(path: Path, said: Texts) -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1)).text_frame.text = said()
    inner = group.shapes.add_group_shape()
    inner.shapes.add_shape(MSO_SHAPE.OVAL, Inches(1), Inches(3), Inches(3), Inches(1)).text_frame.text = said()
    inner.shapes.add_shape(MSO_SHAPE.CHEVRON, Inches(1), Inches(5), Inches(3), Inches(1)).text_frame.text = said()
    hidden = show.slides.add_slide(show.slide_layouts[5])
    hidden.shapes.title.text = said()
    hidden._element.set("show", "0")
    show.save(str(path))


def _slides_with_chart(path: Path, said: Texts) -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    data = CategoryChartData()
    data.categories = [said(), said()]
    data.add_series(said(), (1.5, 2))
    data.add_series(said(), (7, 4))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(5), Inches(4), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = said()
    for axis in (chart.category_axis, chart.value_axis):
        axis.has_title = True
        axis.axis_title.text_frame.text = said()
    show.save(str(path))


def _slides_with_more_charts(path: Path, said: Texts) -> None:
    show = Presentation()
    data = CategoryChartData()
    for _ in range(2):
        above = data.add_category(said())
        above.add_sub_category(said())
        above.add_sub_category(said())
    data.add_series(said(), (1, 2, 3, 4))
    points = XyChartData()
    series = points.add_series(said())
    series.add_data_point(1.25, 2.5)
    for kind, of in ((XL_CHART_TYPE.BAR_CLUSTERED, data), (XL_CHART_TYPE.XY_SCATTER, points)):
        slide = show.slides.add_slide(show.slide_layouts[6])
        chart = slide.shapes.add_chart(kind, 0, 0, Inches(5), Inches(4), of).chart
        chart.plots[0].series[0].points[0].data_label.text_frame.text = said()
    show.save(str(path))


def _slide_comments(path: Path, said: Texts) -> None:
    _slides(path, said)
    space = f'xmlns:p="{_SCHEMAS}/presentationml/2006/main"'
    authors = (
        f'<p:cmAuthorLst {space}><p:cmAuthor id="0" name="a" initials="a" lastIdx="1" clrIdx="0"/></p:cmAuthorLst>'
    )
    comments = "".join(
        f'<p:cm authorId="0" dt="2026-01-0{number}T10:00:00" idx="{number}"><p:pos x="1" y="1"/>'
        f"<p:text>{said()}</p:text></p:cm>"
        for number in (1, 2)
    )
    _add_part(path, "ppt/presentation.xml", "cA", "commentAuthors", "ppt/commentAuthors.xml", authors.encode(),
              "application/vnd.openxmlformats-officedocument.presentationml.commentAuthors+xml")  # fmt: skip
    _add_part(path, "ppt/slides/slide1.xml", "cm1", "comments", "ppt/comments/comment1.xml",
              f"<p:cmLst {space}>{comments}</p:cmLst>".encode(),
              "application/vnd.openxmlformats-officedocument.presentationml.comments+xml")  # fmt: skip


OFFICE_SAMPLES: Samples = {
    ("docx", "text boxes"): _word_box,
    ("docx", "foot- and endnotes"): _word_notes,
    ("docx", "comments"): _word_comments,
    ("docx", "headers and footers"): _word_margins,
    ("docx", "tables in tables"): _word_tables,
    ("docx", "controls and insertions"): _word_controls,
    ("docx", "charts"): _word_chart,
    ("docx", "diagrams"): _diagram,
    ("docx", "pages taken in"): _word_embedded,
    ("docx", "files within"): _embedded_workbook,
    ("xlsx", "sheets, hidden ones too"): _sheets,
    ("xlsx", "comments, headers"): _sheet_comments,
    ("xlsx", "text boxes"): _sheet_boxes,
    ("xlsx", "charts"): _sheet_charts,
    ("xlsx", "charts of openpyxl"): _sheet_charts_openpyxl,
    ("pptx", "text, tables, notes"): _slides,
    ("pptx", "grouped shapes"): _slides_with_groups,
    ("pptx", "charts"): _slides_with_chart,
    ("pptx", "more charts"): _slides_with_more_charts,
    ("pptx", "comments"): _slide_comments,
}
