"""What pictures say of themselves: read where they stand, without what programs wrote, and never a heading."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.drawing.image import Image as SheetImage
from PIL import Image
from pptx import Presentation
from pptx.util import Inches

from locator_search.adapters.extractors.pictures import alternative_text
from locator_search.indexing.chunking.pieces import pieces_of
from locator_search.model import Block, Document
from tests.builders.files.containers import zip_file
from tests.builders.files.drawn import shape
from tests.builders.files.excel97 import drawing, workbook97
from tests.builders.files.extracted import extracted, outline
from tests.builders.files.powerpoint97 import Slide, presentation97
from tests.builders.files.word import PAGE_MARK, WORD_DRAWING, paragraph, picture, run, table, word
from tests.builders.files.word97 import doc

ODF = "urn:oasis:names:tc:opendocument:xmlns"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (("", "組織図"), "組織図"),
        (("組織図", "組織図"), "組織図"),
        (("組織図", "営業部の組織図\n2024年"), "営業部の組織図 2024年"),
        (("売上の推移", "月ごとの折れ線"), "売上の推移\n月ごとの折れ線"),
        (("図 3", "Picture 12"), ""),
        (("正方形/長方形 5", "テキスト ボックス 2"), ""),
        (("", r"C:\Users\a\画像\組織図.png"), ""),
        (("image001.jpg@01D9A2", "IMG_1234"), ""),
        (("KKA_Logo4c", "MCj01051880000[1]"), ""),
        (("スクリーンショット 2023-01-01 12.30.45", "https://example.com/a?b=c"), ""),
        (("", "A picture containing text, sign\n\nDescription automatically generated"), ""),
        (("", "グラフ, 折れ線グラフ\n\n自動的に生成された説明"), ""),
        (("", "ダイアグラム\n\nAI 生成コンテンツは誤りを含む可能性があります。"), ""),
        (("", "Ein Bild, das Text enthält.\n\nKI-generierte Inhalte können fehlerhaft sein."), ""),
        (("屋外, 建物 が含まれている画像", "A picture containing outdoor"), ""),
        (("", "Rectangle: Click to edit Master text styles Second level"), ""),
        (("", '{"mathml": "x"}'), ""),
        ((None, "→ 1"), ""),
    ],
)
def test_titles_and_descriptions_are_those_of_people_and_say_nothing_twice(
    written: tuple[str | None, ...], read: str
) -> None:
    assert alternative_text(*written) == read


def test_a_picture_of_a_document_is_read_behind_its_paragraph_once_and_in_its_own_kind(tmp_path: Path) -> None:
    body = paragraph("前の文", inside=picture("1. 組織図", "1. 組織図")) + paragraph(inside=picture("Picture 3"))
    assert outline(extracted(word(tmp_path / "a.docx", body + paragraph("後の文")))) == [
        ("paragraph", "前の文"), ("picture", "1. 組織図"), ("paragraph", "後の文"),
    ]  # fmt: skip


def test_a_picture_in_a_heading_or_a_cell_stands_behind_it(tmp_path: Path) -> None:
    rows = [["部署", f"<w:p>{run('営業')}{picture('組織図')}</w:p>"], ["人数", "5"]]
    body = paragraph("体制", style="1", inside=picture("会社の印")) + table(*rows)
    assert outline(extracted(word(tmp_path / "a.docx", body))) == [
        ("heading1", "体制"), ("picture", "会社の印"), ("table", "部署\t営業\n人数\t5"), ("picture", "組織図"),
    ]  # fmt: skip


def test_a_deleted_picture_is_no_text_and_changes_stay_as_they_are(tmp_path: Path) -> None:
    change = '<w:del w:author="A">{0}<w:r><w:delText>旧</w:delText></w:r></w:del><w:ins w:author="A">{1}{2}</w:ins>'
    body = paragraph("文", inside=change.format(picture("古い図"), run("新"), picture("新しい図\ufdd0")))
    gone = f"<w:tr><w:trPr><w:del/></w:trPr><w:tc>{paragraph(inside=picture('消えた図'))}</w:tc></w:tr>"
    kept = f"<w:tr><w:tc>{paragraph('残る')}</w:tc><w:tc>{paragraph(inside=picture('残る図'))}</w:tc></w:tr>"
    result = extracted(word(tmp_path / "a.docx", body + f"<w:tbl>{gone}{kept}</w:tbl>"))
    assert outline(result) == [
        ("paragraph", "文新"), ("picture", "新しい図"), ("table", "残る"), ("picture", "残る図"),
    ]  # fmt: skip
    first = result.document.blocks[0]
    assert [(change.kind, change.text, change.offset) for change in first.changes] == [
        ("delete", "旧", 1), ("insert", "新", 1),
    ]  # fmt: skip


def test_pages_are_those_without_pictures(tmp_path: Path) -> None:
    cells = [
        f"<w:p>{run('左')}{PAGE_MARK}</w:p>{paragraph(inside=picture('左の図'))}",
        paragraph(inside=picture("右の図")),
    ]
    body = paragraph("一頁", inside=picture("長い説明" * 2_000)) + table(["見出し", "列"], cells) + table(["次", "表"])
    document = extracted(word(tmp_path / "a.docx", body + paragraph("二頁"))).document
    assert [(block.kind, block.page) for block in document.blocks] == [
        ("paragraph", 1), ("picture", 1), ("table", 1), ("picture", 1), ("picture", 2), ("table", 2), ("paragraph", 2),
    ]  # fmt: skip
    assert document.text.count("\f") == 1


def test_a_shape_in_either_form_says_what_it_is(tmp_path: Path) -> None:
    shape = (
        f'<mc:Choice><w:drawing><wp:anchor xmlns:wp="{WORD_DRAWING}"><wp:docPr descr="矢印の意味"/></wp:anchor>'
        "</w:drawing></mc:Choice>"
        '<mc:Fallback><w:pict><v:shape alt="矢印の意味"/><v:rect alt="枠の意味"/></w:pict></mc:Fallback>'
    )
    body = paragraph(inside=f"<w:r><mc:AlternateContent>{shape}</mc:AlternateContent></w:r>")
    assert outline(extracted(word(tmp_path / "a.docx", body))) == [("picture", "矢印の意味"), ("picture", "枠の意味")]


def test_pictures_of_slides_and_sheets_are_read_on_their_pages(tmp_path: Path) -> None:
    Image.new("RGB", (20, 10), "red").save(tmp_path / "p.png")
    show = Presentation()
    for text in ("組織図", "p.png"):
        slide = show.slides.add_slide(show.slide_layouts[5])
        slide.shapes.title.text = "体制"
        for _ in range(2):
            shape = slide.shapes.add_picture(str(tmp_path / "p.png"), Inches(1), Inches(2))
            shape._element.nvPicPr.cNvPr.set("descr", text)
    show.save(str(tmp_path / "a.pptx"))
    slides = extracted(tmp_path / "a.pptx").document.blocks
    assert [(block.kind, block.text, block.page) for block in slides] == [
        ("heading", "体制", 1), ("picture", "組織図", 1), ("heading", "体制", 2),
    ]  # fmt: skip
    book = Workbook()
    book.worksheets[0].append(["額", 5])
    book.worksheets[0].add_image(SheetImage(str(tmp_path / "p.png")), "C3")
    book.save(tmp_path / "b.xlsx")
    path = tmp_path / "b.xlsx"
    assert outline(extracted(path))[1:] == [("table", "額\t5")]  # openpyxl says "Picture" of every image
    with zipfile.ZipFile(path) as whole:
        entries = {name: whole.read(name) for name in whole.namelist()}
    part = "xl/drawings/drawing1.xml"
    entries[part] = entries[part].replace(b'descr="Picture"', 'descr="組織図"'.encode())
    assert outline(extracted(zip_file(path, entries)))[1:] == [("table", "額\t5"), ("picture", "組織図")]


def test_pictures_of_open_documents_are_read_without_being_titles(tmp_path: Path) -> None:
    content = (
        f'<office:document-content xmlns:office="{ODF}:office:1.0" xmlns:text="{ODF}:text:1.0" '
        f'xmlns:draw="{ODF}:drawing:1.0" xmlns:svg="{ODF}:svg-compatible:1.0" xmlns:table="{ODF}:table:1.0">'
        "<office:body><office:text><text:h text:outline-level='1'>体制<draw:frame><draw:image/><svg:title>組織図"
        "</svg:title><svg:desc>営業部の組織図</svg:desc></draw:frame></text:h><table:table><table:table-row><table:table-cell>"
        "<text:p>額<draw:frame><svg:desc>円の図</svg:desc></draw:frame></text:p></table:table-cell></table:table-row>"
        "</table:table></office:text></office:body></office:document-content>"
    )
    path = zip_file(tmp_path / "a.odt", {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})
    assert outline(extracted(path)) == [
        ("heading1", "体制"), ("picture", "営業部の組織図"), ("table", "額"), ("picture", "円の図"),
    ]  # fmt: skip


def test_images_of_a_page_are_read_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(
        "<html><body><h1><img alt='会社の印'>体制</h1><p>前<img alt='組織図' title='組織図'></p><img alt='logo'>"
        "<img alt><noscript><img alt='隠れた図'></noscript><table><tr><td>額</td><td><img alt='円の図'>5</td></tr>"
        "</table><img alt='組織図'></body></html>",
        encoding="utf-8",
    )
    assert outline(extracted(path)) == [
        ("heading1", "体制"), ("picture", "会社の印"), ("paragraph", "前"), ("picture", "組織図"),
        ("table", "額\t5"), ("picture", "円の図"),
    ]  # fmt: skip


def test_pictures_of_the_old_formats_are_read_behind_the_text(tmp_path: Path) -> None:
    report = doc(tmp_path / "a.doc", "本文\x08\x01\r", drawn=shape("横の図"), picture=shape("中の図"))
    assert outline(extracted(report)) == [("paragraph", "本文"), ("picture", "中の図"), ("picture", "横の図")]
    show = presentation97(tmp_path / "a.ppt", [Slide("体制", "営業部"), Slide("終わり")], drawn=shape("組織図"))
    assert [(block.kind, block.text, block.page) for block in extracted(show).document.blocks] == [
        ("heading", "体制", 1), ("paragraph", "営業部", 1), ("picture", "組織図", 1), ("heading", "終わり", 2),
    ]  # fmt: skip
    book = workbook97(tmp_path / "a.xls", {"額": [["広告費", 5]]}, beside=drawing(shape("円の図")))
    assert outline(extracted(book))[1:] == [("table", "広告費\t5"), ("picture", "円の図")]


def test_a_picture_of_rich_text_is_read_behind_its_paragraph(tmp_path: Path) -> None:
    described = r"{\sp{\sn wzName}{\sv \u22259 ?}}{\sp{\sn wzDescription}{\sv %s}}"
    diagram = r"\u32068 ?\u32340 ?{\b \u22259 ?}"
    path = tmp_path / "a.rtf"
    path.write_text(
        r"{\rtf1\ansi before{\*\shppict{\pict{\*\picprop" + described % diagram + r"}\pngblip 89504e47}}"
        r"{\nonshppict{\pict{\*\picprop" + described % diagram + r"}00}}\par{\deleted{\*\shpinst"
        + described % "gone" + r"}}after{\shp{\*\shpinst" + described % "Picture 2" + r"}}\par"
        r"{\header{\*\shpinst" + described % "our seal" + "}}}"
    )  # fmt: skip
    assert outline(extracted(path)) == [
        ("paragraph", "before"), ("picture", "組織図"), ("paragraph", "after"), ("note", "our seal"),
    ]  # fmt: skip


def test_a_drawing_that_ends_in_the_middle_costs_no_text(tmp_path: Path) -> None:
    for cut in range(1, len(shape("組織図")), 7):
        book = workbook97(tmp_path / "a.xls", {"額": [["広告費", 5]]}, beside=drawing(shape("組織図")[:-cut]))
        assert outline(extracted(book))[:2] == [("heading1", "額"), ("table", "広告費\t5")]
        report = doc(tmp_path / "a.doc", "本文\x01\r", drawn=shape("横")[:-cut], picture=shape("中の図")[:-cut])
        assert outline(extracted(report))[0] == ("paragraph", "本文")
        assert extracted(report).state == "ok"


def test_what_a_picture_says_is_never_taken_for_a_numbered_heading() -> None:
    document = Document((Block("picture", "2.1 準備"), Block("paragraph", "2.2 実施"), Block("paragraph", "文")), "x")
    pieces = list(pieces_of(document, document.text, 100))
    assert [piece.path for piece in pieces] == [(), ("2.2 実施",), ("2.2 実施",)]
