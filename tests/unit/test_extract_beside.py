"""Comments, text boxes and headers of workbooks, charts of presentations and Word documents."""

from __future__ import annotations

import zipfile
from pathlib import Path

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.worksheet.datavalidation import DataValidation
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from locator_search.adapters.extractors.office.beside import part_blocks
from locator_search.adapters.extractors.office.charts import new_lines, words_of
from locator_search.adapters.extractors.office.ooxml import parse_xml
from tests.builders.files.containers import OFFICE, zip_file
from tests.builders.files.extracted import extracted, outline
from tests.builders.files.word import paragraph, word

BOX = (
    '<sp><txBody><a:p xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
    "<a:r><a:t>枠の中の</a:t></a:r><a:r><a:t>文</a:t></a:r></a:p></txBody></sp>"
)


def book(path: Path) -> Path:
    """A sheet with a comment, a chart and a header, and a sheet that is a chart."""
    made = Workbook()
    sheet = made.worksheets[0]
    sheet.append(["月"])
    sheet.append([10])
    sheet["A2"].comment = Comment("田中が確認した", "鈴木")
    for place in (sheet, made.create_chartsheet("図")):
        chart = BarChart()
        chart.title = f"{place.title}の推移"
        chart.add_data(Reference(sheet, min_col=1, min_row=1, max_row=2))
        place.add_chart(chart, *(["C3"] if place is sheet else []))
    assert sheet.oddHeader is not None
    sheet.oddHeader.center.text = "社外秘 R&&D &P / &N"
    made.save(path)
    return path


def test_what_stands_beside_the_cells_of_a_workbook_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(book(tmp_path / "whole.xlsx")) as whole:
        entries = {name: whole.read(name) for name in whole.namelist()}
    drawing = entries["xl/drawings/drawing1.xml"].decode()
    head, end, tail = drawing.rpartition("</")
    entries["xl/drawings/drawing1.xml"] = f"{head}{BOX}{end}{tail}".encode()
    result = extracted(zip_file(tmp_path / "a.xlsx", entries))
    assert result.state == "ok"
    assert [(block.kind, block.text, block.page) for block in result.document.blocks] == [
        ("heading", "Sheet", 1),
        ("table", "月\n10", 1),
        ("paragraph", "枠の中の文", 1),
        ("paragraph", "Sheetの推移", 1),
        ("note", "田中が確認した", 1),
        ("note", "社外秘 R&D /", 1),
        ("heading", "図", 2),
        ("paragraph", "図の推移", 2),
    ]


def test_a_chart_of_a_workbook_says_what_no_cell_says(tmp_path: Path) -> None:
    made = Workbook()
    sheet = made.worksheets[0]
    for row in (["Region", "Sales"], ["North", 1], ["South", 2]):
        sheet.append(row)
    whole = ("Outlook of the board", "Sales by Region 2031 plan")  # a third of a typed title is new
    for title in ("Sales by Region", "Region, sales, North or South: plan", *whole):
        chart = BarChart()
        chart.title = title
        chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
        sheet.add_chart(chart, "D2")
    made.save(tmp_path / "a.xlsx")
    assert outline(extracted(tmp_path / "a.xlsx")) == [
        ("heading1", "Sheet"), ("table", "Region\tSales\nNorth\t1\nSouth\t2"),
        ("paragraph", "Region, sales, North or South: plan"), *(("paragraph", title) for title in whole),
    ]  # fmt: skip


def test_of_copied_names_only_new_words_come_and_a_typed_sentence_of_known_words_comes_whole() -> None:
    known = words_of(["Region Sales North South Year"])
    sentence = "Sales of region: North, South, by year"
    assert list(new_lines([sentence, "Sales by year"], [sentence + ".", "Region North plan"], known)) == [
        sentence,
        "plan",
    ]


