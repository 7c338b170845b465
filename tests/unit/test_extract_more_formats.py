"""E-mail, OpenDocument, Rich Text, Visio and PowerPoint 97-2003."""

from __future__ import annotations

import struct
import zlib
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.builders.files.containers import zip_file
from tests.builders.files.extracted import extracted, outline
from tests.builders.files.office import drawing
from tests.builders.files.powerpoint97 import Slide, presentation97
from tests.builders.files.word import paragraph, word
from tests.builders.files.word97 import compound_file

_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_NAMESPACES = " ".join(
    f'xmlns:{short}="{_ODF}:{long}:1.0"'
    for short, long in [
        ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"), ("chart", "chart"),
        ("presentation", "presentation"),
    ]
) + ' xmlns:xlink="http://www.w3.org/1999/xlink"'  # fmt: skip


def opendocument_content(kind: str, content: str) -> str:
    body = f"<office:body><office:{kind}>{content}</office:{kind}></office:body>"
    return f"<office:document-content {_NAMESPACES}>{body}</office:document-content>"


def opendocument(path: Path, kind: str, content: str, **more: str) -> Path:
    """`kind` is the element below the body: text, spreadsheet or presentation."""
    mime = f"application/vnd.oasis.opendocument.{kind}"
    return zip_file(path, {"mimetype": mime, "content.xml": opendocument_content(kind, content)} | more)


def eml(path: Path, message: EmailMessage) -> Path:
    path.write_bytes(message.as_bytes())
    return path


def test_a_message_gives_its_headers_its_body_and_its_attachments(tmp_path: Path) -> None:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "見積書の件", "髙橋 <t@example.jp>", "sales@example.jp"
    message.set_content("お世話になっております。\n\n見積書を送ります。")
    message.add_alternative("<p>HTML の本文</p>", subtype="html")
    attached = word(tmp_path / "a.docx", paragraph("金額は 120 万円"))
    message.add_attachment(
        attached.read_bytes(), maintype="application", subtype="octet-stream", filename="見積書.docx"
    )
    message.add_attachment(b"\x89PNG\r\n\x1a\n", maintype="image", subtype="png", filename="logo.png")
    result = extracted(eml(tmp_path / "mail.eml", message))
    assert (result.state, result.document.mime_type) == ("ok", "message/rfc822")
    assert outline(result) == [
        ("heading1", "見積書の件"),
        ("paragraph", "From: 髙橋 <t@example.jp>\nTo: sales@example.jp"),
        ("paragraph", "お世話になっております。"),
        ("paragraph", "見積書を送ります。"),
        ("heading2", "添付ファイル / Attachment: 見積書.docx"),
        ("paragraph", "金額は 120 万円"),
        ("heading2", "添付ファイル / Attachment: logo.png"),
    ]


def test_a_japanese_message_of_old_is_read_and_known_without_its_suffix(tmp_path: Path) -> None:
    path = tmp_path / "mail.txt"
    head = b"Message-ID: <1@example.jp>\nMIME-Version: 1.0\nSubject: =?ISO-2022-JP?B?GyRCMnE1RBsoQg==?=\n"
    path.write_bytes(head + b"Content-Type: text/plain; charset=ISO-2022-JP\n\n" + "①会議室㈱".encode("cp932"))
    assert extracted(path).document.text == "会議\n①会議室㈱"


def test_a_message_inside_a_message_is_read_and_an_html_body_too(tmp_path: Path) -> None:
    inner = EmailMessage()
    inner["Subject"] = "元の件名"
    inner.set_content("<h1>題</h1><p>転送された本文</p>", subtype="html")
    outer = EmailMessage()
    outer["Subject"] = "Fwd"
    outer.set_content("転送します")
    outer.add_attachment(inner)
    text = extracted(eml(tmp_path / "mail.eml", outer)).document.text
    assert text == "Fwd\n転送します\n元の件名\n題\n転送された本文"