def test_a_chart_of_a_workbook_gives_values_that_stand_in_none_of_its_cells() -> None:
    series = "<ser><tx><v>{name}</v></tx><cat><pt idx='0'><v>東</v></pt></cat><val>{values}</val></ser>"
    point = "<pt idx='0'><v>4.4000000000000004</v></pt>"
    sources = {
        "自": f"<numLit>{point}</numLit>",
        "他": f"<numRef><f>'[2]S'!$A$1</f>{point}</numRef>",
        "無": f"<numRef><f>#REF!</f>{point}</numRef>",
        "同": f"<numRef><f>S!$A$1</f>{point}</numRef>",
        "名": f"<numRef><f>[0]!Name</f>{point}</numRef>",
    }
    chart = "<c>" + "".join(series.format(name=name, values=values) for name, values in sources.items()) + "</c>"
    blocks = part_blocks(parse_xml(chart.encode()), "chart", None, {"東"})
    assert [block.text for block in blocks] == ["同\n名", "\t自\t他\t無\n東\t4.4\t4.4\t4.4"]


def test_a_text_box_within_a_chart_comes_whole() -> None:
    blocks = part_blocks(parse_xml(BOX.encode()), "chartUserShapes", None, {"枠の中の文"})
    assert [block.text for block in blocks] == ["枠の中の文"]


def test_what_cells_tell_whoever_fills_them_in_is_read_once(tmp_path: Path) -> None:
    made = Workbook()
    for column in ("A", "B"):
        asks = DataValidation(
            type="whole", promptTitle="部署", prompt="番号を入れてください", error="数字ではありません"
        )
        asks.add(f"{column}1")
        made.worksheets[0].add_data_validation(asks)
    made.save(tmp_path / "a.xlsx")
    assert [text for kind, text in outline(extracted(tmp_path / "a.xlsx")) if kind == "note"] == [
        "部署", "番号を入れてください", "数字ではありません",
    ]  # fmt: skip


def test_pages_of_notes_give_tables_and_their_header_once(tmp_path: Path) -> None:
    show = Presentation()
    for text in ("話す一", "話す二"):
        slide = show.slides.add_slide(show.slide_layouts[6])
        slide.notes_slide.notes_text_frame.text = text
        shapes = slide.notes_slide.shapes._spTree
        placeholder = "<p:sp><p:nvSpPr><p:nvPr><p:ph type='%s'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>%s</a:t>"
        placeholder += "</a:r></a:p></p:txBody></p:sp>"
        table = "<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>表の文</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl>"
        for piece in (placeholder % ("hdr", "社外秘"), placeholder % ("sldNum", "7"), table):
            space = "xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main' xmlns:p='p'"
            shapes.append(parse_xml(f"<x {space}>{piece}</x>".encode())[0])
    show.save(str(tmp_path / "a.pptx"))
    assert outline(extracted(tmp_path / "a.pptx")) == [
        ("note", "話す一"), ("note", "社外秘"), ("note", "表の文"), ("note", "話す二"), ("note", "表の文"),
    ]  # fmt: skip


def test_a_thread_is_read_once_whatever_language_its_copy_for_older_programs_is_in(tmp_path: Path) -> None:
    made = Workbook()
    made.worksheets[0]["A1"].comment = Comment("[スレッド コメント] 写し", "tc={0123}")
    made.worksheets[0]["A2"].comment = Comment("昔のコメント", "鈴木")
    made.save(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as whole:
        entries = {name: whole.read(name) for name in whole.namelist()}
    rels = "xl/worksheets/_rels/sheet1.xml.rels"
    relation = f'<Relationship Id="t1" Type="{OFFICE}/threadedComment" Target="/xl/thread.xml"/></Relationships>'
    entries[rels] = entries[rels].replace(b"</Relationships>", relation.encode())
    entries["xl/thread.xml"] = "<t><threadedComment><text>返事</text></threadedComment></t>".encode()
    result = extracted(zip_file(tmp_path / "b.xlsx", entries))
    assert sorted(text for kind, text in outline(result) if kind == "note") == ["昔のコメント", "返事"]


def test_the_answers_to_a_comment_on_a_slide_are_read_one_by_one(tmp_path: Path) -> None:
    show = Presentation()
    show.slides.add_slide(show.slide_layouts[6])
    show.save(str(tmp_path / "a.pptx"))
    with zipfile.ZipFile(tmp_path / "a.pptx") as whole:
        entries = {name: whole.read(name) for name in whole.namelist()}
    rels = "ppt/slides/_rels/slide1.xml.rels"
    relation = '<Relationship Id="m1" Type="http://schemas.microsoft.com/office/2018/10/relationships/comments" '
    relation += 'Target="/ppt/comments/m.xml"/></Relationships>'
    entries[rels] = entries[rels].replace(b"</Relationships>", relation.encode())
    body = "<txBody><p><r><t>%s</t></r></p></txBody>"
    answer = f"<replyLst><reply>{body % '直した'}</reply></replyLst>"
    entries["ppt/comments/m.xml"] = f"<cmLst><cm>{answer}{body % '数字が違う'}</cm></cmLst>".encode()
    assert outline(extracted(zip_file(tmp_path / "b.pptx", entries))) == [("note", "数字が違う"), ("note", "直した")]


def test_categories_in_levels_and_points_without_a_value_keep_their_places() -> None:
    points = "<pt idx='{}'><v>{}</v></pt>"
    levels = "".join(points.format(index, f"内{index}") for index in range(3))
    levels = f"<lvl>{levels}</lvl><lvl>{points.format(0, '外')}</lvl>"
    name = "<tx><strRef><strCache><pt idx='0'><v>額</v></pt></strCache></strRef></tx>"
    values = points.format(0, 5) + points.format(2, 7)
    chart = (
        f"<c><title><v>題</v></title><plotArea><ser>{name}<cat>{levels}</cat><val>{values}</val></ser></plotArea></c>"
    )
    blocks = part_blocks(parse_xml(chart.encode()), "chart", None)
    assert [block.text for block in blocks] == ["題", "\t額\n外 内0\t5\n内1\n内2\t7"]


def test_a_chart_since_excel_2016_gives_its_title_series_and_categories() -> None:
    chart = """<c><chartData><data><strDim><lvl><pt idx="0">東</pt><pt idx="1">西</pt></lvl></strDim></data></chartData>
        <title><tx><txData><v>割合</v></txData></tx></title>
        <plotArea><series><tx><txData><v>件数</v></txData></tx></series></plotArea></c>"""
    blocks = part_blocks(parse_xml(chart.encode()), "chartEx", None)
    assert [block.text for block in blocks] == ["割合", "件数\n東\t西"]


def test_a_damaged_drawing_costs_no_cell_and_is_said(tmp_path: Path) -> None:
    with zipfile.ZipFile(book(tmp_path / "a.xlsx")) as whole:
        entries = {name: whole.read(name) for name in whole.namelist()}
    entries["xl/drawings/drawing1.xml"] = b"<damaged"
    result = extracted(zip_file(tmp_path / "b.xlsx", entries))
    assert (result.state, result.reason) == ("partial", "The drawings of the document could not be read whole.")
    assert "田中が確認した" in result.document.text


def test_the_text_and_the_values_of_a_chart_on_a_slide_are_read(tmp_path: Path) -> None:
    show = Presentation()
    data = CategoryChartData()
    data.categories = ["東", "西"]
    data.add_series("割当", (1.5, 2))
    slide = show.slides.add_slide(show.slide_layouts[5])
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 2_000_000, 2_000_000, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "地域の割当"
    path = tmp_path / "a.pptx"
    show.save(str(path))
    assert outline(extracted(path)) == [("paragraph", "地域の割当"), ("table", "\t割当\n東\t1.5\n西\t2")]
    with zipfile.ZipFile(path) as whole:
        chart_part = whole.read(next(name for name in whole.namelist() if name.startswith("ppt/charts/chart")))
    document = word(tmp_path / "plain.docx", paragraph("本文"))
    with zipfile.ZipFile(document) as whole:
        entries = {name: whole.read(name) for name in whole.namelist()}
    relation = f'<Relationship Id="c1" Type="{OFFICE}/chart" Target="chart1.xml"/></Relationships>'
    name = "word/_rels/document.xml.rels"
    entries[name] = entries[name].replace(b"</Relationships>", relation.encode())
    entries["word/chart1.xml"] = chart_part
    assert outline(extracted(zip_file(tmp_path / "a.docx", entries))) == [
        ("paragraph", "本文"), ("paragraph", "地域の割当"), ("table", "\t割当\n東\t1.5\n西\t2"),
    ]  # fmt: skip