@pytest.mark.parametrize("content", [b"Subject: =?utf-8?q?broken=E3=8\n\nx", b":\n:\n", b"From: a\n" * 5_000])
def test_a_damaged_message_is_no_crash(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mail.eml"
    path.write_bytes(content)
    assert extracted(path).state in ("ok", "empty", "partial")


def test_an_opendocument_text_is_read_in_order_without_what_was_deleted(tmp_path: Path) -> None:
    content = """
    <text:tracked-changes><text:changed-region><text:deletion><text:p>消えた</text:p></text:deletion>
    </text:changed-region></text:tracked-changes>
    <text:h text:outline-level="2">概要</text:h>
    <text:p>本文<text:s text:c="2"/>です<text:note><text:note-citation>1</text:note-citation>
    <text:note-body><text:p>脚注</text:p></text:note-body></text:note>。<text:tab/><text:ruby>
    <text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby></text:p>
    <text:p>表1 一覧</text:p>
    <table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>左</text:p>
    </table:table-cell><table:covered-table-cell/><table:table-cell><text:p>右</text:p></table:table-cell>
    </table:table-row></table:table>
    <text:p><text:soft-page-break/>二頁<draw:frame><draw:text-box><text:p>箱</text:p></draw:text-box></draw:frame></text:p>
    """
    result = extracted(opendocument(tmp_path / "a.odt", "text", content))
    assert [(kind, text.split()) for kind, text in outline(result)] == [
        ("heading2", ["概要"]),
        ("paragraph", ["本文", "です。", "漢字"]),
        ("caption", ["表1", "一覧"]),
        ("table", ["左", "右"]),
        ("paragraph", ["二頁"]),
        ("paragraph", ["箱"]),
        ("note", ["脚注"]),
    ]
    assert [block.page for block in result.document.blocks] == [1, 1, 1, 1, 1, 2, None]


def test_sheets_and_slides_of_opendocument_are_pages(tmp_path: Path) -> None:
    sheets = "".join(
        f'<table:table table:name="{name}"><table:table-row><table:table-cell><text:p>{value}</text:p>'
        "</table:table-cell>"
        f'<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
        f'<table:table-row table:number-rows-repeated="1048576"><table:table-cell/></table:table-row></table:table>'
        for name, value in (("売上", "120"), ("費用", "80"))
    )
    result = extracted(opendocument(tmp_path / "a.ods", "spreadsheet", sheets))
    assert [(block.text, block.page) for block in result.document.blocks] == [
        ("売上", 1), ("120", 1), ("費用", 2), ("80", 2),
    ]  # fmt: skip
    box = "<draw:text-box><text:p>一枚目</text:p></draw:text-box>"
    slides = f"<draw:page><draw:frame>{box}</draw:frame></draw:page>"
    assert extracted(opendocument(tmp_path / "a.odp", "presentation", slides)).document.page_count == 1


def test_charts_shapes_and_footers_of_opendocument_are_read(tmp_path: Path) -> None:
    chart = """<chart:chart><chart:title><text:p>{title}</text:p></chart:title><table:table table:name="local-table">
    <table:table-row><table:table-cell><text:p>売上</text:p></table:table-cell></table:table-row>
    </table:table></chart:chart>"""
    object_ = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    shape = "<draw:custom-shape><text:p>図形</text:p></draw:custom-shape>"
    with_chart = {"Object 1/content.xml": opendocument_content("chart", chart.format(title="推移 Trend"))}
    path = opendocument(tmp_path / "a.odt", "text", f"<text:p>本文{shape}{object_}</text:p>", **with_chart)
    assert [text for _, text in outline(extracted(path))] == ["本文", "図形", "推移 Trend", "売上"]
    cells = "<table:table-row><table:table-cell><text:p>売上 Trend</text:p></table:table-cell></table:table-row>"
    sheet = f'<table:table table:name="表"><table:shapes>{shape}{object_}</table:shapes>{cells}</table:table>'
    path = opendocument(tmp_path / "a.ods", "spreadsheet", sheet, **with_chart)
    assert [text for _, text in outline(extracted(path))] == ["表", "売上 Trend", "図形", "推移 Trend"]
    slides = f"<presentation:footer-decl>社外秘</presentation:footer-decl><draw:page>{shape}{object_}</draw:page>"
    damaged = extracted(opendocument(tmp_path / "a.odp", "presentation", slides, **{"Object 1/content.xml": "<"}))
    assert [text for _, text in outline(damaged)] == ["社外秘", "図形"]
    assert damaged.reason == "Object 1: This part of the document could not be read."


def test_an_encrypted_and_an_empty_opendocument_say_so(tmp_path: Path) -> None:
    locked = opendocument(tmp_path / "a.odt", "text", "", **{"META-INF/manifest.xml": "<manifest:encryption-data/>"})
    assert extracted(locked).state == "encrypted"
    assert extracted(opendocument(tmp_path / "b.odt", "text", "")).state == "empty"


def test_rich_text_is_read_in_its_code_pages_without_what_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(
        rb"{\rtf1\ansi\ansicpg932{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset128 MS Mincho;}}"
        rb"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}{\info{\title no text}}"
        rb"{\header \f1\'8e\'d0\'8aO\'94\'e9\par}"
        rb"\pard\s1 {\listtext\pard 1.\tab}\f1\'8aT\'97v\par\pard\f0 caf\u233? \u-10179?\u-8704? {\*\unknown gone}\par"
        rb"{\deleted removed}kept{\footnote note}\par"
        rb"\trowd\pard\intbl left\cell right\cell\row\pard{\field{\*\fldinst PAGE}{\fldrslt 7}}\par}"
    )
    assert outline(extracted(path)) == [
        ("heading1", "1. 概要"),
        ("paragraph", "café 😀"),
        ("paragraph", "kept"),
        ("table", "left\tright"),
        ("paragraph", "7"),
        ("note", "社外秘"),
        ("note", "note"),
    ]


def test_rich_text_of_openoffice_loses_no_link_and_no_change(tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(
        rb"{\rtf1\ansi\deff1{\fonttbl{\f1\fcharset128 MS Mincho;}{\f6\fcharset0 Arial;}}"
        rb"\pard\plain\s1 \'96\'7b{\f6 A}{\field{\*\fldinst HYPERLINK x}{\fldrslt \*\cs13\ul link}}"
        rb"{\revised\revdttm-2074015744 new}\f6\plain\'8aT\par}"
    )
    assert extracted(path).document.text == "本Alinknew概"


def test_rich_text_that_is_nested_without_end_or_cut_is_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(b"{\\rtf1 text\\par " + b"{" * 100_000)
    assert extracted(path).state == "partial"
    path.write_bytes(b"{\\rtf1\\ansi half \\'8")
    assert extracted(path).document.text == "half 8" or extracted(path).readable


def test_an_old_presentation_gives_titles_texts_and_notes_of_its_slides(tmp_path: Path) -> None:
    slides = [Slide("事業計画", "売上を二倍にする\r拠点を増やす", "ここで質問を受ける"), Slide("予算")]
    result = extracted(presentation97(tmp_path / "a.ppt", slides))
    assert [(block.kind, block.text, block.page) for block in result.document.blocks] == [
        ("heading", "事業計画", 1),
        ("paragraph", "売上を二倍にする", 1),
        ("paragraph", "拠点を増やす", 1),
        ("note", "ここで質問を受ける", 1),
        ("heading", "予算", 2),
    ]
    assert (result.state, result.document.page_count) == ("ok", 2)


def test_of_a_slide_that_was_edited_only_the_newest_copy_is_read(tmp_path: Path) -> None:
    path = presentation97(tmp_path / "a.ppt", [Slide("題", "古い文")], edited="新しい文")
    assert extracted(path).document.text == "題\n新しい文"


def test_comments_and_objects_of_an_old_presentation_are_read(tmp_path: Path) -> None:
    sheet = "<table:table><table:table-row><table:table-cell><text:p>表の中</text:p></table:table-cell>"
    book = opendocument(tmp_path / "a.ods", "spreadsheet", f"{sheet}</table:table-row></table:table>").read_bytes()
    inside = compound_file(tmp_path / "o.bin", {"package_stream": book}).read_bytes()
    path = presentation97(tmp_path / "a.ppt", [Slide("題", "文")], comment="数字が違う", inside=inside)
    assert [text for _, text in outline(extracted(path)) if text] == ["題", "文", "数字が違う", "表の中"]


def test_a_presentation_for_powerpoint_95_as_well_is_read(tmp_path: Path) -> None:
    result = extracted(presentation97(tmp_path / "a.ppt", [Slide("題", "本文")], older=True))
    assert (result.state, outline(result)) == ("ok", [("heading1", "題"), ("paragraph", "本文")])


def test_a_damaged_object_costs_no_other_text_of_an_old_presentation(tmp_path: Path) -> None:
    path = presentation97(tmp_path / "a.ppt", [Slide("題", "本文")], inside=b"x" * 100)
    path.write_bytes(path.read_bytes().replace(zlib.compress(b"x" * 100), b"\x78\x9c" + b"\xff" * 10))
    result = extracted(path)
    assert (result.state, result.reason) == (
        "partial",
        "An object in the presentation is damaged and was not read.",
    )
    assert outline(result) == [("heading1", "題"), ("paragraph", "本文")]


def test_rich_text_that_ends_within_a_row_keeps_its_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(rb"{\rtf1\ansi one\par\intbl left\cell right\cell last")
    assert outline(extracted(path)) == [("paragraph", "one"), ("table", "left\tright\tlast")]


def test_an_old_presentation_without_its_directory_still_gives_its_titles(tmp_path: Path) -> None:
    path = presentation97(tmp_path / "a.ppt", [Slide("題", "文")])
    path.write_bytes(path.read_bytes().replace(struct.pack("<H", 0x0FF5), b"\0\0"))
    assert extracted(path).document.text == "題"


SHAPES = (
    "<PageContents><Shapes><Shape><Text><cp IX='0'/>AMF</Text></Shape><Shape><Cell N='LangID' V='en'/></Shape>"
    "<Shape><Text>2<cp IX='1'/>. Registration\n accept</Text><Shapes><Shape><Text> UE </Text></Shape></Shapes>"
    "</Shape></Shapes></PageContents>"
)


def test_a_visio_drawing_is_the_text_of_its_shapes_and_not_its_xml(tmp_path: Path) -> None:
    second = "<PageContents><Shapes><Shape><Text>終了</Text></Shape></Shapes></PageContents>"
    result = extracted(drawing(tmp_path / "a.vsdx", [SHAPES, second]))
    assert (result.state, result.document.mime_type, result.document.page_count) == (
        "ok",
        "application/vnd.ms-visio.drawing",
        2,
    )
    assert [(block.text, block.page) for block in result.document.blocks] == [
        ("AMF", 1), ("2. Registration\n accept", 1), ("UE", 1), ("終了", 2),
    ]  # fmt: skip


def test_a_drawing_without_pages_is_empty_and_a_damaged_page_costs_itself_alone(tmp_path: Path) -> None:
    assert extracted(drawing(tmp_path / "a.vsdx", [])).state == "empty"
    damaged = extracted(drawing(tmp_path / "b.vsdx", ["<PageContents>", SHAPES]))
    assert (damaged.state, damaged.document.blocks[0].text) == ("partial", "AMF")
    whole = drawing(tmp_path / "c.vsdx", [SHAPES]).read_bytes()
    (tmp_path / "c.vsdx").write_bytes(whole[: len(whole) // 2])
    assert extracted(tmp_path / "c.vsdx").state == "corrupt"
